#include "run/extend_labels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

#include "core/kernels/kernels.hpp"
#include "neighbors/cells/cells.hpp"
#include "run/tuning.hpp"
#include "similarity/feature_rows.hpp"
#include "similarity/row_groups.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

namespace {

using namespace run_tuning;

// Multiplications for one row: its columns, or its entries where it is sparse.
double row_length(const Input& input) {
  if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
    return static_cast<double>(dense->columns());
  }
  const auto& sparse = std::get<SparseMatrix>(input.values);
  return static_cast<double>(sparse.values.size()) / static_cast<double>(sparse.rows) + 1;
}

}  // namespace

std::size_t affordable_comparisons(const Input& input) {
  const auto n = static_cast<double>(input.objects());
  return std::max(kLeastCentres, static_cast<std::size_t>(kMostProducts / (n * row_length(input))));
}

namespace {

struct LabelledRows {
  std::size_t length;
  std::vector<float> values;
  std::vector<ClusterId> labels;

  [[nodiscard]] std::size_t size() const { return labels.size(); }
  [[nodiscard]] const float* row(std::size_t i) const { return &values[i * length]; }
};

// k-means among the members of one cluster, from members evenly spaced: appends `count` centres.
void add_centres(const LabelledRows& rows, const std::vector<std::uint32_t>& members,
                 std::size_t count, LabelledRows& out) {
  const std::size_t d = rows.length;
  std::vector<float> centres;
  for (std::size_t c = 0; c < count; ++c) {
    const float* row = rows.row(members[c * members.size() / count]);
    centres.insert(centres.end(), row, row + d);
  }
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  std::vector<float> squared(count);
  for (int step = 0; step < kCentreSteps; ++step) {
    std::vector<double> sums(count * d, 0.0);
    std::vector<double> sizes(count, 0.0);
    for (const std::uint32_t member : members) {
      squared_distances(rows.row(member), centres.data(), all.data(), count, d, squared.data());
      const auto near =
          static_cast<std::size_t>(std::ranges::min_element(squared) - squared.begin());
      add_scaled(&sums[near * d], 1.0, rows.row(member), d);
      sizes[near] += 1;
    }
    for (std::size_t c = 0; c < count; ++c) {
      if (sizes[c] > 0) {
        narrow(&centres[c * d], &sums[c * d], 1 / sizes[c], d);
      }
    }
  }
  out.values.insert(out.values.end(), centres.begin(), centres.end());
  out.labels.insert(out.labels.end(), count, rows.labels[members.front()]);
}

// About `most` rows at most that represent the clusters: all rows, or several centres per cluster.
LabelledRows centres_of(const LabelledRows& rows, std::size_t clusters, std::size_t most) {
  if (rows.size() <= most) {
    return rows;
  }
  std::vector<std::vector<std::uint32_t>> members(clusters);
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    members[rows.labels[i]].push_back(i);
  }
  LabelledRows centres{rows.length, {}, {}};
  for (const std::vector<std::uint32_t>& cluster : members) {
    add_centres(rows, cluster, std::max<std::size_t>(1, most * cluster.size() / rows.size()),
                centres);
  }
  return centres;
}

// ---- The nearest sampled rows vote ----

// Sampled rows in groups around centres, each in those of the centres nearest to it, so that a row
// need only be compared with one group.
class SampleIndex {
 public:
  SampleIndex(const LabelledRows& rows, std::size_t clusters, std::size_t groups)
      : rows_(rows), centres_({}, rows.length) {
    const std::size_t d = rows.length;
    std::vector<float> centres = centres_of(rows, clusters, groups).values;
    const std::size_t count = centres.size() / d;
    members_.resize(count);
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0U);
    std::vector<std::uint32_t> order(count);
    std::vector<float> squared(count);
    const std::size_t copies = std::min(kGroupsOfSampledRow, count);
    for (std::uint32_t s = 0; s < rows.size(); ++s) {
      squared_distances(rows.row(s), centres.data(), all.data(), count, d, squared.data());
      order = all;
      std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(copies), {},
                                [&](std::uint32_t c) { return std::pair(squared[c], c); });
      for (std::size_t c = 0; c < copies; ++c) {
        members_[order[c]].push_back(s);
      }
    }
    std::vector<float> in_use;  // a centre without rows would have nobody to vote
    for (std::size_t c = 0; c < count; ++c) {
      if (!members_[c].empty()) {
        in_use.insert(in_use.end(), &centres[c * d], &centres[c * d] + d);
      }
    }
    std::erase_if(members_, [](const auto& members) { return members.empty(); });
    centres_ = Centres(in_use, d);
    packed_.resize(members_.size());
    squares_.resize(members_.size());
    for (std::size_t g = 0; g < members_.size(); ++g) {
      packed_[g].resize(d, members_[g].size());
      for (std::size_t m = 0; m < members_[g].size(); ++m) {
        const float* row = rows.row(members_[g][m]);
        packed_[g].set(m, row, -2.0F);
        squares_[g].push_back(std::inner_product(row, row + d, row, 0.0F));
      }
    }
  }

  /// The group of each of some rows that are followed by a 1 each.
  void groups_of(std::span<const float* const> rows, std::uint32_t* out) const {
    centres_.nearest(rows, out);
  }

  /// The cluster that most of the nearest sampled rows belong to, of each of some rows of a group.
  void vote(std::size_t group, std::span<const float* const> rows, std::vector<float>& products,
            ClusterId* out) const {
    const PackedColumns<float>& columns = packed_[group];
    products.resize(rows.size() * columns.width());
    tile_products(rows.data(), rows.size(), columns, products.data());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      out[r] = elected(group, &products[r * columns.width()]);
    }
  }

 private:
  [[nodiscard]] ClusterId elected(std::size_t group, const float* products) const {
    struct Near {
      float squared;
      ClusterId label;
    };
    Near nearest[kSampleVoters] = {};
    std::size_t count = 0;
    const std::vector<std::uint32_t>& members = members_[group];
    for (std::size_t m = 0; m < members.size(); ++m) {
      const float squared = squares_[group][m] + products[m];
      if (count == kSampleVoters && !(squared < nearest[count - 1].squared)) {
        continue;
      }
      std::size_t at = count < kSampleVoters ? count++ : count - 1;
      for (; at > 0 && squared < nearest[at - 1].squared; --at) {
        nearest[at] = nearest[at - 1];
      }
      nearest[at] = {squared, rows_.labels[members[m]]};
    }
    ClusterId best = nearest[0].label;
    std::size_t most = 0;
    for (std::size_t i = 0; i < count; ++i) {  // of equals, that of the nearest
      std::size_t votes = 0;
      for (std::size_t j = 0; j < count; ++j) {
        votes += nearest[j].label == nearest[i].label ? 1 : 0;
      }
      if (votes > most) {
        most = votes;
        best = nearest[i].label;
      }
    }
    return best;
  }

  const LabelledRows& rows_;
  Centres centres_;
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<PackedColumns<float>> packed_;
  std::vector<std::vector<float>> squares_;
};

// `write` writes a row as it is compared.
template <class Write>
std::vector<ClusterId> elected_by_neighbors(std::size_t n, const SampleIndex& index, std::size_t d,
                                            const Write& write, ThreadTeam& team) {
  std::vector<ClusterId> labels(n);
  team.for_each((n + kRowsPerVote - 1) / kRowsPerVote, [&](std::size_t block, int) {
    const std::size_t first = block * kRowsPerVote;
    const std::size_t count = std::min(kRowsPerVote, n - first);
    std::vector<double> room(d);
    std::vector<float> narrowed(count * (d + 1), 1.0F);
    std::vector<const float*> pointers(count);
    for (std::size_t r = 0; r < count; ++r) {
      write(first + r, room, &narrowed[r * (d + 1)]);
      pointers[r] = &narrowed[r * (d + 1)];
    }
    std::vector<std::uint32_t> group(count);
    index.groups_of(pointers, group.data());
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t r) { return group[r]; });
    std::vector<float> products;
    std::vector<ClusterId> out;
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
      const std::uint32_t own = group[order[begin]];
      std::vector<const float*> together;
      while (end < count && group[order[end]] == own) {
        together.push_back(pointers[order[end++]]);
      }
      out.resize(together.size());
      index.vote(own, together, products, out.data());
      for (std::size_t r = begin; r < end; ++r) {
        labels[first + order[r]] = out[r - begin];
      }
    }
  });
  return labels;
}

// Every row joins the cluster that most of the sampled rows nearest to it belong to, or, where the
// similarity is not one of neighbours, that of the nearest centre; under the cosine, the nearest in
// direction.
std::vector<ClusterId> extended(const DenseArray& data, std::span<const ObjectId> sample,
                                const Result& grouping, std::size_t most, bool is_late,
                                ThreadTeam& team) {
  const std::size_t n = data.rows();
  const std::size_t d = data.columns();
  Scaling scaling;
  scaling.offset = grouping.scaling.offset;
  scaling.factor = grouping.scaling.factor;
  const bool by_direction = grouping.similarity == "cosine" || grouping.metric == "cosine" ||
                            grouping.metric == "correlation";
  const FeatureRows rows = FeatureRows::scaled(data, scaling);
  const auto length_of = [&](std::size_t i, std::vector<double>& row) {
    rows.row(i, row.data());
    return std::sqrt(dot(row.data(), row.data(), d));
  };
  std::vector<double> row(d);
  double longest = 0;
  for (const ObjectId i : sample) {
    longest = std::max(longest, length_of(i, row));
  }
  const auto write = [&](std::size_t i, std::vector<double>& room, float* out) {
    const double length = length_of(i, room);
    const double unit = by_direction ? length : longest;
    narrow(out, room.data(), unit > 0 ? 1 / unit : 0.0, d);
  };
  LabelledRows sampled{
      d, std::vector<float>(sample.size() * d), {grouping.labels.begin(), grouping.labels.end()}};
  for (std::size_t s = 0; s < sample.size(); ++s) {
    write(sample[s], row, &sampled.values[s * d]);
  }
  const std::size_t clusters = grouping.sizes.size();
  if (grouping.similarity == "neighbors" && !is_late) {
    const auto few = static_cast<std::size_t>(std::sqrt(static_cast<double>(sample.size())));
    const std::size_t groups =
        std::max({2 * clusters, few, std::min(most / 2, sample.size() / kRowsPerSampleGroup)});
    return elected_by_neighbors(n, SampleIndex(sampled, clusters, groups), d, write, team);
  }
  const LabelledRows centres = centres_of(sampled, clusters, most);
  const Centres packed(centres.values, d);
  std::vector<ClusterId> labels(n);
  team.for_each((n + kRowsPerSampleTask - 1) / kRowsPerSampleTask, [&](std::size_t block, int) {
    const std::size_t first = block * kRowsPerSampleTask;
    const std::size_t count = std::min(kRowsPerSampleTask, n - first);
    std::vector<double> room(d);
    std::vector<float> narrowed(count * (d + 1), 1.0F);
    std::vector<const float*> pointers(count);
    for (std::size_t r = 0; r < count; ++r) {
      write(first + r, room, &narrowed[r * (d + 1)]);
      pointers[r] = &narrowed[r * (d + 1)];
    }
    std::vector<std::uint32_t> near(count);
    packed.nearest(pointers, near.data());
    for (std::size_t r = 0; r < count; ++r) {
      labels[first + r] = centres.labels[near[r]];
    }
  });
  return labels;
}

// Every sparse row joins the sampled row with the largest 2 x.s - |s|^2, or, under the cosine, the
// largest x.s / |s|.
std::vector<ClusterId> extended(const SparseMatrix& data, std::span<const ObjectId> sample,
                                const Result& grouping, std::size_t /*most*/, bool /*is_late*/,
                                ThreadTeam& team) {
  const SparseMatrix sampled = rows_of(data, sample);
  std::vector<Entry> turned;
  std::vector<double> squared(sample.size(), 0.0);
  for (std::uint32_t s = 0; s < sampled.rows; ++s) {
    for (auto e = static_cast<std::size_t>(sampled.offsets[s]);
         e < static_cast<std::size_t>(sampled.offsets[s + 1]); ++e) {
      turned.push_back({sampled.columns[e], s, sampled.values[e]});
      squared[s] += sampled.values[e] * sampled.values[e];
    }
  }
  const SparseMatrix columns =
      sparse_from_entries(std::move(turned), data.columns_count, sample.size());
  const bool by_direction = grouping.similarity != "linear";
  std::vector<ClusterId> labels(data.rows);
  team.for_each((data.rows + kRowsPerSampleTask - 1) / kRowsPerSampleTask, [&](std::size_t block,
                                                                               int) {
    std::vector<double> products(sample.size());
    const std::size_t first = block * kRowsPerSampleTask;
    for (std::size_t i = first; i < std::min(data.rows, first + kRowsPerSampleTask); ++i) {
      std::ranges::fill(products, 0.0);
      for (auto e = static_cast<std::size_t>(data.offsets[i]);
           e < static_cast<std::size_t>(data.offsets[i + 1]); ++e) {
        const std::uint32_t column = data.columns[e];
        for (auto t = static_cast<std::size_t>(columns.offsets[column]);
             t < static_cast<std::size_t>(columns.offsets[column + 1]); ++t) {
          products[columns.columns[t]] += data.values[e] * columns.values[t];
        }
      }
      for (std::size_t s = 0; s < products.size(); ++s) {
        products[s] = by_direction ? (squared[s] > 0 ? products[s] / std::sqrt(squared[s]) : 0.0)
                                   : 2 * products[s] - squared[s];
      }
      const auto near = std::ranges::max_element(products) - products.begin();
      labels[i] = static_cast<ClusterId>(grouping.labels[static_cast<std::size_t>(near)]);
    }
  });
  return labels;
}

}  // namespace

std::vector<ClusterId> extended_labels(const Input& input, std::span<const ObjectId> sample,
                                       const Result& grouping, bool is_late, ThreadTeam& team) {
  const std::size_t most = affordable_comparisons(input) / (is_late ? 2 : 1);
  std::vector<ClusterId> labels = std::visit(
      [&](const auto& values) { return extended(values, sample, grouping, most, is_late, team); },
      input.values);
  for (std::size_t s = 0; s < sample.size(); ++s) {
    labels[sample[s]] = static_cast<ClusterId>(grouping.labels[s]);
  }
  return labels;
}

}  // namespace shiftcut
