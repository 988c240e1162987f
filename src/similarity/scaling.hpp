// Scaling of feature columns, stored as y_j = (x_j - offset_j) * factor_j and applied when a row is
// read: the data itself is neither copied nor changed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

struct Scaling {
  std::vector<double> offset;
  std::vector<double> factor;
  std::vector<double> mean;       // of the unscaled columns
  std::vector<double> deviation;  // of the unscaled columns
  double root_mean_square = 0;    // length of a scaled and centred row
  std::size_t constant_columns = 0;
};

/// What a stretch of rows says about its columns.
struct Moments {
  double count = 0;  // of the rows, or the sum of their weights
  std::vector<double> mean;
  std::vector<double> squared;   // sum of squared deviations from the mean
  std::vector<double> smallest;  // empty unless asked for
  std::vector<double> largest;

  explicit Moments(std::size_t columns) : mean(columns, 0.0), squared(columns, 0.0) {}

  /// Adds the rows that follow.
  void join(const Moments& other);
};

/// Into how many chunks n rows are cut: chunk c begins at row n * c / chunks. The moments of each
/// are computed alone, then joined in order.
std::size_t moment_chunks(std::size_t rows);

/// Of the rows of one chunk.
Moments moments_of_chunk(const DenseArray& rows, std::span<const double> weights, bool extremes);

/// The scaling that all moments together give, without the checks of scaling_of(). Scale::minmax
/// needs extremes.
Scaling scaling_from(Moments moments, Scale scale);

/// Multiplies the squares of the scaled features by `weights`; empty leaves them as they are.
/// Throws std::invalid_argument unless there is one per column, all are 0 or more and some
/// positive.
void weigh(Scaling& scaling, const std::vector<double>& weights);

/// Standard scaling divides by the population deviation; a constant column becomes 0 under standard
/// and minmax. Scale::automatic is chosen before (choose_scale.hpp), and means none here. A row
/// counts as often as `weights` says, once if that is empty. One pass over the data, the same
/// numbers for any number of threads. Throws std::invalid_argument, naming `name`, where squares
/// would overflow or vanish.
Scaling scaling_of(const DenseArray& data, Scale scale, const std::string& name, ThreadTeam& team,
                   std::span<const double> weights = {});

}  // namespace shiftcut
