#include "constraints/constraints.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "constraints/pairs.hpp"
#include "constraints/tuning.hpp"
#include "core/message.hpp"

namespace shiftcut {

namespace {

using namespace constraints_tuning;

using Name = std::function<std::string(ObjectId)>;

void check_pairs(const std::vector<ObjectPair>& pairs, const std::string& parameter, std::size_t n,
                 const Name& name) {
  const std::string found = "{" + parameter + "}: found ";
  for (const ObjectPair& pair : pairs) {
    if (pair.a >= n || pair.b >= n) {
      refuse("unknown_object", parameter, found + "object {}; allowed: 0 to {}",
             std::max(pair.a, pair.b), n - 1);
    }
    if (pair.a == pair.b) {
      refuse("pair_with_itself", parameter,
             found + "{} with itself; allowed: two different objects", name(pair.a));
    }
    if (!(pair.weight > 0)) {
      refuse("out_of_range", parameter,
             found + "the weight {} for {} and {}; allowed: a number above 0, or none", pair.weight,
             name(pair.a), name(pair.b));
    }
  }
}

// Nodes by union of certain must-links, numbered in the order their first objects come.
std::vector<ObjectId> nodes_of(const std::vector<ObjectPair>& must, std::size_t n,
                               std::size_t& count) {
  std::vector<ObjectId> parent(n);
  std::iota(parent.begin(), parent.end(), ObjectId{0});
  const auto find = [&](ObjectId v) {
    while (parent[v] != v) {
      v = parent[v] = parent[parent[v]];
    }
    return v;
  };
  for (const ObjectPair& pair : must) {
    if (is_certain(pair)) {
      const auto [first, second] = std::minmax({find(pair.a), find(pair.b)});
      parent[second] = first;
    }
  }
  std::vector<ObjectId> node_of(n);
  count = 0;
  for (ObjectId v = 0; v < n; ++v) {
    const ObjectId first = find(v);
    node_of[v] = first == v ? static_cast<ObjectId>(count++) : node_of[first];
  }
  return node_of;
}

// Paths along certain must-links.
class MustLinkPaths {
 public:
  MustLinkPaths(const std::vector<ObjectPair>& must, std::size_t n)
      : joined_(n), from_(n), seen_(n, 0) {
    for (const ObjectPair& pair : must) {
      if (is_certain(pair)) {
        joined_[pair.a].push_back(pair.b);
        joined_[pair.b].push_back(pair.a);
      }
    }
  }

  // The objects on the shortest path from a to b; none if it has more than `most` of them.
  std::vector<ObjectId> shortest(ObjectId a, ObjectId b, std::size_t most) {
    ++stamp_;
    std::vector<ObjectId> now{a};
    seen_[a] = stamp_;
    for (std::size_t length = 2; length <= most && seen_[b] != stamp_ && !now.empty(); ++length) {
      std::vector<ObjectId> next;
      for (const ObjectId v : now) {
        for (const ObjectId u : joined_[v]) {
          if (seen_[u] != stamp_) {
            seen_[u] = stamp_;
            from_[u] = v;
            next.push_back(u);
          }
        }
      }
      now = std::move(next);
    }
    if (seen_[b] != stamp_) {
      return {};
    }
    std::vector<ObjectId> path{b};
    while (path.back() != a) {
      path.push_back(from_[path.back()]);
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  std::vector<std::vector<ObjectId>> joined_;
  std::vector<ObjectId> from_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t stamp_ = 0;
};

void check_groups(const LinkOptions& given, std::size_t n) {
  if (!given.one_per_cluster.empty() && given.one_per_cluster.size() != n) {
    refuse("wrong_length", "cannot_link_by",
           "{cannot_link_by}: found groups for {} objects; allowed: one for each of the {} "
           "objects, or none",
           given.one_per_cluster.size(), n);
  }
}

// Pairs of a group that must be together; not all if a node has many objects of a group.
std::vector<ObjectPair> groups_within(const std::vector<std::int32_t>& one_per_cluster,
                                      const std::vector<ObjectId>& node_of) {
  std::vector<std::pair<std::pair<ObjectId, std::int32_t>, ObjectId>> entries;
  for (ObjectId i = 0; i < one_per_cluster.size(); ++i) {
    if (one_per_cluster[i] >= 0) {
      entries.push_back({{node_of[i], one_per_cluster[i]}, i});
    }
  }
  std::sort(entries.begin(), entries.end());
  std::vector<ObjectPair> out;
  for_pairs_of(entries, kMostTried, [&](const auto& a, const auto& b) {
    if (a.first == b.first) {
      out.push_back({a.second, b.second});
    }
  });
  return out;
}

// Refuses cannot-links within a node, with the one that the fewest must-links contradict.
void check_contradictions(const std::vector<ObjectPair>& cannot_link,
                          const std::vector<ObjectPair>& must_link,
                          const std::vector<ObjectId>& node_of, const Name& name,
                          const std::string& parameter, const char* what) {
  std::vector<ObjectId> shortest;
  std::optional<MustLinkPaths> paths;
  for (const ObjectPair& pair : cannot_link) {
    if (is_certain(pair) && node_of[pair.a] == node_of[pair.b] && shortest.size() != 2) {
      if (!paths) {
        paths.emplace(must_link, node_of.size());
      }
      const std::size_t most = shortest.empty() ? node_of.size() : shortest.size() - 1;
      std::vector<ObjectId> path = paths->shortest(pair.a, pair.b, most);
      if (!path.empty()) {
        shortest = std::move(path);
      }
    }
  }
  if (shortest.empty()) {
    return;
  }
  std::string proof;
  for (std::size_t i = 0; i + 1 < shortest.size() && i < kMostNamed; ++i) {
    proof +=
        fmt::format("{}{} and {}", i == 0 ? "" : ", ", name(shortest[i]), name(shortest[i + 1]));
  }
  if (shortest.size() - 1 > kMostNamed) {
    proof += fmt::format(" and {} more pairs", shortest.size() - 1 - kMostNamed);
  }
  refuse("contradiction", parameter,
         "{" + parameter +
             "}: found {} and {}{}, which {must_link} puts together ({}); allowed: pairs that can "
             "all be satisfied",
         name(shortest.front()), name(shortest.back()), what, proof);
}

std::vector<NodePair> certain_pairs(const std::vector<ObjectPair>& pairs,
                                    const std::vector<ObjectId>& node_of) {
  std::vector<NodePair> out;
  for (const ObjectPair& pair : pairs) {
    if (is_certain(pair)) {
      out.emplace_back(node_of[pair.a], node_of[pair.b]);
    }
  }
  return out;
}

void add_conflicts(ConflictLists& conflicts, const std::vector<NodePair>& pairs) {
  for (const auto& [a, b] : pairs) {
    conflicts[a].push_back(b);
    conflicts[b].push_back(a);
  }
  for (auto& list : conflicts) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

std::string named(const std::vector<ObjectId>& nodes, const std::vector<ObjectId>& node_of,
                  const Name& name) {
  std::vector<std::string> names;
  for (const ObjectId node : nodes) {
    const auto first = std::find(node_of.begin(), node_of.end(), node);
    names.push_back(name(static_cast<ObjectId>(first - node_of.begin())));
  }
  const auto is_number = [](const std::string& text) {
    return text.find_first_not_of("0123456789") == std::string::npos;
  };
  if (std::ranges::all_of(names, is_number)) {
    std::ranges::sort(names, {},
                      [](const std::string& text) { return std::pair(text.size(), text); });
  }
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostNamed; ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return nodes.size() > kMostNamed ? text + fmt::format(" and {} more", nodes.size() - kMostNamed)
                                   : text;
}

// With K free there is always an empty cluster, and nothing to colour.
std::shared_ptr<const Conflicts> conflicts_of(ConflictLists conflicts,
                                              std::optional<std::size_t> given_clusters,
                                              const std::vector<ObjectId>& node_of,
                                              const Name& name) {
  if (!given_clusters) {
    return std::make_shared<const Conflicts>(std::move(conflicts), std::vector<ClusterId>{});
  }
  const std::size_t clusters = *given_clusters;
  Colouring found = colour(conflicts, clusters);
  if (found.verdict == Colouring::Verdict::found) {
    return std::make_shared<const Conflicts>(std::move(conflicts), std::move(found.colours));
  }
  if (!found.clique.empty()) {
    refuse("too_few_clusters", "cannot_link",
           "{cannot_link}: found {} objects of which no two may be together ({}), but at most {} "
           "clusters; allowed: at least that many clusters, or fewer pairs",
           found.clique.size(), named(found.clique, node_of, name), clusters);
  }
  const bool is_proved = found.verdict == Colouring::Verdict::impossible;
  refuse("too_few_clusters", "cannot_link",
         "{cannot_link}: found pairs among {} objects ({}) that {} {} clusters; allowed: more "
         "clusters, or fewer pairs",
         found.core.size(), named(found.core, node_of, name),
         is_proved ? "cannot all be kept apart with" : "could not all be kept apart with",
         clusters);
}

SparseMatrix evidence_between_nodes(const LinkOptions& given, const Constraints& constraints) {
  std::vector<Entry> entries;
  for (const PairEvidence& pair : evidence_of(given)) {
    const ObjectId a = constraints.node_of[pair.a];
    const ObjectId b = constraints.node_of[pair.b];
    entries.push_back({a, b, pair.value});
    entries.push_back({b, a, pair.value});
  }
  return sparse_from_entries(std::move(entries), constraints.nodes, constraints.nodes);
}

// Groups that fit into the clusters.
OnePerCluster checked_groups(const LinkOptions& given, const Constraints& constraints,
                             std::optional<std::size_t> clusters, const Name& name) {
  check_contradictions(groups_within(given.one_per_cluster, constraints.node_of), given.must_link,
                       constraints.node_of, name, "cannot_link_by", " of one group");
  OnePerCluster out(given.one_per_cluster, constraints.node_of, constraints.nodes);
  const auto largest = out.largest();
  if (clusters && largest.size() > *clusters) {
    refuse("too_few_clusters", "cannot_link_by",
           "{cannot_link_by}: found a group of {} objects ({}) of which no two may be together, "
           "but at most {} clusters; allowed: at least that many clusters, or smaller groups",
           largest.size(), named({largest.begin(), largest.end()}, constraints.node_of, name),
           *clusters);
  }
  return out;
}

}  // namespace

void check_links(const LinkOptions& given, std::size_t n, const Name& name) {
  check_groups(given, n);
  check_pairs(given.must_link, "must_link", n, name);
  check_pairs(given.cannot_link, "cannot_link", n, name);
  std::size_t nodes = 0;
  const std::vector<ObjectId> node_of = nodes_of(given.must_link, n, nodes);
  check_contradictions(given.cannot_link, given.must_link, node_of, name, "cannot_link", "");
  check_contradictions(groups_within(given.one_per_cluster, node_of), given.must_link, node_of,
                       name, "cannot_link_by", " of one group");
}

Constraints make_constraints(const LinkOptions& given, std::size_t n,
                             std::optional<std::size_t> clusters, const Name& name,
                             std::optional<std::uint64_t> few_pairs) {
  check_groups(given, n);
  check_pairs(given.must_link, "must_link", n, name);
  check_pairs(given.cannot_link, "cannot_link", n, name);
  Constraints constraints;
  constraints.node_of = nodes_of(given.must_link, n, constraints.nodes);
  check_contradictions(given.cannot_link, given.must_link, constraints.node_of, name, "cannot_link",
                       "");
  for (const auto* pairs : {&given.must_link, &given.cannot_link}) {
    const auto certain =
        static_cast<std::size_t>(std::count_if(pairs->begin(), pairs->end(), is_certain));
    (pairs == &given.must_link ? constraints.must : constraints.cannot) = certain;
    constraints.uncertain += pairs->size() - certain;
  }
  std::vector<NodePair> cannot = certain_pairs(given.cannot_link, constraints.node_of);
  OnePerCluster one = checked_groups(given, constraints, clusters, name);
  const bool may_be_too_few = clusters && (constraints.cannot > 0 || one.overlap());
  const std::uint64_t few = few_pairs.value_or(
      may_be_too_few ? kColouredPairs : std::max<std::uint64_t>(kFewPairs, kFewPairsPerObject * n));
  if (one.pairs() <= few) {
    const std::vector<NodePair> all = one.all();
    cannot.insert(cannot.end(), all.begin(), all.end());
  } else {
    constraints.one_per_cluster = std::make_shared<const OnePerCluster>(std::move(one));
  }
  if (!cannot.empty()) {
    ConflictLists lists(constraints.nodes);
    add_conflicts(lists, cannot);
    constraints.conflicts = conflicts_of(std::move(lists), clusters, constraints.node_of, name);
  }
  constraints.evidence = evidence_between_nodes(given, constraints);
  return constraints;
}

Constraints with_conflicts(Constraints constraints, const std::vector<NodePair>& more,
                           std::optional<std::size_t> clusters) {
  if (!more.empty()) {
    ConflictLists lists = constraints.conflicts != nullptr ? constraints.conflicts->lists()
                                                           : ConflictLists(constraints.nodes);
    add_conflicts(lists, more);
    constraints.conflicts = conflicts_of(std::move(lists), clusters, constraints.node_of,
                                         [](ObjectId i) { return fmt::format("{}", i); });
  }
  return constraints;
}

Constraints in_units(Constraints constraints, double unit) {
  for (double& value : constraints.evidence.values) {
    value *= unit;
  }
  return constraints;
}

std::vector<ClusterId> node_labels(const Constraints& constraints,
                                   const std::vector<ClusterId>& object_labels) {
  std::vector<ClusterId> out(object_labels.empty() ? 0 : constraints.nodes);
  for (ObjectId i = 0; i < object_labels.size(); ++i) {
    out[constraints.node_of[i]] = object_labels[i];
  }
  return out;
}

std::vector<ClusterId> object_labels(const Constraints& constraints,
                                     const std::vector<ClusterId>& node_labels) {
  std::vector<ClusterId> out(constraints.node_of.size());
  for (ObjectId i = 0; i < out.size(); ++i) {
    out[i] = node_labels[constraints.node_of[i]];
  }
  return out;
}

void repair_groups(const Constraints& constraints, std::optional<std::size_t> clusters,
                   std::vector<ClusterId>& node_labels) {
  if (!constraints.one_per_cluster->repair(node_labels, clusters, constraints.conflicts.get())) {
    refuse("too_few_clusters", "cannot_link_by",
           "{cannot_link_by}: found no way to satisfy it and all pairs with {} clusters; allowed: "
           "more clusters, or fewer pairs",
           clusters.value_or(0));
  }
}

std::vector<ClusterId> repaired(const Constraints& constraints, std::optional<std::size_t> clusters,
                                const std::vector<ClusterId>& labels) {
  std::vector<ClusterId> nodes = node_labels(constraints, labels);
  if (constraints.conflicts != nullptr) {
    constraints.conflicts->repair(nodes, clusters);
  }
  if (constraints.one_per_cluster != nullptr) {
    repair_groups(constraints, clusters, nodes);
  }
  return object_labels(constraints, nodes);
}

}  // namespace shiftcut
