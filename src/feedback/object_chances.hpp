// How likely doubtful objects are in each of the clusters near them.
#pragma once

#include <span>
#include <vector>

#include "core/rng.hpp"
#include "core/thread_team.hpp"
#include "feedback/pair_scores.hpp"
#include "feedback/pair_view.hpp"

namespace shiftcut {

/// Affinity of an object to a cluster, in units of the view.
struct Nearness {
  ClusterId cluster = 0;
  double affinity = 0;
};

/// Affinities of objects to clusters: exact on a graph, else estimated from a sample of each
/// cluster's members.
class ClusterAffinities {
 public:
  ClusterAffinities(const PairView& view, std::span<const ClusterId> labels, Rng& rng);

  [[nodiscard]] std::size_t clusters() const { return sizes_.size(); }
  [[nodiscard]] double size(ClusterId k) const { return sizes_[k]; }
  /// The `most` best clusters, best first; other clusters in which it has a conflict are left out.
  [[nodiscard]] std::vector<Nearness> nearest(ObjectId i, std::size_t most) const;

 private:
  [[nodiscard]] std::vector<Nearness> all_of(ObjectId i) const;

  const PairView& view_;
  std::span<const ClusterId> labels_;
  std::vector<double> sizes_;
  std::vector<double> degrees_;                 // of a graph: summed over each cluster
  std::vector<std::vector<ObjectId>> samples_;  // else: of each cluster's members
  std::vector<ClusterId> node_labels_;
};

/// The `most` objects with the smallest margin between their two best clusters, and how likely each
/// of them is in which, by mean field among them, all others staying where they are. Objects that
/// answers have tied to others are not in doubt.
class Doubts {
 public:
  Doubts(const PairView& view, std::span<const ClusterId> labels, std::size_t most, Rng& rng,
         ThreadTeam& team);

  /// The most doubtful first.
  [[nodiscard]] const std::vector<ObjectId>& objects() const { return objects_; }
  /// The clusters that chances() refers to, ascending. One chance more is that of none of them, at
  /// an affinity of 0: answers may have driven an object to where it does not belong.
  [[nodiscard]] const std::vector<ClusterId>& clusters() const { return clusters_; }
  [[nodiscard]] const MeanField& chances() const { return chances_; }
  /// The object of a cluster to compare others with.
  [[nodiscard]] ObjectId exemplar(ClusterId k) const { return exemplars_[k]; }

 private:
  struct Seen {
    ObjectId object = 0;
    double own = 0;     // affinity to its cluster
    double margin = 0;  // that less the affinity to the best other
  };

  void choose_exemplars(const PairView& view, std::span<const ClusterId> labels,
                        const std::vector<Seen>& seen, const std::vector<std::uint32_t>& tied,
                        std::size_t clusters);
  void choose_objects(const PairView& view, std::vector<Seen>& seen,
                      const std::vector<std::uint32_t>& tied, std::size_t most);
  void set_chances(const PairView& view, std::span<const ClusterId> labels,
                   const ClusterAffinities& affinities);
  [[nodiscard]] std::size_t column_of(ClusterId k) const;

  std::vector<ObjectId> objects_;
  std::vector<ClusterId> clusters_;
  std::vector<ObjectId> exemplars_;
  MeanField chances_;
};

}  // namespace shiftcut
