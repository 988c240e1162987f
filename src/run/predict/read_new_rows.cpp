// New rows for a model from a file: see model.hpp.
#include <limits>
#include <unordered_map>

#include <fmt/core.h>

#include "core/message.hpp"
#include "input/bytes/reject.hpp"
#include "shiftcut/model.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

namespace {

// Columns of numbers by position, with no value for a missing cell.
TableEncoding numbers_only(std::size_t columns) {
  TableEncoding encoding;
  encoding.has_names = false;
  encoding.width = columns;
  for (std::size_t c = 0; c < columns; ++c) {
    ColumnEncoding column;
    column.name = fmt::format("c{}", c);
    column.position = c;
    column.median = std::numeric_limits<double>::quiet_NaN();
    encoding.columns.push_back(std::move(column));
  }
  return encoding;
}

// From a graph of old and new nodes to a row for each new one, of its edges to old ones.
Input rows_of_new_nodes(const Input& graph, const Model& model) {
  std::unordered_map<std::string_view, std::uint32_t> old;
  for (std::size_t i = 0; i < model.ids.size(); ++i) {
    old.emplace(model.ids[i], static_cast<std::uint32_t>(i));
  }
  const auto& edges = std::get<SparseMatrix>(graph.values);
  Input out;
  out.name = graph.name;
  out.notes = graph.notes;
  std::vector<Entry> entries;
  std::size_t ignored = 0;
  for (std::size_t i = 0; i < edges.rows; ++i) {
    const bool is_old = old.contains(graph.ids[i]);
    const auto row = static_cast<std::uint32_t>(out.ids.size());
    for (auto e = static_cast<std::size_t>(edges.offsets[i]);
         e < static_cast<std::size_t>(edges.offsets[i + 1]); ++e) {
      const auto other = old.find(graph.ids[edges.columns[e]]);
      if (is_old == (other != old.end())) {
        ignored += edges.columns[e] >= i ? 1 : 0;  // an edge stands in both rows
      } else if (!is_old) {
        entries.push_back({row, other->second, edges.values[e]});
      }
    }
    if (!is_old) {
      out.ids.push_back(graph.ids[i]);
    }
  }
  if (out.ids.empty()) {
    reject(graph.name,
           "found no node that the model does not know; allowed: edges of new nodes "
           "to nodes of the model");
  }
  if (ignored > 0) {
    out.notes.push_back(
        message("ignored_edges", "",
                "{} {} ignored: only those between a new node and one of the model count", ignored,
                ignored == 1 ? "edge was" : "edges were"));
  }
  out.values = sparse_from_entries(std::move(entries), out.ids.size(), model.columns);
  return out;
}

bool is_edge_list(const std::string& path, const ReadOptions& options) {
  return options.format == Format::edges ||
         (options.format == Format::automatic &&
          (path.ends_with(".edges") || path.ends_with(".edges.gz")));
}

}  // namespace

Input read_new_rows(const std::string& path, const ReadOptions& options, const Model& model,
                    const Control& control) {
  if (model.shape == Shape::graph && is_edge_list(path, options)) {
    const Input graph = read_input(path, options, control);
    if (model.ids.empty()) {
      reject(graph.name,
             "found an edge list for a model whose objects have no names; allowed: a "
             "matrix of a row for each new object");
    }
    return rows_of_new_nodes(graph, model);
  }
  ReadOptions as_rows = options;
  as_rows.shape = ShapeChoice::features;
  return read_like(path, as_rows, model.encoding ? *model.encoding : numbers_only(model.columns),
                   control);
}

}  // namespace shiftcut
