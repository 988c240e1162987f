// A few readable lines about an Input, as `shiftcut info` shows them.
#include <algorithm>

#include <fmt/core.h>

#include "core/text.hpp"
#include "input/limits.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

namespace {

std::string first_names(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kNamesShown, names.size()); ++i) {
    shown.push_back(quoted(names[i]));
  }
  return fmt::format("{}{}", comma_separated(shown), names.size() > kNamesShown ? ", ..." : "");
}

const char* meaning(Shape shape) {
  switch (shape) {
    case Shape::features:
      return "features";
    case Shape::similarity:
      return "a matrix of similarities";
    case Shape::distance:
      return "a matrix of distances";
    case Shape::graph:
      return "a graph";
  }
  return "";
}

std::size_t self_loops(const SparseMatrix& graph) {
  std::size_t loops = 0;
  for (std::size_t i = 0; i < graph.rows; ++i) {
    for (std::int64_t at = graph.offsets[i]; at < graph.offsets[i + 1]; ++at) {
      loops += graph.columns[static_cast<std::size_t>(at)] == i ? 1 : 0;
    }
  }
  return loops;
}

std::string storage(const Input& input) {
  if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
    const char* type = dense->is_float32() ? "float32" : "float64";
    return fmt::format("stored:   {} x {}, dense {}\n", dense->rows(), dense->columns(), type);
  }
  const auto& sparse = std::get<SparseMatrix>(input.values);
  if (input.shape != Shape::graph) {
    return fmt::format("stored:   {} x {}, sparse with {} values\n", sparse.rows,
                       sparse.columns_count, sparse.values.size());
  }
  const std::size_t loops = self_loops(sparse);
  return fmt::format("edges:    {}{}\n", (sparse.values.size() - loops) / 2,
                     loops > 0 ? fmt::format(" and {} self loops", loops) : "");
}

std::string classes(const Input& input) {
  std::vector<std::size_t> sizes(input.truth_names.size(), 0);
  for (const std::int32_t c : input.truth) {
    ++sizes[static_cast<std::size_t>(c)];
  }
  std::vector<std::string> shown;
  for (std::size_t c = 0; c < std::min(kNamesShown, sizes.size()); ++c) {
    shown.push_back(fmt::format("{} ({})", quoted(input.truth_names[c]), sizes[c]));
  }
  return fmt::format("classes:  {}: {}{}\n", sizes.size(), comma_separated(shown),
                     sizes.size() > kNamesShown ? ", ..." : "");
}

}  // namespace

std::string describe(const Input& input, Naming naming) {
  std::string text = fmt::format("file:     {}\nholds:    {}\nobjects:  {}\n", harmless(input.name),
                                 meaning(input.shape), input.objects());
  text += storage(input);
  if (!input.column_names.empty()) {
    text += fmt::format("features: {}: {}\n", input.column_names.size(),
                        first_names(input.column_names));
  }
  if (!input.ids.empty()) {
    text += fmt::format("ids:      {}\n", first_names(input.ids));
  }
  if (!input.truth.empty()) {
    text += classes(input);
  }
  for (const std::string& note : render(input.notes, naming)) {
    text += fmt::format("note:     {}\n", harmless(note));
  }
  return text;
}

}  // namespace shiftcut
