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
      out += std::to_string(i);
    } else {
      append_cell(out, input.ids[i]);
    }
    out += ',' + std::to_string(result.labels[i]) + '\n';
  }
  return out;
}

}  // namespace shiftcut
