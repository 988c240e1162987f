#include "run/row_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "constraints/pairs.hpp"
#include "core/message.hpp"

namespace shiftcut {

namespace {

// Which rows are not merged with rows that equal them.
class KeptApart {
 public:
  KeptApart(const LinkOptions& links, const RowGroups& equal, std::size_t n) : is_apart_(n, 0) {
    if (links.empty()) {
      return;
    }
    std::vector<char> is_named(n, 0);
    for (const auto* pairs : {&links.must_link, &links.cannot_link}) {
      for (const ObjectPair& pair : *pairs) {
        is_named[pair.a] = is_named[pair.b] = 1;
      }
    }
    if (!links.one_per_cluster.empty()) {  // groups are of single rows
      for (std::size_t i = 0; i < n; ++i) {
        is_apart_[i] = links.one_per_cluster[i] >= 0 || is_named[i] != 0 ? 1 : 0;
      }
      return;
    }
    find_contradictions(links, equal, is_named);
  }

  [[nodiscard]] bool of(ObjectId row) const { return is_apart_[row] != 0; }

 private:
  // Where must-links and equal rows together would contradict a cannot-link, the rows that links
  // name stay apart: what is left are contradictions of the links alone.
  void find_contradictions(const LinkOptions& links, const RowGroups& equal,
                           const std::vector<char>& is_named) {
    std::vector<ObjectId> parent(is_named.size());
    std::iota(parent.begin(), parent.end(), ObjectId{0});
    const auto find = [&](ObjectId v) {
      while (parent[v] != v) {
        v = parent[v] = parent[parent[v]];
      }
      return v;
    };
    const auto join = [&](ObjectId a, ObjectId b) { parent[find(a)] = find(b); };
    for (std::size_t group = 0; group < equal.size(); ++group) {
      for (const ObjectId row : equal.of(group)) {
        join(row, equal.first(group));
      }
    }
    for (const ObjectPair& pair : links.must_link) {
      if (is_certain(pair)) {
        join(pair.a, pair.b);
      }
    }
    std::vector<char> is_contradicted(parent.size(), 0);
    for (const ObjectPair& pair : links.cannot_link) {
      if (find(pair.a) == find(pair.b)) {
        is_contradicted[find(pair.a)] = 1;
      }
    }
    for (ObjectId row = 0; row < parent.size(); ++row) {
      is_apart_[row] = is_named[row] != 0 && is_contradicted[find(row)] != 0 ? 1 : 0;
    }
  }

  std::vector<char> is_apart_;
};

// Rounds weights to multiples of a power of two of which sums up to that of all are exact: a
// cluster whose nodes have left has weight 0, whatever the order of the sums.
class ExactWeights {
 public:
  explicit ExactWeights(const std::vector<double>& weights) {
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    unit_ = std::ldexp(1.0, std::ilogb(all) + 2 - 52);
  }

  [[nodiscard]] double of(double weight) const {
    return weight > 0 ? std::max(1.0, std::nearbyint(weight / unit_)) * unit_ : 0.0;
  }

 private:
  double unit_ = 1;
};

// Products of rows are computed from the rows themselves again and again, and rows that lie one
// after another are read faster: a search on 200,000 x 10 doubles takes 1.6 times as long
// otherwise.
bool reads_rows_often(const SimilarityOptions& similarity) {
  return similarity.kind == Similarity::cosine ||
         (similarity.kind == Similarity::linear && similarity.distance == Distance::sqeuclidean);
}

}  // namespace

RowNodes::RowNodes(const Input& input, const Options& options, ThreadTeam& team)
    : given_(&input), prefers_given_order_(reads_rows_often(options.similarity)) {
  const auto* dense = std::get_if<DenseArray>(&input.values);
  if (input.shape != Shape::features || options.shift.kind == ShiftKind::matrix ||
      (dense != nullptr && dense->is_fetched())) {
    return;
  }
  equal_ = std::make_shared<const RowGroups>(
      std::visit([&](const auto& values) { return distinct_rows(values, team); }, input.values));
  make_nodes(options.links);
}

RowNodes RowNodes::with(const LinkOptions& links) const {
  RowNodes nodes;
  nodes.given_ = given_;
  nodes.prefers_given_order_ = prefers_given_order_;
  nodes.most_rows_ = most_rows_;
  nodes.equal_ = equal_;
  if (equal_ != nullptr) {
    nodes.make_nodes(links);
  }
  return nodes;
}

RowNodes RowNodes::with_most_rows(std::size_t most, const LinkOptions& links) const {
  RowNodes nodes = with({});
  nodes.most_rows_ = most;
  return nodes.with(links);
}

std::vector<std::uint32_t> RowNodes::row_counts() const {
  std::vector<std::uint32_t> counts(are_rows() ? 0 : size(), 0);
  for (const ObjectId node : node_of_) {
    if (node != kNoNode) {
      ++counts[node];
    }
  }
  return counts;
}

void RowNodes::make_nodes(const LinkOptions& links) {
  const std::size_t n = given_->objects();
  const KeptApart apart(links, *equal_, n);
  const bool has_weights = !given_->weights.empty();
  const ExactWeights exact(has_weights ? given_->weights : std::vector<double>{1.0});
  node_of_.assign(n, kNoNode);
  std::vector<double> weights;
  const auto add = [&](ObjectId row, ObjectId node) {
    node_of_[row] = node;
    if (node == first_.size()) {
      first_.push_back(row);
      weights.push_back(0);
    }
    weights[node] += has_weights ? exact.of(given_->weights[row]) : 1.0;
  };
  for (std::size_t group = 0; group < equal_->size(); ++group) {
    const std::span<const ObjectId> rows = equal_->of(group);
    const auto begin = static_cast<ObjectId>(first_.size());
    std::size_t together = 0;
    for (const ObjectId row : rows) {  // rows together first, so that they have the lowest number
      if (weight(row) > 0 && !apart.of(row)) {
        add(row, begin + static_cast<ObjectId>(together++ / most_rows_));
      }
    }
    for (const ObjectId row : rows) {
      if (weight(row) > 0 && apart.of(row)) {
        add(row, static_cast<ObjectId>(first_.size()));
      }
    }
    for (const ObjectId row : rows) {
      if (!(weight(row) > 0)) {
        node_of_[row] = first_.size() > begin ? begin : kNoNode;
        leave_rows_ = leave_rows_ || node_of_[row] == kNoNode;
      }
    }
  }
  if (std::ranges::all_of(weights, [](double weight) { return weight == 1; })) {
    weights.clear();
    if (prefers_given_order_) {
      take_given_order();
    }
    if (std::ranges::is_sorted(first_) && first_.size() == n) {
      node_of_ = first_ = {};
      return;
    }
  }
  auto own = std::make_unique<Input>();
  std::visit([&](const auto& values) { own->values = rows_of(values, first_); }, given_->values);
  own->shape = Shape::features;
  own->name = given_->name;
  own->weights = std::move(weights);
  own->neighbors = given_->neighbors;
  own->checked = true;
  own_ = std::move(own);
}

void RowNodes::take_given_order() {
  std::ranges::sort(first_);
  for (ObjectId node = 0; node < first_.size(); ++node) {
    node_of_[first_[node]] = node;
  }
}

LinkOptions RowNodes::links(const LinkOptions& of_rows) const {
  if (are_rows() || of_rows.empty()) {
    return of_rows;
  }
  LinkOptions out;
  out.learn = of_rows.learn;
  const auto map = [&](const std::vector<ObjectPair>& pairs, std::vector<ObjectPair>& to) {
    for (const ObjectPair& pair : pairs) {
      if (of(pair.a) != of(pair.b)) {
        to.push_back({of(pair.a), of(pair.b), pair.weight});
      }
    }
  };
  map(of_rows.must_link, out.must_link);
  map(of_rows.cannot_link, out.cannot_link);
  if (!of_rows.one_per_cluster.empty()) {
    out.one_per_cluster.resize(size());
    for (ObjectId node = 0; node < size(); ++node) {
      out.one_per_cluster[node] = of_rows.one_per_cluster[row(node)];
    }
  }
  return out;
}

Options RowNodes::options(const Options& of_rows) const {
  Options out = of_rows;
  out.links = links(of_rows.links);
  if (out.search.clusters) {
    out.search.clusters = std::min(*out.search.clusters, size());
  }
  return out;
}

double RowNodes::evidence_cost(const LinkOptions& of_rows, double unit) const {
  double cost = 0;
  for (const PairEvidence& pair : evidence_of(of_rows, unit)) {
    cost -= of(pair.a) == of(pair.b) ? 2 * pair.value : 0.0;
  }
  return cost;
}

std::vector<ClusterId> RowNodes::node_labels(std::span<const ClusterId> of_rows) const {
  std::vector<ClusterId> out(of_rows.empty() ? 0 : size());
  for (ObjectId node = 0; node < out.size(); ++node) {
    out[node] = of_rows[row(node)];
  }
  return out;
}

std::vector<ClusterId> RowNodes::row_labels(std::span<const ClusterId> of_nodes) const {
  std::vector<ClusterId> out(given_->objects());
  for (ObjectId i = 0; i < out.size(); ++i) {
    out[i] = of(i) == kNoNode ? kNoCluster : of_nodes[of(i)];
  }
  return out;
}

namespace {

// Rows of weight 0 take no part in the clustering, so nothing can be said about them.
void check_links_of_weightless(const std::vector<double>& weights, const LinkOptions& links) {
  const auto check = [&](ObjectId row, const char* parameter) {
    if (row < weights.size() && weights[row] == 0) {
      refuse("not_applicable", parameter,
             std::string("{") + parameter +
                 "}: found row {}, which has the weight 0; allowed: rows of a weight above 0",
             row);
    }
  };
  for (const ObjectPair& pair : links.must_link) {
    check(pair.a, "must_link");
    check(pair.b, "must_link");
  }
  for (const ObjectPair& pair : links.cannot_link) {
    check(pair.a, "cannot_link");
    check(pair.b, "cannot_link");
  }
  for (ObjectId row = 0; row < links.one_per_cluster.size(); ++row) {
    if (links.one_per_cluster[row] >= 0) {
      check(row, "cannot_link_by");
    }
  }
}

}  // namespace

void check_weights(const Input& input, const Options& options) {
  const std::vector<double>& weights = input.weights;
  if (weights.empty()) {
    return;
  }
  if (input.shape != Shape::features) {
    refuse("not_applicable", "weight_column",
           "{weight_column}: found with {}, which is no table of features; allowed: only with "
           "features",
           input.name);
  }
  if (options.shift.kind == ShiftKind::matrix) {
    refuse("not_applicable", "weight_column",
           "{weight_column}: found with {shift=matrix}; allowed: any other shift");
  }
  if (weights.size() != input.objects()) {
    refuse("wrong_length", "weight_column", "{weight_column}: found {}; allowed: {}, one per row",
           weights.size(), input.objects());
  }
  double all = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0 && std::isfinite(weights[i]))) {
      refuse("out_of_range", "weight_column",
             "{weight_column}: found {} for row {}; allowed: finite numbers of 0 or more",
             weights[i], i);
    }
    all += weights[i];
  }
  if (!(all >= 1e-100 && all <= 1e100)) {
    refuse("out_of_range", "weight_column",
           "{weight_column}: found weights that add up to {}; allowed: a sum above 0, from 1e-100 "
           "to 1e100",
           all);
  }
  check_links_of_weightless(weights, options.links);
}

namespace {

// Clusters in use by decreasing weight; of the same weight by the smallest rows they hold.
std::vector<ClusterId> clusters_in_order(const RowNodes& nodes,
                                         std::span<const ClusterId> of_nodes) {
  const std::size_t slots = *std::ranges::max_element(of_nodes) + std::size_t{1};
  const std::vector<double>& weights = nodes.input().weights;
  std::vector<double> weight_of(slots, 0.0);
  for (ObjectId node = 0; node < of_nodes.size(); ++node) {
    weight_of[of_nodes[node]] += weights.empty() ? 1.0 : weights[node];
  }
  std::vector<ClusterId> order(slots);
  std::iota(order.begin(), order.end(), ClusterId{0});
  std::erase_if(order, [&](ClusterId k) { return weight_of[k] == 0; });
  std::ranges::stable_sort(order, std::greater<>(), [&](ClusterId k) { return weight_of[k]; });
  std::vector<char> is_tied(slots, 0);
  for (std::size_t p = 1; p < order.size(); ++p) {
    if (weight_of[order[p]] == weight_of[order[p - 1]]) {
      is_tied[order[p]] = is_tied[order[p - 1]] = 1;
    }
  }
  const auto compare = [&](ObjectId a, ObjectId b) {
    return std::visit([&](const auto& rows) { return compare_rows(rows, a, b); },
                      nodes.input().values);
  };
  std::vector<ObjectId> smallest(slots, kNoNode);
  for (ObjectId node = 0; node < of_nodes.size(); ++node) {
    ObjectId& first = smallest[of_nodes[node]];
    if (is_tied[of_nodes[node]] != 0 && (first == kNoNode || compare(node, first) < 0)) {
      first = node;
    }
  }
  std::ranges::stable_sort(order, [&](ClusterId a, ClusterId b) {
    return weight_of[a] != weight_of[b] ? weight_of[a] > weight_of[b]
                                        : a != b && compare(smallest[a], smallest[b]) < 0;
  });
  return order;
}

}  // namespace

Partition partition_of_rows(const RowNodes& nodes, std::span<const ClusterId> of_nodes) {
  if (nodes.input().shape != Shape::features) {
    return by_decreasing_size(of_nodes);
  }
  const std::vector<ClusterId> order = clusters_in_order(nodes, of_nodes);
  std::vector<std::int32_t> rank(*std::ranges::max_element(order) + std::size_t{1}, -1);
  for (std::size_t k = 0; k < order.size(); ++k) {
    rank[order[k]] = static_cast<std::int32_t>(k);
  }
  Partition partition;
  partition.sizes.assign(order.size(), 0);
  for (const ClusterId label : nodes.row_labels(of_nodes)) {
    partition.labels.push_back(label == kNoCluster ? -1 : rank[label]);
    if (label != kNoCluster) {
      ++partition.sizes[static_cast<std::size_t>(partition.labels.back())];
    }
  }
  return partition;
}

}  // namespace shiftcut
