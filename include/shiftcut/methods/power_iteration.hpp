// Power iteration clustering (Lin, Cohen 2010): a few steps of v <- P v / |P v|_1 with
// P = D^-1 W, D the degrees. In the limit v is constant; long before that it is nearly constant
// inside clusters, so K-means on the entries of v finds them. A step costs a product with W.
#pragma once

#include <cstdint>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

enum class PowerStart {
  degree,  // degrees over their sum; further columns are random
  random,  // uniform in (0, 1], over their sum
};

struct PowerIterationOptions {
  PowerStart start = PowerStart::degree;
  std::size_t columns = 1;  // vectors, each with its own start; more separate more clusters
  double tolerance = 1e-5;  // stop when the velocity |v_t - v_t-1| changes by at most this over n
  int max_steps = 1000;     // of each column
  std::uint64_t seed = 0;
  int threads = 1;  // 0: one per core
};

struct PowerEmbedding {
  std::vector<double> values;  // n x columns, row by row
  std::size_t columns = 0;
  std::vector<int> steps;  // of each column
  bool converged = false;  // all of them, before max_steps
};

/// The diagonal is used as given. Throws std::invalid_argument for a negative similarity and for an
/// object of degree 0, which no step reaches. On a graph whose degrees are all equal the degree
/// start never changes: use random starts.
PowerEmbedding power_iteration(const Similarities& similarities,
                               const PowerIterationOptions& options, const Control& control = {});

/// The same from given starts (columns x n, one after another), none of them all zero; `start`,
/// `columns` and `seed` of the options have no effect.
PowerEmbedding power_iteration_from(const Similarities& similarities, std::vector<double> starts,
                                    const PowerIterationOptions& options,
                                    const Control& control = {});

}  // namespace shiftcut::methods
