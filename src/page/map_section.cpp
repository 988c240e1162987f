#include "page/map_section.hpp"

#include <algorithm>
#include <cmath>

#include "core/rng.hpp"
#include "page/sample.hpp"
#include "page/tuning.hpp"

namespace shiftcut {

namespace {

using namespace page_tuning;

constexpr std::uint64_t kJitterStream = (std::uint64_t{1} << 43) + 1;  // of random numbers

// Columns that the scaling leaves in; 0 where layout() does not look at them.
std::size_t used_columns(const Input& input, const Result& result) {
  const auto* dense = std::get_if<DenseArray>(&input.values);
  if (dense == nullptr || input.shape != Shape::features) {
    return 0;
  }
  return result.scaling.factor.empty()
             ? dense->columns()
             : dense->columns() -
                   static_cast<std::size_t>(std::ranges::count(result.scaling.factor, 0.0));
}

// "column", "columns": as they are; "components": the principal ones; "neighbors": near each other.
std::string kind_of(const Input& input, const Result& result) {
  const std::size_t columns = used_columns(input, result);
  if (columns == 1 || columns == 2) {
    return columns == 1 ? "column" : "columns";
  }
  const bool is_linear = input.shape == Shape::features && result.similarity == "linear";
  return is_linear ? "components" : "neighbors";
}

// Names of the columns that are the axes.
std::vector<std::string> axes_of(const Input& input, const Result& result) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < input.column_names.size(); ++c) {
    if (result.scaling.factor.empty() || result.scaling.factor[c] != 0) {
      names.push_back(shown_name(input.column_names[c]));
    }
  }
  return names;
}

// The drawn rows alone, as if there were no others.
Layout layout_of_drawn(const Input& input, const Options& options, const Result& result,
                       const std::vector<ObjectId>& drawn, const Control& control) {
  Result part = result;
  part.objects = drawn.size();
  part.labels.clear();
  for (const ObjectId object : drawn) {
    part.labels.push_back(result.labels[object]);
  }
  Options without_links = options;
  without_links.links = {};
  return layout(rows_alone(input, drawn), without_links, part, nullptr, control);
}

Layout places_of(const Input& input, const Options& options, const Result& result,
                 const Layout* known, const std::vector<ObjectId>& drawn,
                 const NeighborTable* neighbors, const Control& control) {
  const bool is_large = input.shape == Shape::features && result.objects > kMostPlaced;
  if (known == nullptr && is_large && drawn.size() < result.objects) {
    return layout_of_drawn(input, options, result, drawn, control);
  }
  Layout found;
  if (known == nullptr) {
    found = layout(input, options, result, neighbors, control);
    known = &found;
  }
  Layout places;
  for (const ObjectId object : drawn) {
    places.push_back((*known)[object]);
  }
  return places;
}

struct Range {
  double least = 0;
  double most = 0;

  [[nodiscard]] double middle() const { return least / 2 + most / 2; }
  [[nodiscard]] double length() const { return most - least; }
};

Range range_of(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  return {least, most};
}

// Values to whole numbers from 0 to kGrid, the middle of their range in the middle.
std::vector<int> on_grid(const std::vector<double>& values, double unit) {
  const Range range = range_of(values);
  std::vector<int> grid;
  grid.reserve(values.size());
  for (const double value : values) {
    const double at = unit > 0 ? (value - range.middle()) / unit + 0.5 : 0.5;
    grid.push_back(static_cast<int>(std::lround(std::clamp(at, 0.0, 1.0) * kGrid)));
  }
  return grid;
}

}  // namespace

Json map_section(const Input& input, const Options& options, const Result& result,
                 const Layout* known, const std::vector<ObjectId>& drawn,
                 const NeighborTable* neighbors, const Control& control) {
  if (drawn.empty()) {
    return {};
  }
  const Layout places = places_of(input, options, result, known, drawn, neighbors, control);
  const std::string kind = kind_of(input, result);
  std::vector<double> x;
  std::vector<double> y;
  for (const Place& place : places) {
    x.push_back(place.x);
    y.push_back(place.y);
  }
  Rng rng(result.seed, kJitterStream);
  const double width = range_of(x).length();
  for (double& value : y) {
    value += kind == "column" ? kJitter * width * rng.uniform() : 0;
  }
  // Columns as they are may have units of their own; in all other maps both axes have one scale.
  const bool is_stretched = kind == "columns";
  const double unit = std::max(width, range_of(y).length());
  std::vector<std::int32_t> labels;
  std::vector<std::string> names;
  for (const ObjectId object : drawn) {
    labels.push_back(result.labels[object]);
    names.push_back(object_name(input, object));
  }
  Json map = {
      {"kind", kind},
      {"axes", kind.starts_with("column") ? axes_of(input, result) : std::vector<std::string>()},
      {"x", on_grid(x, is_stretched ? width : unit)},
      {"y", on_grid(y, is_stretched ? range_of(y).length() : unit)},
      {"labels", labels}};
  if (drawn.size() < result.objects || !input.ids.empty()) {
    map["names"] = names;  // else row numbers from 0
  }
  return map;
}

}  // namespace shiftcut
