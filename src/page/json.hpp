// JSON for a page, and the names in it.
#pragma once

#include <string>
#include <string_view>

#include "core/json.hpp"
#include "page/tuning.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

/// The text cut to a length that can be shown, without what a terminal or a browser would obey.
std::string shown_name(std::string_view text, std::size_t most = page_tuning::kLongestName);

/// The name of an object: its id, or its row number.
std::string object_name(const Input& input, std::size_t object);

/// The value as text that is JSON and safe inside a <script> element of HTML.
std::string script_text(const Json& value);

}  // namespace shiftcut
