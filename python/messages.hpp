// Messages of the library under the names of the Python parameters.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "shiftcut/message.hpp"

namespace shiftcut_python {

/// A message as Python sees it: code, parameter, sentence.
using Said = std::tuple<std::string, std::string, std::string>;

/// How Python writes a parameter of the library: n_clusters, similarity='rbf'.
std::string parameter_name(std::string_view parameter, std::string_view value);

std::vector<Said> said(const std::vector<shiftcut::Message>& messages);

/// Notes that Python made itself, as messages of the library.
std::vector<shiftcut::Message> messages_from(const std::vector<Said>& notes);

/// Exceptions of the library become ValueError and RuntimeError under Python's names, with `code`
/// and `parameter`; Interrupted becomes KeyboardInterrupt.
void translate_exceptions();

}  // namespace shiftcut_python
