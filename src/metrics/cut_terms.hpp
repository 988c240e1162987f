// The contribution of one cluster to each of the classical cut costs (cut_costs.hpp). A cost is two
// functions that must agree: the term itself, and its change when the sums change. The change is
// not computed as the difference of two terms, which would lose most digits for a large cluster.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/kernels/elementary.hpp"

namespace shiftcut {

/// |k|, W_kk and vol(k) of one cluster, or a change of them; cut(k) = vol(k) - W_kk.
struct ClusterSums {
  double size = 0;
  double within = 0;
  double volume = 0;

  ClusterSums& operator+=(const ClusterSums& by) {
    size += by.size;
    within += by.within;
    volume += by.volume;
    return *this;
  }
};

/// (above + by_above) / (below + by_below) - above / below
inline double ratio_change(double above, double below, double by_above, double by_below) {
  return (by_above - above / below * by_below) / (below + by_below);
}

struct MinCutTerm {
  static double of(const ClusterSums& k) { return k.volume - k.within; }
  static double change(const ClusterSums& /*k*/, const ClusterSums& by) { return of(by); }
};

struct RatioAssociationTerm {
  static double of(const ClusterSums& k) { return -k.within / k.size; }
  static double change(const ClusterSums& k, const ClusterSums& by) {
    return -ratio_change(k.within, k.size, by.within, by.size);
  }
};

struct RatioCutTerm {
  static double of(const ClusterSums& k) { return (k.volume - k.within) / k.size; }
  static double change(const ClusterSums& k, const ClusterSums& by) {
    return ratio_change(k.volume - k.within, k.size, by.volume - by.within, by.size);
  }
};

struct NormalizedCutTerm {
  static double of(const ClusterSums& k) { return (k.volume - k.within) / k.volume; }
  static double change(const ClusterSums& k, const ClusterSums& by) {
    return ratio_change(k.volume - k.within, k.volume, by.volume - by.within, by.volume);
  }
};

/// The factor of the cut between two clusters in the adaptive ratio cut,
/// (|k|^(-1/(p-1)) + |l|^(-1/(p-1)))^(p-1). By logarithms: with p near 1 the powers themselves
/// overflow. With a = -log|k|/(p-1) the larger and b the smaller, (e^a + e^b)^(p-1) =
/// exp((p-1) (a + log(1 + e^(b-a)))).
inline double adaptive_weight(double size_k, double size_l, double p) {
  const double a = -portable_log(std::min(size_k, size_l)) / (p - 1);
  const double b = -portable_log(std::max(size_k, size_l)) / (p - 1);
  return portable_exp((p - 1) * (a + portable_log1p(portable_exp(b - a))));
}

}  // namespace shiftcut
