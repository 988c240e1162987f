// A result as one HTML file that anyone can open: a map of the objects, the clusters and how far to
// trust them. The page is written in TypeScript (web/) and compiled into the library where it was
// built; the data are put into it as JSON.
#pragma once

#include <cstddef>
#include <string>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/layout.hpp"
#include "shiftcut/message.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// What a page says besides the result.
struct PageOptions {
  std::string title;                  // empty: the name of the input
  std::string command;                // that gives the same result again
  std::size_t most_objects = 20'000;  // drawn: larger data are sampled, which the page says
  const Layout* places = nullptr;     // of all objects, if they are known; else layout() finds them
  Naming naming = plain_name;         // of parameters in warnings
};

/// Whether the page was compiled in.
bool has_page();

/// The data of a page about run(input, options) = result as one JSON object, safe inside a <script>
/// element: no character of it can end the element, and nothing in names is obeyed by a terminal
/// or changes the direction of writing. The same for the same seed and any number of threads.
/// `neighbors` are those of the run, or null. Once asked to stop, it leaves out what takes work.
std::string page_json(const Input& input, const Options& options, const Result& result,
                      const PageOptions& page, const NeighborTable* neighbors = nullptr,
                      const Control& control = {});

/// The page with these data, whole: it loads nothing. Throws ResourceError unless has_page().
std::string page_html(const Input& input, const Options& options, const Result& result,
                      const PageOptions& page, const NeighborTable* neighbors = nullptr,
                      const Control& control = {});

}  // namespace shiftcut
