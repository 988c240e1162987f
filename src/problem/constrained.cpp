#include "problem/constrained.hpp"

#include <algorithm>
#include <numeric>

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

SparseMatrix pair_matrix(const Constraints& constraints, double too_much) {
  std::vector<Entry> entries;
  for_each_entry(constraints.evidence, [&](const Entry& entry) { entries.push_back(entry); });
  for (ObjectId v = 0; constraints.conflicts != nullptr && v < constraints.nodes; ++v) {
    for (const ObjectId u : constraints.conflicts->lists()[v]) {
      entries.push_back({v, u, -too_much});
    }
  }
  return sparse_from_entries(std::move(entries), constraints.nodes, constraints.nodes);
}

// Row by row into one array of sums, so that no entry is sorted more than within its row.
SparseMatrix contracted(const SparseMatrix& matrix, const Constraints& constraints) {
  std::vector<std::size_t> begin(constraints.nodes + 1, 0);  // of each node's members
  for (const ObjectId node : constraints.node_of) {
    ++begin[node + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<ObjectId> members(constraints.node_of.size());
  std::vector<std::size_t> at(begin.begin(), begin.end() - 1);
  for (ObjectId i = 0; i < constraints.node_of.size(); ++i) {
    members[at[constraints.node_of[i]]++] = i;
  }
  SparseMatrix out;
  out.rows = out.columns_count = constraints.nodes;
  out.offsets.assign(constraints.nodes + 1, 0);
  out.columns.reserve(matrix.columns.size());
  out.values.reserve(matrix.columns.size());
  std::vector<double> sum(constraints.nodes, 0.0);
  std::vector<bool> is_met(constraints.nodes, false);
  std::vector<std::uint32_t> met;
  for (ObjectId node = 0; node < constraints.nodes; ++node) {
    met.clear();
    for (std::size_t m = begin[node]; m < begin[node + 1]; ++m) {
      const ObjectId i = members[m];
      for (auto e = static_cast<std::size_t>(matrix.offsets[i]);
           e < static_cast<std::size_t>(matrix.offsets[i + 1]); ++e) {
        const ObjectId other = constraints.node_of[matrix.columns[e]];
        if (!is_met[other]) {
          is_met[other] = true;
          met.push_back(other);
        }
        sum[other] += matrix.values[e];
      }
    }
    std::sort(met.begin(), met.end());
    for (const std::uint32_t other : met) {
      out.columns.push_back(other);
      out.values.push_back(sum[other]);
      sum[other] = 0;
      is_met[other] = false;
    }
    out.offsets[node + 1] = static_cast<std::int64_t>(out.columns.size());
  }
  return out;
}

SparseMatrix sum_of(const SparseMatrix& a, const SparseMatrix& b) {
  SparseMatrix out;
  out.rows = a.rows;
  out.columns_count = a.columns_count;
  out.offsets.assign(a.rows + 1, 0);
  out.columns.reserve(a.columns.size() + b.columns.size());
  out.values.reserve(a.columns.size() + b.columns.size());
  for (std::size_t i = 0; i < a.rows; ++i) {
    auto e = static_cast<std::size_t>(a.offsets[i]);
    auto f = static_cast<std::size_t>(b.offsets[i]);
    const auto last_e = static_cast<std::size_t>(a.offsets[i + 1]);
    const auto last_f = static_cast<std::size_t>(b.offsets[i + 1]);
    while (e < last_e || f < last_f) {
      const bool from_a = f >= last_f || (e < last_e && a.columns[e] <= b.columns[f]);
      const bool from_b = e >= last_e || (f < last_f && b.columns[f] <= a.columns[e]);
      out.columns.push_back(from_a ? a.columns[e] : b.columns[f]);
      out.values.push_back((from_a ? a.values[e] : 0.0) + (from_b ? b.values[f] : 0.0));
      e += from_a ? 1 : 0;
      f += from_b ? 1 : 0;
    }
    out.offsets[i + 1] = static_cast<std::int64_t>(out.columns.size());
  }
  return out;
}

Constraints softened(const Constraints& constraints, double weight) {
  Constraints soft = constraints;
  soft.conflicts = nullptr;
  soft.evidence = pair_matrix(constraints, weight);
  return soft;
}

}  // namespace shiftcut
