// What sets each cluster apart: its most typical objects, how much it holds together, the cluster
// next to it, and the columns that differ most from the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// A column in one cluster and in all other objects.
struct ColumnContrast {
  enum class Measure : std::uint8_t {
    median,  // effect: difference of medians / (1.4826 * median |x - median of its cluster|)
    mean,    // where that is 0: difference of means / standard deviation within clusters
    share,   // of objects where the column is not 0: Cohen's h = 2 asin sqrt(p) - 2 asin sqrt(q)
  };

  std::size_t column = 0;
  std::string name;
  Measure measure = Measure::median;
  double effect = 0;  // .2 is small, .5 medium, .8 large; above 0: more in the cluster; at most 100
  double inside = 0;  // the measure in the cluster
  double outside = 0;          // in all other objects that have a cluster
  std::optional<double> lift;  // of shares: inside / outside, each with half an object more in two
};

struct ClusterDescription {
  std::int32_t cluster = 0;
  std::size_t size = 0;
  /// The most central object first. Together they are near as many members as possible.
  std::vector<std::size_t> exemplars;
  /// How much of its members' similarity to their nearest neighbours (in a graph: to all others) is
  /// to each other, 0 to 1.
  double cohesion = 0;
  /// The cluster that most of the rest of that similarity is to; if there is none, the one with the
  /// nearest exemplar.
  std::optional<std::int32_t> nearest;
  std::vector<ColumnContrast> columns;  // of features, the largest effects first
};

struct DescribeOptions {
  std::size_t exemplars = 3;  // of a cluster, at most
  std::size_t columns = 5;    // of a cluster, at most
  /// How objects are compared: `scale`, `metric`, `neighbors` and `weights`, as in run().
  SimilarityOptions similarity;
  int threads = 0;  // 0: all cores; never changes the result
};

/// Describes the clusters 0 .. largest label of any labelling; objects labelled below 0 belong to
/// none and are left out. Row weights are ignored. Takes as long as a search for the nearest
/// neighbours, and O(n log n) per column. Throws std::invalid_argument unless there is a label for
/// each object.
std::vector<ClusterDescription> describe_clusters(const Input& input,
                                                  std::span<const std::int32_t> labels,
                                                  const DescribeOptions& options = {},
                                                  const Control& control = {});

/// The same of the clusters of a run, whose similarity options are used in place of those in `how`.
/// `neighbors` are those that the run kept: nothing is searched again, unless rows repeat. Null: as
/// above.
std::vector<ClusterDescription> describe_clusters(const Input& input, const Options& options,
                                                  const Result& result,
                                                  const NeighborTable* neighbors,
                                                  const DescribeOptions& how = {},
                                                  const Control& control = {});

/// A table for people. `names` of the clusters; empty: their numbers.
std::string to_text(std::span<const ClusterDescription> clusters, const Input& input,
                    std::span<const std::string> names = {});

/// One JSON object, fields as docs/describe.md lists them; ends in a newline.
std::string to_json(std::span<const ClusterDescription> clusters, const Input& input,
                    std::span<const std::string> names = {});

}  // namespace shiftcut
