#include "page/sections.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "page/sample.hpp"
#include "page/tuning.hpp"
#include "run/chosen_by.hpp"
#include "shiftcut/describe.hpp"
#include "shiftcut/metrics.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

using namespace page_tuning;

// ---- Standings ----

struct Ranked {
  const Standing* standing;
  double share;
};

Json listed(std::vector<Ranked> ranked, const Input& input) {
  const std::size_t shown = std::min(ranked.size(), kMostListed);
  Json list = Json::array();
  for (std::size_t i = 0; i < shown; ++i) {
    const Standing& standing = *ranked[i].standing;
    list.push_back({{"name", object_name(input, standing.object)},
                    {"cluster", standing.cluster},
                    {"next", standing.next},
                    {"share", ranked[i].share}});
  }
  return list;
}

// Those whose affinity to another cluster comes near to that to their own, the nearest first.
std::vector<Ranked> between(const Standings& standings) {
  std::vector<Ranked> ranked;
  for (const Standing& standing : standings.all) {
    if (standing.next >= 0 && standing.other > 0 && standing.own > 0 &&
        standing.other >= kBetween * standing.own) {
      ranked.push_back({&standing, standing.other / standing.own});
    }
  }
  std::ranges::stable_sort(ranked, std::greater<>(), &Ranked::share);
  return ranked;
}

// The median affinity of the members of each cluster to it.
std::vector<double> medians(const Standings& standings, std::size_t clusters) {
  std::vector<std::vector<double>> own(clusters);
  for (const Standing& standing : standings.all) {
    own[static_cast<std::size_t>(standing.cluster)].push_back(standing.own);
  }
  std::vector<double> median(clusters, 0.0);
  for (std::size_t k = 0; k < clusters; ++k) {
    if (own[k].size() >= kFewMembers) {
      const auto middle = own[k].begin() + static_cast<std::ptrdiff_t>(own[k].size() / 2);
      std::ranges::nth_element(own[k], middle);
      median[k] = *middle;
    }
  }
  return median;
}

// Those with far less affinity to their cluster than its other members, the least first.
std::vector<Ranked> outliers(const Standings& standings, std::size_t clusters) {
  const std::vector<double> median = medians(standings, clusters);
  std::vector<Ranked> ranked;
  for (const Standing& standing : standings.all) {
    const double typical = median[static_cast<std::size_t>(standing.cluster)];
    if (typical > 0 && standing.own < kOutlying * typical) {
      ranked.push_back({&standing, standing.own / typical});
    }
  }
  std::ranges::stable_sort(ranked, {}, &Ranked::share);
  return ranked;
}

// ---- Descriptions ----

Json columns_of(const ClusterDescription& cluster) {
  Json list = Json::array();
  for (const ColumnContrast& column : cluster.columns) {
    list.push_back({{"name", column.name.empty() ? "column " + std::to_string(column.column)
                                                 : shown_name(column.name)},
                    {"measure", word_of(column.measure)},
                    {"effect", column.effect},
                    {"inside", column.inside},
                    {"outside", column.outside}});
  }
  return list;
}

// ---- Classes ----

// Objects of each class in each cluster; the last row and column hold all beyond the first ones.
Json confusion(const Input& input, const Result& result, std::size_t classes,
               std::size_t clusters) {
  const std::size_t rows = std::min(classes, kMostClasses) + (classes > kMostClasses ? 1 : 0);
  const std::size_t columns = std::min(clusters, kMostClasses) + (clusters > kMostClasses ? 1 : 0);
  std::vector<std::vector<std::size_t>> table(rows, std::vector<std::size_t>(columns, 0));
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    if (input.truth[i] >= 0 && result.labels[i] >= 0) {
      const auto row = std::min(static_cast<std::size_t>(input.truth[i]), rows - 1);
      ++table[row][std::min(static_cast<std::size_t>(result.labels[i]), columns - 1)];
    }
  }
  return table;
}

}  // namespace

Json standing_section(const Standings& standings, const Input& input, const Result& result) {
  const std::vector<Ranked> near = between(standings);
  const std::vector<Ranked> far = outliers(standings, result.sizes.size());
  return {{"judged", standings.all.size()},
          {"is_sample", standings.is_sample},
          {"between", listed(near, input)},
          {"between_count", near.size()},
          {"outliers", listed(far, input)},
          {"outlier_count", far.size()},
          {"singles", std::ranges::count(result.sizes, std::size_t{1})}};
}

Json described_section(const Input& input, const Options& options, const Result& result,
                       const NeighborTable* neighbors, const std::vector<ObjectId>& drawn,
                       const Control& control) {
  const bool is_sample = input.shape == Shape::features && result.objects > kMostDescribed &&
                         drawn.size() < result.objects;
  DescribeOptions how;
  how.threads = options.search.threads;
  std::vector<ClusterDescription> all;
  if (is_sample) {
    std::vector<std::int32_t> labels;
    for (const ObjectId object : drawn) {
      labels.push_back(result.labels[object]);
    }
    how.similarity = chosen_by(result, options).similarity;
    all = describe_clusters(rows_alone(input, drawn), labels, how, control);
  } else {
    all = describe_clusters(input, options, result, neighbors, how, control);
  }
  Json list = Json::array();
  for (std::size_t k = 0; k < std::min(all.size(), kMostCards); ++k) {
    Json exemplars = Json::array();
    for (const std::size_t exemplar : all[k].exemplars) {
      exemplars.push_back(object_name(input, is_sample ? drawn[exemplar] : exemplar));
    }
    const auto& nearest = all[k].nearest;
    const bool is_judged = result.agreement && k < result.agreement->clusters.size();
    list.push_back({{"exemplars", std::move(exemplars)},
                    {"cohesion", all[k].cohesion},
                    {"nearest", nearest ? Json(*nearest) : Json()},
                    {"support", is_judged ? Json(result.agreement->clusters[k]) : Json()},
                    {"columns", columns_of(all[k])}});
  }
  return {{"is_sample", is_sample}, {"clusters", std::move(list)}};
}

Json blocks_section(const Blocks& blocks) {
  double largest = 0;
  for (const double mean : blocks.means) {
    largest = std::max(largest, std::abs(mean));
  }
  std::vector<int> scaled;
  for (const double mean : blocks.means) {
    const double size = largest > 0 ? std::sqrt(std::abs(mean) / largest) : 0;
    scaled.push_back(static_cast<int>(std::lround(std::copysign(1000 * size, mean))));
  }
  return {{"clusters", blocks.clusters},
          {"sizes", blocks.sizes},
          {"largest", std::isfinite(largest) ? Json(largest) : Json()},
          {"means", scaled}};
}

Json classes_section(const Input& input, const Result& result) {
  if (input.truth.empty() || input.truth.size() != result.labels.size()) {
    return {};
  }
  const auto last = std::ranges::max(input.truth);
  const std::size_t classes = last < 0 ? 0 : static_cast<std::size_t>(last) + 1;
  if (classes == 0) {
    return {};
  }
  Json names = Json::array();
  for (std::size_t c = 0; c < std::min(classes, kMostClasses); ++c) {
    names.push_back(c < input.truth_names.size() ? shown_name(input.truth_names[c])
                                                 : std::to_string(c));
  }
  const Scores scores = result.scores ? *result.scores : score(input.truth, result.labels);
  return {{"names", std::move(names)},
          {"classes", classes},
          {"table", confusion(input, result, classes, result.sizes.size())},
          {"ami", scores.ami},
          {"ari", scores.ari},
          {"v_measure", scores.v_measure},
          {"homogeneity", scores.homogeneity},
          {"completeness", scores.completeness}};
}

}  // namespace shiftcut
