#include "neighbors/trees/spanning_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "neighbors/neighbor_lists.hpp"
#include "neighbors/trees/shortest_links.hpp"
#include "neighbors/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

/// Sets of nodes that are connected so far.
class Components {
 public:
  explicit Components(std::size_t nodes) : parent_(nodes), size_(nodes, 1), count_(nodes) {
    std::iota(parent_.begin(), parent_.end(), ObjectId{0});
  }

  ObjectId find(ObjectId v) {
    while (parent_[v] != v) {
      parent_[v] = parent_[parent_[v]];
      v = parent_[v];
    }
    return v;
  }

  bool join(ObjectId a, ObjectId b) {
    a = find(a);
    b = find(b);
    if (a == b) {
      return false;
    }
    if (size_[a] < size_[b]) {
      std::swap(a, b);
    }
    parent_[b] = a;
    size_[a] += size_[b];
    --count_;
    return true;
  }

  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::vector<ObjectId> parent_;
  std::vector<std::uint32_t> size_;
  std::size_t count_;
};

bool is_shorter(const TreeEdge& x, const TreeEdge& y) {
  if (x.length != y.length) {
    return x.length < y.length;
  }
  return x.a != y.a ? x.a < y.a : x.b < y.b;
}

// Parts side by side, which are then merged pair by pair.
void sort_by_length(std::span<TreeEdge> edges, ThreadTeam& team) {
  const auto at = [&](std::size_t part) {
    return edges.begin() +
           static_cast<std::ptrdiff_t>(std::min(part, kSortedParts) * edges.size() / kSortedParts);
  };
  team.for_each(kSortedParts,
                [&](std::size_t part, int) { std::sort(at(part), at(part + 1), is_shorter); });
  for (std::size_t width = 1; width < kSortedParts; width *= 2) {
    team.for_each((kSortedParts + 2 * width - 1) / (2 * width), [&](std::size_t pair, int) {
      const std::size_t part = 2 * width * pair;
      std::inplace_merge(at(part), at(part + width), at(part + 2 * width), is_shorter);
    });
  }
}

class TreeBuilder {
 public:
  TreeBuilder(const NeighborDistances& distances, std::size_t reach,
              std::span<const ClusterId> node_of, std::size_t nodes, ThreadTeam& team)
      : distances_(distances),
        table_(*distances.table),
        node_of_(node_of),
        team_(team),
        components_(nodes) {
    set_core_distances(reach);
  }

  std::vector<TreeEdge> build() {
    join_neighbors();
    if (components_.count() > 1) {
      distances_.rows || distances_.between ? join_nearest() : join_arbitrarily();
    }
    std::sort(tree_.begin(), tree_.end(),
              [](const TreeEdge& x, const TreeEdge& y) { return is_shorter(y, x); });
    return std::move(tree_);
  }

 private:
  [[nodiscard]] ObjectId node(ObjectId i) const { return node_of_.empty() ? i : node_of_[i]; }

  void set_core_distances(std::size_t reach) {
    core_.assign(table_.objects, 0.0);
    for (std::size_t i = 0; reach > 1 && i < table_.objects; ++i) {
      for (std::size_t place = std::min(reach, table_.places); place > 0; --place) {
        const std::size_t at = i * table_.places + place - 1;
        if (table_.ids[at] != kNobody) {
          core_[i] = std::sqrt(distances_.squared[at]);
          break;
        }
      }
    }
  }

  // The small part of d orders edges that the core distances make equally long.
  [[nodiscard]] double length(ObjectId i, ObjectId j, double squared) const {
    const double d = std::sqrt(std::max(squared, 0.0));
    return std::max({d, core_[i], core_[j]}) + 1e-7 * d;
  }

  // Whether i has j as a neighbour, at this distance.
  [[nodiscard]] bool lists(ObjectId i, ObjectId j, double squared) const {
    const std::size_t begin = i * table_.places;
    const auto own = std::span(table_.ids).subspan(begin, table_.places);
    const auto entry = std::ranges::find(own, j);
    return entry != own.end() &&
           distances_.squared[begin + static_cast<std::size_t>(entry - own.begin())] == squared;
  }

  // Kruskal's algorithm over the edges of the neighbour graph, the shortest ones first: of the
  // others, few still join two components, and only these are sorted (Osipov, Sanders, Singler
  // 2009).
  void join_neighbors() {
    std::vector<TreeEdge> edges = edges_between_nodes();
    auto begin = edges.begin();
    while (begin != edges.end() && components_.count() > 1) {
      const auto left = static_cast<std::size_t>(edges.end() - begin);
      const auto middle = begin + static_cast<std::ptrdiff_t>(
                                      std::min(left, std::max(components_.count(), left / 4)));
      team_.poll();
      if (middle != edges.end()) {
        std::nth_element(begin, middle, edges.end(), is_shorter);
      }
      sort_by_length(std::span(begin, middle), team_);
      for (; begin != middle; ++begin) {
        if (components_.join(begin->a, begin->b)) {
          tree_.push_back(*begin);
        }
      }
      edges.erase(std::remove_if(begin, edges.end(),
                                 [&](const TreeEdge& edge) {
                                   return components_.find(edge.a) == components_.find(edge.b);
                                 }),
                  edges.end());
    }
  }

  std::vector<TreeEdge> edges_between_nodes() {
    const std::size_t n = table_.objects;
    std::vector<std::vector<TreeEdge>> parts((n + kRowsPerTask - 1) / kRowsPerTask);
    for_each_row_chunk(n, kRowsPerTask, team_, [&](std::size_t first, std::size_t last, int) {
      std::vector<TreeEdge>& part = parts[first / kRowsPerTask];
      for (auto i = static_cast<ObjectId>(first); i < last; ++i) {
        for (std::size_t at = i * table_.places; at < (i + 1) * table_.places; ++at) {
          const ObjectId j = table_.ids[at];
          if (j != kNobody && node(i) != node(j) &&
              !(j < i && lists(j, i, distances_.squared[at]))) {
            part.push_back({std::min(node(i), node(j)), std::max(node(i), node(j)),
                            length(i, j, distances_.squared[at])});
          }
        }
      }
    });
    std::vector<TreeEdge> edges;
    std::size_t count = 0;
    for (const std::vector<TreeEdge>& part : parts) {
      count += part.size();
    }
    edges.reserve(count);
    for (std::vector<TreeEdge>& part : parts) {
      edges.insert(edges.end(), part.begin(), part.end());
      std::vector<TreeEdge>().swap(part);
    }
    return edges;
  }

  // Boruvka's step, from a sample of each component but the largest: nearest objects outside it.
  void join_nearest() {
    while (components_.count() > 1) {
      const std::vector<std::vector<ObjectId>> members = members_by_component();
      const std::size_t others = members.size() - 1;
      const std::size_t sampled =
          std::clamp<std::size_t>(kMostJoinPairs / (others * table_.objects), 1, kMostJoinMembers);
      const std::size_t stride =
          1 + others * std::min(sampled, table_.objects) * table_.objects / kMostJoinPairs;
      const std::vector<TreeEdge> nearest = distances_.rows
                                                ? edges_by_rows(members, sampled, stride)
                                                : edges_by_pairs(members, sampled, stride);
      for (const TreeEdge& edge : nearest) {
        if (components_.join(edge.a, edge.b)) {
          tree_.push_back(edge);
        }
      }
    }
  }

  // The largest first; of equals the one with the lowest object.
  std::vector<std::vector<ObjectId>> members_by_component() {
    std::vector<std::vector<ObjectId>> members;
    std::vector<std::size_t> place(table_.objects, std::numeric_limits<std::size_t>::max());
    for (ObjectId i = 0; i < table_.objects; ++i) {
      std::size_t& at = place[components_.find(node(i))];
      if (at == std::numeric_limits<std::size_t>::max()) {
        at = members.size();
        members.emplace_back();
      }
      members[at].push_back(i);
    }
    const auto largest =
        std::max_element(members.begin(), members.end(),
                         [](const auto& x, const auto& y) { return x.size() < y.size(); });
    std::iter_swap(members.begin(), largest);
    return members;
  }

  static std::vector<ObjectId> sample_of(const std::vector<ObjectId>& members, std::size_t most) {
    const std::size_t count = std::min(most, members.size());
    std::vector<ObjectId> sample(count);
    for (std::size_t s = 0; s < count; ++s) {
      sample[s] = members[s * members.size() / count];
    }
    return sample;
  }

  std::vector<TreeEdge> edges_by_rows(const std::vector<std::vector<ObjectId>>& members,
                                      std::size_t sampled, std::size_t stride) {
    std::vector<ObjectId> component(table_.objects);
    for (ObjectId i = 0; i < table_.objects; ++i) {
      component[i] = components_.find(node(i));
    }
    std::vector<LinkQueries> queries;
    for (std::size_t c = 1; c < members.size(); ++c) {
      queries.push_back({component[members[c].front()], sample_of(members[c], sampled)});
    }
    std::vector<TreeEdge> edges;
    const std::vector<std::optional<Link>> links =
        shortest_links(*distances_.rows, core_, component, queries, stride, team_);
    for (std::size_t c = 0; c < links.size(); ++c) {
      const std::optional<Link>& link = links[c];
      edges.push_back(link ? TreeEdge{node(link->from), node(link->to), link->length}
                           : any_edge_out_of(queries[c].component));
    }
    return edges;
  }

  std::vector<TreeEdge> edges_by_pairs(const std::vector<std::vector<ObjectId>>& members,
                                       std::size_t sampled, std::size_t stride) {
    std::vector<TreeEdge> edges;
    for (std::size_t c = 1; c < members.size(); ++c) {
      edges.push_back(nearest_outside(sample_of(members[c], sampled), stride));
    }
    return edges;
  }

  TreeEdge nearest_outside(const std::vector<ObjectId>& sample, std::size_t stride) {
    const ObjectId own = components_.find(node(sample.front()));
    TreeEdge best{0, 0, std::numeric_limits<double>::infinity()};
    for (std::size_t s = 0; s < sample.size(); ++s) {
      const ObjectId i = sample[s];
      team_.poll();
      for (auto j = static_cast<ObjectId>(s % stride); j < table_.objects;
           j += static_cast<ObjectId>(stride)) {
        if (components_.find(node(j)) != own) {
          const double now = length(i, j, distances_.between(i, j));
          if (now < best.length || best.a == best.b) {
            best = {node(i), node(j), now};
          }
        }
      }
    }
    return best.a != best.b ? best : any_edge_out_of(own);
  }

  TreeEdge any_edge_out_of(ObjectId own) {
    for (ObjectId j = 0; j < table_.objects; ++j) {
      if (components_.find(node(j)) != own) {
        return {own, node(j), std::numeric_limits<double>::infinity()};
      }
    }
    return {own, own, 0};
  }

  void join_arbitrarily() {
    for (ObjectId i = 1; i < table_.objects; ++i) {
      if (components_.join(node(0), node(i))) {
        tree_.push_back({node(0), node(i), std::numeric_limits<double>::infinity()});
      }
    }
  }

  const NeighborDistances& distances_;
  const NeighborTable& table_;
  std::span<const ClusterId> node_of_;
  ThreadTeam& team_;
  Components components_;
  std::vector<double> core_;
  std::vector<TreeEdge> tree_;
};

}  // namespace

std::vector<TreeEdge> spanning_tree(const NeighborDistances& distances, std::size_t reach,
                                    std::span<const ClusterId> node_of, std::size_t nodes,
                                    ThreadTeam& team) {
  return TreeBuilder(distances, reach, node_of, nodes, team).build();
}

}  // namespace shiftcut
