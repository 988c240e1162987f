#include "methods/operations.hpp"

#include <cmath>
#include <utility>

#include "core/message.hpp"

namespace shiftcut::methods {

namespace {

// Calls `visit(row, column, value)` for the stored entries, row by row.
template <class Visit>
void for_stored(const Similarities& similarities, const Visit& visit) {
  for (std::size_t i = 0; i < objects(similarities); ++i) {
    for_row(similarities, i, [&](std::size_t j, double value) { visit(i, j, value); });
  }
}

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

std::size_t objects(const Similarities& similarities) {
  const auto* dense = std::get_if<DenseArray>(&similarities);
  return dense != nullptr ? dense->rows() : std::get<SparseMatrix>(similarities).rows;
}

void check_similarities(const Similarities& similarities, std::string_view method) {
  const auto* dense = std::get_if<DenseArray>(&similarities);
  const std::size_t rows = objects(similarities);
  const std::size_t columns =
      dense != nullptr ? dense->columns() : std::get<SparseMatrix>(similarities).columns_count;
  if (rows != columns || rows == 0) {
    refuse("wrong_length", "",
           "{}: found {} x {} similarities; allowed: n x n, of one object or more", method, rows,
           columns);
  }
  if (dense != nullptr && dense->is_float32()) {
    refuse("bad_input", "", "{}: found float32 similarities; allowed: float64", method);
  }
  for_stored(similarities, [&](std::size_t i, std::size_t j, double value) {
    if (!std::isfinite(value)) {
      refuse("out_of_range", "",
             "{}: found {} as the similarity of objects {} and {}; allowed: finite numbers", method,
             value, i, j);
    }
  });
}

void check_not_negative(const Similarities& similarities, std::string_view method) {
  for_stored(similarities, [&](std::size_t i, std::size_t j, double value) {
    if (value < 0) {
      refuse("out_of_range", "",
             "{}: found the similarity {} of objects {} and {}; allowed: 0 or more", method, value,
             i, j);
    }
  });
}

void stop_if_asked(const Control& control) {
  if (control.stop_requested()) {
    throw Interrupted();
  }
}

std::vector<double> degrees(const Similarities& similarities, ThreadTeam& team) {
  const std::size_t n = objects(similarities);
  const std::vector<double> ones(n, 1.0);
  std::vector<double> sums(n);
  multiply(similarities, ones, sums, team);
  return sums;
}

void multiply(const Similarities& similarities, std::span<const double> in, std::span<double> out,
              ThreadTeam& team) {
  const std::size_t n = objects(similarities);
  if (const auto* dense = std::get_if<DenseArray>(&similarities)) {
    const double* values = dense->f64();
    for_rows(n, team, [&](std::size_t i) {
      double lanes[8] = {};  // independent sums, so that the loop need not wait for each addition
      const double* row = values + i * n;
      std::size_t j = 0;
      for (; j + 8 <= n; j += 8) {
        for (std::size_t lane = 0; lane < 8; ++lane) {
          lanes[lane] += row[j + lane] * in[j + lane];
        }
      }
      double sum = 0;
      for (; j < n; ++j) {
        sum += row[j] * in[j];
      }
      for (const double lane : lanes) {
        sum += lane;
      }
      out[i] = sum;
    });
    return;
  }
  const auto& sparse = std::get<SparseMatrix>(similarities);
  for_rows(n, team, [&](std::size_t i) {
    double sum = 0;
    for (auto e = static_cast<std::size_t>(sparse.offsets[i]);
         e < static_cast<std::size_t>(sparse.offsets[i + 1]); ++e) {
      sum += sparse.values[e] * in[sparse.columns[e]];
    }
    out[i] = sum;
  });
}

Similarities submatrix(const Similarities& similarities, std::span<const ObjectId> members,
                       ThreadTeam& team) {
  if (const auto* dense = std::get_if<DenseArray>(&similarities)) {
    return members.size() == dense->rows() ? *dense : rows_and_columns(*dense, members, team);
  }
  return edges_among(std::get<SparseMatrix>(similarities), members);
}

Components components(const Similarities& similarities) {
  const std::size_t n = objects(similarities);
  Components found;
  found.of.assign(n, n);
  std::vector<std::size_t> waiting;
  std::size_t seen = 0;
  for (std::size_t first = 0; first < n; ++first) {
    if (found.of[first] != n) {
      continue;
    }
    found.of[first] = found.count;
    waiting.push_back(first);
    ++seen;
    while (!waiting.empty() && seen < n) {  // a dense matrix is seldom read to its end
      const std::size_t i = waiting.back();
      waiting.pop_back();
      for_row(similarities, i, [&](std::size_t j, double value) {
        if (value > 0 && found.of[j] == n) {
          found.of[j] = found.count;
          waiting.push_back(j);
          ++seen;
        }
      });
    }
    ++found.count;
  }
  return found;
}

std::vector<ClusterId> cluster_ids(std::span<const std::int32_t> labels, std::size_t n) {
  if (labels.size() != n) {
    refuse("wrong_length", "", "labels: found {}; allowed: {}, one per object", labels.size(), n);
  }
  for (const std::int32_t label : labels) {
    if (label < 0 || static_cast<std::size_t>(label) >= n) {
      refuse("out_of_range", "", "labels: found {}; allowed: 0 to {}", label, n - 1);
    }
  }
  return {labels.begin(), labels.end()};
}

void number_by_first_object(Labels& labels) {
  std::vector<std::int32_t> number;  // of each label met so far, else -1
  std::int32_t next = 0;
  for (std::int32_t& label : labels) {
    if (label < 0) {
      continue;
    }
    const auto k = static_cast<std::size_t>(label);
    number.resize(std::max(number.size(), k + 1), -1);
    number[k] = number[k] < 0 ? next++ : number[k];
    label = number[k];
  }
}

}  // namespace shiftcut::methods
