// Labels and answers as CSV tables, to be joined with other tables by id.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "shiftcut/layout.hpp"
#include "shiftcut/levels.hpp"
#include "shiftcut/report.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

// Appends a cell, quoted where RFC 4180 requires it or blanks would be lost; bytes stay as they
// are.
void append_cell(std::string& out, std::string_view cell) {
  const bool padded = !cell.empty() && (cell.front() == ' ' || cell.back() == ' ');
  if (!padded && cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_object(std::string& out, std::size_t object, const Input& input) {
  if (input.ids.empty()) {
    out += std::to_string(object);
  } else {
    append_cell(out, input.ids[object]);
  }
}

}  // namespace

std::string labels_csv(const Result& result, const Input& input) {
  assert(input.ids.empty() || input.ids.size() == result.labels.size());
  std::string out = "id,label\n";
  out.reserve(result.labels.size() * 12);
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    append_object(out, i, input);
    out += ',' + std::to_string(result.labels[i]) + '\n';
  }
  return out;
}

std::string layout_csv(const Layout& layout, const Input& input) {
  assert(input.ids.empty() || input.ids.size() == layout.size());
  std::string out = "id,x,y\n";
  out.reserve(layout.size() * 32);
  for (std::size_t i = 0; i < layout.size(); ++i) {
    append_object(out, i, input);
    // Seven digits show more than any screen.
    fmt::format_to(std::back_inserter(out), ",{:.7g},{:.7g}\n", layout[i].x, layout[i].y);
  }
  return out;
}

std::string levels_csv(const Levels& levels, const Result& result, const Input& input) {
  const std::size_t n = levels.merges.size() + 1;
  std::set<std::size_t> numbers = {std::min<std::size_t>(2, n), result.clusters_found};
  for (double strength = 8 * std::max(1.0, result.shift_strength); strength > 1e-4;
       strength /= std::sqrt(2)) {
    const auto after = std::ranges::partition_point(
        levels.merges, [&](const Merge& merge) { return merge.strength >= strength; });
    const auto merged = static_cast<std::size_t>(after - levels.merges.begin());
    numbers.insert(std::max<std::size_t>(n - merged, 1));
  }
  std::string out = "id";
  std::vector<std::vector<std::int32_t>> columns;
  for (const std::size_t number : numbers) {
    // Of the last merge, also for the clusters of the result, which a range of strengths has.
    const double strength = levels.merges.empty()
                                ? result.shift_strength
                                : levels.merges[number < n ? n - number - 1 : 0].strength;
    out += fmt::format(",clusters={} strength={:.4g}", number, strength);
    columns.push_back(number == result.clusters_found ? result.labels : labels_at(levels, number));
  }
  out += '\n';
  for (std::size_t i = 0; i < n; ++i) {
    append_object(out, i, input);
    for (const std::vector<std::int32_t>& column : columns) {
      out += fmt::format(",{}", column[i]);
    }
    out += '\n';
  }
  return out;
}

std::string strength_csv(std::span<const std::int32_t> labels, const Strengths& strengths,
                         const Input& input) {
  std::string out = "id,label,strength,outlier_score\n";
  for (std::size_t i = 0; i < labels.size(); ++i) {
    append_object(out, i, input);
    out +=
        fmt::format(",{},{:.4f},{:.4f}\n", labels[i], strengths.strength[i], strengths.outlier[i]);
  }
  return out;
}

std::string answers_csv(std::span<const Answer> answers, const Input& input) {
  std::string out = "a,b,answer\n";
  for (const Answer& answer : answers) {
    append_object(out, answer.a, input);
    out += ',';
    append_object(out, answer.b, input);
    out += ',';
    out += word_of(answer.says);
    out += '\n';
  }
  return out;
}

}  // namespace shiftcut
