// The labels as a table to join with other tables by id.
#include <fmt/format.h>

#include <cassert>
#include <iterator>

#include "report/csv_cell.hpp"
#include "shiftcut/report.hpp"

namespace shiftcut {

std::string labels_csv(const Result& result, const Input& input) {
  assert(input.ids.empty() || input.ids.size() == result.labels.size());
  std::string out = "id,label\n";
  out.reserve(result.labels.size() * 12);
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    if (input.ids.empty()) {
      fmt::format_to(std::back_inserter(out), "{}", i);
    } else {
      append_cell(out, input.ids[i]);
    }
    fmt::format_to(std::back_inserter(out), ",{}\n", result.labels[i]);
  }
  return out;
}

}  // namespace shiftcut
