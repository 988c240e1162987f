#include "run/predict/strength.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/kernels/elementary.hpp"
#include "core/kernels/kernels.hpp"
#include "neighbors/metrics/metric_search.hpp"
#include "run/predict/strength_tuning.hpp"
#include "shiftcut/words.hpp"
#include "similarity/feature_rows.hpp"
#include "similarity/row_groups.hpp"

namespace shiftcut {

namespace {

using namespace strength_tuning;

const Calibration& calibration_of(const Model& model) {
  if (model.result.similarity == "neighbors") {
    if (!model.result.agreement) {
      return kNeighbors;
    }
    return model.result.clusters_asked ? kVotedNeighbors : kVotedNeighborsFree;
  }
  const bool is_of_products = model.shape == Shape::features && model.result.similarity != "rbf" &&
                              model.result.distance != "euclidean";
  return is_of_products ? kProducts : model.is_sparse ? kGraph : kPairs;
}

// A margin without a unit.
double comparable(const Standing& standing, const MarginScale& scale) {
  const double unit = scale.unit > 0 ? scale.unit : standing.norm;
  return unit > 0 ? std::clamp(standing.margin / unit, -kLargestMargin, kLargestMargin) : 0.0;
}

// How far an object is: where distances are not known, how little its affinity is compared with
// that of the cluster's members, as a logarithm.
double far_of(const Standing& standing, const MarginScale& scale) {
  if (!std::isnan(standing.far)) {
    return standing.far;
  }
  const double usual = scale.own[static_cast<std::size_t>(standing.cluster)];
  return usual > 0 ? -portable_log(std::clamp(standing.own / usual, kSmallestRatio, 1.0)) : 0.0;
}

// The value that a share of the sorted values is below.
double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

void set_fence(std::vector<double> far, bool are_affinities, MarginScale& scale) {
  std::ranges::sort(far);
  const double spread = quantile(far, 0.75) - quantile(far, 0.25);
  scale.middle = quantile(far, 0.5);
  scale.fence = quantile(far, 0.75) + 3 * std::max(spread, kLeastSpread);
  if (are_affinities) {
    scale.fence = std::max(std::min(scale.fence, kLeastAffinity), scale.middle + 1e-9);
  }
}

double distance(const FeatureRows& rows, std::size_t i, std::size_t j, std::vector<double>& room) {
  const std::size_t d = rows.length();
  room.resize(2 * d);
  rows.row(i, room.data());
  rows.row(j, &room[d]);
  return std::sqrt(squared_distance(room.data(), &room[d], d));
}

// sqrt(2 - 2 cos)
double distance(const SparseMatrix& rows, std::size_t i, std::size_t j) {
  double product = 0;
  double own = 0;
  double other = 0;
  auto a = static_cast<std::size_t>(rows.offsets[i]);
  const auto a_end = static_cast<std::size_t>(rows.offsets[i + 1]);
  const auto begin = static_cast<std::size_t>(rows.offsets[j]);
  const auto end = static_cast<std::size_t>(rows.offsets[j + 1]);
  for (std::size_t e = begin; e < end; ++e) {
    other += rows.values[e] * rows.values[e];
  }
  for (std::size_t e = begin; a < a_end; ++a) {
    own += rows.values[a] * rows.values[a];
    while (e < end && rows.columns[e] < rows.columns[a]) {
      ++e;
    }
    if (e < end && rows.columns[e] == rows.columns[a]) {
      product += rows.values[a] * rows.values[e];
    }
  }
  const double lengths = std::sqrt(own * other);
  return std::sqrt(std::max(0.0, 2 - 2 * (lengths > 0 ? product / lengths : 0.0)));
}

}  // namespace

Standing standing_of(const SeenRow& row, std::int32_t label) {
  Standing out;
  out.cluster = label;
  out.norm = row.norm;
  out.far = row.far;
  for (const ClusterTie& tie : row.ties) {
    if (tie.cluster == label) {
      out.own = tie.affinity - row.self;
      continue;
    }
    if (out.others.size() < kOthers || tie.affinity > out.others.back().affinity) {
      const auto place = std::ranges::find_if(
          out.others, [&](const ClusterTie& other) { return tie.affinity > other.affinity; });
      out.others.insert(place, tie);
      out.others.resize(std::min(out.others.size(), kOthers));
    }
  }
  double next = out.others.empty() ? out.own : out.others.front().affinity;
  if (row.norm > 0) {
    // Clusters without an edge may be left out: as if one of them had no affinity at all.
    const double floor = std::min(0.0, out.own);
    next = out.others.empty() ? floor : std::max(next, floor);
  }
  out.margin = out.own - next;
  return out;
}

MarginScale Judge::scale_of(const Model& model, std::span<const Standing> nodes,
                            const Members& members) {
  const std::size_t clusters = model.result.sizes.size();
  MarginScale scale;
  scale.own.assign(clusters, 0.0);
  std::vector<std::vector<double>> votes(clusters);
  double sum = 0;
  bool have_norms = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto k = static_cast<std::size_t>(nodes[i].cluster);
    scale.own[k] += members.weight(i) * nodes[i].own / members.sizes[k];
    sum += members.weight(i) * std::abs(nodes[i].own);
    have_norms = have_norms || nodes[i].norm > 0;
  }
  scale.unit = have_norms ? 0 : sum / members.all;
  std::vector<double> far;
  scale.mean_margin = 0;
  std::vector<std::pair<std::pair<std::int32_t, std::int32_t>, double>> next;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    scale.mean_margin += members.weight(i) * comparable(nodes[i], scale) / members.all;
    far.push_back(far_of(nodes[i], scale));
    if (!nodes[i].others.empty()) {
      next.push_back({{nodes[i].cluster, nodes[i].others.front().cluster}, members.weight(i)});
    }
  }
  set_fence(std::move(far), std::isnan(nodes.front().far), scale);
  // The next best of most members; of clusters that nobody is near to, the largest other.
  scale.rivals.assign(clusters, 0);
  if (clusters > 1) {
    scale.rivals[0] = 1;
  }
  std::ranges::stable_sort(next, {}, [](const auto& pair) { return pair.first; });
  std::vector<double> most(clusters, 0.0);
  for (std::size_t begin = 0; begin < next.size();) {
    double weight = 0;
    std::size_t end = begin;
    for (; end < next.size() && next[end].first == next[begin].first; ++end) {
      weight += next[end].second;
    }
    const auto k = static_cast<std::size_t>(next[begin].first.first);
    if (weight > most[k]) {
      most[k] = weight;
      scale.rivals[k] = next[begin].first.second;
    }
    begin = end;
  }
  return scale;
}

Judge::Judge(const Model& model) : model_(model) {
  const Calibration& by = calibration_of(model);
  const double mean = std::clamp(model.scale.mean_margin, 0.0, by.largest_mean);
  const auto clusters = static_cast<double>(model.result.sizes.size());
  const double agreement = model.result.agreement ? model.result.agreement->score : 0.0;
  logit_of_run_ = by.constant + by.mean * mean + by.log_clusters * portable_log(clusters) +
                  by.agreement * agreement;
  slope_ = std::max(by.margin + by.product * mean, kLeastSlope);
}

Judge::Verdict Judge::of(const Standing& standing) const {
  const MarginScale& scale = model_.scale;
  const double margin = comparable(standing, scale);
  Verdict out;
  double own = 1;
  std::vector<ClusterTie> others = standing.others;
  const bool is_alone = model_.result.sizes.size() < 2;
  if (!is_alone && others.empty()) {
    others.push_back({scale.rivals[static_cast<std::size_t>(standing.cluster)], 0});
  }
  if (!is_alone) {
    const double logit = std::clamp(logit_of_run_ + slope_ * margin, -kLargestLogit, kLargestLogit);
    own = 1 / (1 + portable_exp(-logit));
    // The others share the rest, each the less the further it is behind.
    const double unit = scale.unit > 0 ? scale.unit : standing.norm;
    std::vector<double> shares;
    double sum = 0;
    for (const ClusterTie& other : others) {
      const double behind = unit > 0 ? (others.front().affinity - other.affinity) / unit : 0.0;
      shares.push_back(portable_exp(-slope_ * std::min(behind, kLargestMargin)));
      sum += shares.back();
    }
    if (margin >= 0) {  // the cluster of the least cost is the likeliest
      own = std::max(own, 1 / (1 + sum));
    }
    for (std::size_t j = 0; j < others.size(); ++j) {
      const double share = (1 - own) * shares[j] / sum;
      out.probabilities.emplace_back(others[j].cluster, margin >= 0 ? std::min(share, own) : share);
    }
  }
  out.probabilities.insert(out.probabilities.begin(), {standing.cluster, own});
  const double far =
      std::max(0.0, far_of(standing, scale) - scale.middle) / (scale.fence - scale.middle);
  out.outlier = std::isfinite(far) ? far / (1 + far) : 1.0;
  out.strength = far > 1 ? own / (far * far) : own;
  return out;
}

void append(Strengths& to, const Judge::Verdict& verdict) {
  to.strength.push_back(verdict.strength);
  to.outlier.push_back(verdict.outlier);
  for (const auto& [cluster, probability] : verdict.probabilities) {
    to.clusters.push_back(cluster);
    to.probabilities.push_back(probability);
  }
  to.offsets.push_back(to.clusters.size());
}

std::vector<double> reach_of(const Model& model, const Rows& nodes, ThreadTeam& team,
                             const Control& control) {
  if (model.neighbors == nullptr) {
    return {};
  }
  const NeighborTable& table = *model.neighbors;
  const auto metric = from_word<Metric>(model.result.metric).value_or(Metric::euclidean);
  const auto* dense = std::get_if<DenseArray>(&nodes);
  std::optional<FeatureRows> rows;
  if (model.shape == Shape::features && dense == nullptr && metric != Metric::cosine) {
    return {};
  }
  if (model.shape == Shape::similarity) {
    return {};
  }
  if (model.shape == Shape::features && dense != nullptr) {
    Scaling scaling;
    scaling.offset = model.result.scaling.offset;
    scaling.factor = model.result.scaling.factor;
    rows.emplace(FeatureRows::for_metric(metric, *dense, scaling, team));
  }
  std::vector<double> reach(table.objects, 0.0);
  if (rows && compares_all_pairs(metric)) {
    const std::size_t k = std::min(table.places + 1, table.objects);  // each row is its own nearest
    const NeighborLists lists = nearest_by_metric(*rows, *rows, metric, k, team, control);
    for (std::size_t i = 0; i < reach.size(); ++i) {
      reach[i] = std::sqrt(lists.squared[i * lists.k + lists.k - 1]);
    }
    return reach;
  }
  for_each_row(
      table.objects, team, [] { return std::vector<double>(); },
      [&](std::size_t i, std::vector<double>& room) {
        std::size_t count = table.places;
        while (count > 0 && table.ids[i * table.places + count - 1] == kNobody) {
          --count;
        }
        if (count == 0) {
          return;
        }
        const std::size_t last = table.ids[i * table.places + count - 1];
        reach[i] = rows               ? distance(*rows, i, last, room)
                   : dense != nullptr ? dense->at(i, last)
                                      : distance(std::get<SparseMatrix>(nodes), i, last);
      });
  return reach;
}

void judge_training(Model& model, const Rows& rows, const Rows& nodes, ThreadTeam& team,
                    const Control& control) {
  const Members members(model);
  std::vector<Standing> standings(members.size());
  const std::unique_ptr<Affinity> affinity = affinity_of(model, team);
  affinity->each_node(nodes, team, control, [&](std::size_t i, const SeenRow& row) {
    standings[i] = standing_of(row, members.labels[i]);
  });
  model.scale = Judge::scale_of(model, standings, members);
  const Judge judge(model);
  std::vector<Judge::Verdict> verdicts(standings.size());
  team.for_each(standings.size(),
                [&](std::size_t i, int) { verdicts[i] = judge.of(standings[i]); });
  if (model.node_of.empty()) {
    for (const Judge::Verdict& verdict : verdicts) {
      append(model.strengths, verdict);
    }
    return;
  }
  // Rows of weight 0 are new to the model.
  std::vector<ObjectId> left;
  for (ObjectId row = 0; row < model.node_of.size(); ++row) {
    if (model.node_of[row] == kNobody) {
      left.push_back(row);
    }
  }
  std::vector<Judge::Verdict> of_left(left.size());
  if (!left.empty()) {
    const Rows others =
        std::visit([&](const auto& values) -> Rows { return rows_of(values, left); }, rows);
    affinity->each(others, team, control, [&](std::size_t i, const SeenRow& row) {
      SeenRow as_new = row;
      as_new.self = 0;
      const std::int32_t label = model.result.labels[left[i]];  // below 0: not known yet
      of_left[i] = judge.of(standing_of(
          as_new, label >= 0
                      ? label
                      : std::ranges::max_element(row.ties, {}, &ClusterTie::affinity)->cluster));
    });
  }
  std::size_t next = 0;
  for (const std::uint32_t node : model.node_of) {
    append(model.strengths, node == kNobody ? of_left[next++] : verdicts[node]);
  }
}

}  // namespace shiftcut
