#include "methods/spectral/submatrix.hpp"

#include <utility>
#include <vector>

namespace shiftcut::methods {

namespace {

DenseArray rows_and_columns(const DenseArray& whole, std::span<const ObjectId> members,
                            ThreadTeam& team) {
  const std::size_t m = members.size();
  std::vector<double> values(m * m);
  team.for_each(m, [&](std::size_t i, int) {
    const double* row = whole.f64() + members[i] * whole.columns();
    for (std::size_t j = 0; j < m; ++j) {
      values[i * m + j] = row[members[j]];
    }
  });
  return DenseArray::own(std::move(values), m, m);
}

SparseMatrix edges_among(const SparseMatrix& whole, std::span<const ObjectId> members) {
  constexpr ObjectId kOutside = 0xffffffff;
  std::vector<ObjectId> place(whole.rows, kOutside);
  for (std::size_t i = 0; i < members.size(); ++i) {
    place[members[i]] = static_cast<ObjectId>(i);
  }
  SparseMatrix part;
  part.rows = members.size();
  part.columns_count = members.size();
  part.offsets.push_back(0);
  for (const ObjectId member : members) {
    for (auto e = static_cast<std::size_t>(whole.offsets[member]);
         e < static_cast<std::size_t>(whole.offsets[member + 1]); ++e) {
      if (place[whole.columns[e]] != kOutside) {
        part.columns.push_back(place[whole.columns[e]]);
        part.values.push_back(whole.values[e]);
      }
    }
    part.offsets.push_back(static_cast<std::int64_t>(part.columns.size()));
  }
  return part;
}

}  // namespace

Similarities submatrix(const Similarities& similarities, std::span<const ObjectId> members,
                       ThreadTeam& team) {
  if (const auto* dense = std::get_if<DenseArray>(&similarities)) {
    return members.size() == dense->rows() ? *dense : rows_and_columns(*dense, members, team);
  }
  return edges_among(std::get<SparseMatrix>(similarities), members);
}

}  // namespace shiftcut::methods
