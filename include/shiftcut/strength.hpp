// How firmly each object belongs to its cluster, and how far it is from all others.
//
// What moving an object to another cluster costs, its margin, is made comparable by the size of its
// similarities. A logistic function of that, of the mean margin of all objects, of the number of
// clusters and of the agreement of voters gives a probability, calibrated on planted clusters: of
// objects with .9, nine in ten are in the right cluster (docs/strength.md has the table).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shiftcut {

/// Objects with a higher outlier score are outliers: farther from others than Tukey's outer fence
/// (third quartile + 3 interquartile ranges) of the training objects.
inline constexpr double kOutlierLevel = 0.5;

struct Strengths {
  std::vector<double> strength;  // of each object: probability of its cluster, less for outliers
  std::vector<double> outlier;   // of each object, from 0; above kOutlierLevel it is an outlier
  /// The few likeliest clusters of object i, its own first: clusters[j] with probabilities[j] for j
  /// from offsets[i] to offsets[i + 1]. The probabilities of an object add up to 1.
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::int32_t> clusters;
  std::vector<double> probabilities;
};

/// What margins and distances are like in the training data, for new objects.
struct MarginScale {
  double mean_margin = 0;
  double unit = 0;                   // of margins, where objects have no own
  double middle = 0;                 // of distances: the median
  double fence = 0;                  // of distances: beyond it are outliers
  std::vector<double> own;           // of each cluster: the mean affinity of its members to it
  std::vector<std::int32_t> rivals;  // of each cluster: the next best of most members
};

}  // namespace shiftcut
