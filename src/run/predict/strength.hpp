// From margins to probabilities, strengths and outlier scores: see include/shiftcut/strength.hpp.
#pragma once

#include <span>
#include <vector>

#include "core/thread_team.hpp"
#include "run/predict/affinity.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/model.hpp"
#include "shiftcut/strength.hpp"

namespace shiftcut {

/// The few numbers about an object that its strength follows from.
struct Standing {
  std::int32_t cluster = 0;
  double margin = 0;  // over the next best cluster, as given; of its own cluster, without itself
  double norm = 0;
  double far = 0;
  double own = 0;                  // affinity
  std::vector<ClusterTie> others;  // the best other clusters, best first
};

/// Of a row in the cluster `label`.
Standing standing_of(const SeenRow& row, std::int32_t label);

/// Collects strengths of objects in any order.
class Judge {
 public:
  explicit Judge(const Model& model);

  /// The scale that training objects set; each counts as often as its weight says.
  static MarginScale scale_of(const Model& model, std::span<const Standing> nodes,
                              const Members& members);

  /// Probabilities of the object's clusters, its own first, and its strength and outlier score.
  struct Verdict {
    double strength = 0;
    double outlier = 0;
    std::vector<std::pair<std::int32_t, double>> probabilities;
  };
  [[nodiscard]] Verdict of(const Standing& standing) const;

 private:
  const Model& model_;
  double logit_of_run_ = 0;
  double slope_ = 1;
};

void append(Strengths& to, const Judge::Verdict& verdict);

/// Sets the model's scale and the strengths of its training objects, `rows` of which `nodes` are
/// the distinct ones.
void judge_training(Model& model, const Rows& rows, const Rows& nodes, ThreadTeam& team,
                    const Control& control);

/// The distance of each training row to the last of its neighbours, where the model's metric gives
/// it for new rows too; else nothing.
std::vector<double> reach_of(const Model& model, const Rows& nodes, ThreadTeam& team,
                             const Control& control);

/// Similarities of new objects to those of the model.
std::unique_ptr<Affinity> affinity_of(const Model& model, ThreadTeam& team);

}  // namespace shiftcut
