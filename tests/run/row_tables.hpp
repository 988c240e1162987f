// Tables whose rows repeat or have weights, as inputs in each form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "shiftcut/data.hpp"

namespace shiftcut::run_testing {

using Table = std::vector<std::vector<double>>;

enum class Form { doubles, floats, sparse };

inline Input input_of(const Table& rows, Form form = Form::doubles,
                      std::vector<double> weights = {}) {
  Input input;
  const std::size_t d = rows.front().size();
  std::vector<double> values;
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    values.insert(values.end(), rows[i].begin(), rows[i].end());
    for (std::uint32_t j = 0; j < d; ++j) {
      if (rows[i][j] != 0) {
        entries.push_back({i, j, rows[i][j]});
      }
    }
  }
  if (form == Form::sparse) {
    input.values = sparse_from_entries(std::move(entries), rows.size(), d);
  } else if (form == Form::floats) {
    input.values =
        DenseArray::own(std::vector<float>(values.begin(), values.end()), rows.size(), d);
  } else {
    input.values = DenseArray::own(std::move(values), rows.size(), d);
  }
  input.weights = std::move(weights);
  return input;
}

// Without ties among distances.
inline Table distinct_rows_without_ties(std::size_t n) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  Table rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.push_back({normal(random) + (i % 2 == 0 ? 4 : 0), normal(random), normal(random)});
  }
  return rows;
}

struct Repeated {
  Table rows;
  std::vector<std::size_t> from;  // the row each is a copy of
};

inline Repeated repeated(const Table& rows, const std::vector<double>& times) {
  Repeated out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (int copy = 0; copy < static_cast<int>(times[i]); ++copy) {
      out.rows.push_back(rows[i]);
      out.from.push_back(i);
    }
  }
  return out;
}

inline std::vector<double> whole_weights(std::size_t n, int most, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> weights;
  for (std::size_t i = 0; i < n; ++i) {
    weights.push_back(1 + static_cast<double>(random() % static_cast<unsigned>(most)));
  }
  return weights;
}

}  // namespace shiftcut::run_testing
