#include "problem/linked.hpp"

namespace shiftcut {

namespace {

template <class Visit>
void for_each_entry(const SparseMatrix& matrix, const Visit& visit) {
  for (std::uint32_t i = 0; i < matrix.rows; ++i) {
    for (auto e = static_cast<std::size_t>(matrix.offsets[i]);
         e < static_cast<std::size_t>(matrix.offsets[i + 1]); ++e) {
      visit(Entry{i, matrix.columns[e], matrix.values[e]});
    }
  }
}

}  // namespace

SparseMatrix pair_matrix(const Links& links, double too_much) {
  std::vector<Entry> entries;
  for_each_entry(links.evidence, [&](const Entry& entry) { entries.push_back(entry); });
  for (ObjectId v = 0; links.apart != nullptr && v < links.nodes; ++v) {
    for (const ObjectId u : links.apart->conflicts()[v]) {
      entries.push_back({v, u, -too_much});
    }
  }
  return sparse_from_entries(std::move(entries), links.nodes, links.nodes);
}

SparseMatrix contracted(const SparseMatrix& matrix, const Links& links) {
  std::vector<Entry> entries;
  entries.reserve(matrix.values.size());
  for_each_entry(matrix, [&](const Entry& entry) {
    entries.push_back({links.groups[entry.row], links.groups[entry.column], entry.value});
  });
  return sparse_from_entries(std::move(entries), links.nodes, links.nodes);
}

SparseMatrix sum_of(const SparseMatrix& a, const SparseMatrix& b) {
  std::vector<Entry> entries;
  entries.reserve(a.values.size() + b.values.size());
  const auto add = [&](const Entry& entry) { entries.push_back(entry); };
  for_each_entry(a, add);
  for_each_entry(b, add);
  return sparse_from_entries(std::move(entries), a.rows, a.columns_count);
}

}  // namespace shiftcut
