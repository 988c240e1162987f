// What a page is made of: whatever the names, JSON that no browser takes for anything else.
#include "shiftcut/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/rng.hpp"
#include "page/json.hpp"
#include "page/sample.hpp"
#include "shiftcut/run.hpp"

namespace shiftcut {
namespace {

Input table(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double centre = (i / columns) % 3 == 0 ? 4 : 0;
    values[i] = (i % columns == 0 ? 3 : 1) * rng.uniform() + centre;
  }
  Input input;
  input.values = DenseArray::own(std::move(values), rows, columns);
  input.name = "some/points.csv";
  return input;
}

Options quick(int threads = 1) {
  Options options;
  options.search.clusters = 3;
  options.search.restarts = 1;
  options.search.threads = threads;
  return options;
}

nlohmann::json data_of(const Input& input, const Options& options, const PageOptions& page = {}) {
  return nlohmann::json::parse(page_json(input, options, run(input, options), page));
}

Result labelled(std::size_t objects, std::size_t clusters) {
  Result result;
  result.objects = objects;
  result.sizes.assign(clusters, 0);
  for (std::size_t i = 0; i < objects; ++i) {
    const std::size_t k = std::min(i % 7 == 0 ? i / 7 : 0, clusters - 1);
    result.labels.push_back(static_cast<std::int32_t>(k));
    ++result.sizes[k];
  }
  return result;
}

TEST(Page, HasEverySection) {
  const auto data = data_of(table(60, 4, 1), quick());
  EXPECT_EQ(data["about"]["objects"], 60);
  EXPECT_EQ(data["about"]["columns"], 4);
  EXPECT_EQ(data["clusters"]["found"], data["clusters"]["sizes"].size());
  EXPECT_EQ(data["map"]["x"].size(), 60U);
  EXPECT_FALSE(data["path"]["points"].empty());
  EXPECT_TRUE(data["warnings"].is_array());
}

TEST(Page, IsTheSameForAnyNumberOfThreads) {
  const Input input = table(900, 5, 2);
  const std::string one = page_json(input, quick(1), run(input, quick(1)), {});
  EXPECT_EQ(page_json(input, quick(3), run(input, quick(3)), {}), one);
}

TEST(Page, HoldsNoMarkupWhateverTheNames) {
  Input input = table(30, 3, 3);
  input.ids.assign(30, "plain");
  input.ids[0] = "</script><script>alert(1)</script><!--";
  input.ids[1] = "a & b \u2028\u2029";
  input.ids[2] = "\u202Eevil\u2066";
  input.ids[3] = "\x1b[31mred\x07";
  input.ids[4] = std::string(1'000'000, 'x');
  input.ids[5] = "\xff\xfe";
  input.ids[6] = "\"quoted\" \\ 'name'";
  PageOptions page;
  page.title = input.ids[0];
  page.command = "shiftcut cluster '" + input.ids[3] + input.ids[0] + "'";
  const std::string json = page_json(input, quick(), run(input, quick()), page);
  for (const std::string_view bad :
       {"<", ">", "&", "\u2028", "\u2029", "\u202E", "\u2066", "\x1b", "\x07"}) {
    EXPECT_EQ(json.find(bad), std::string::npos) << bad;
  }
  EXPECT_LT(json.size(), 20'000U);
  const auto names = nlohmann::json::parse(json)["map"]["names"];
  EXPECT_EQ(names[0], input.ids[0]);
  EXPECT_EQ(names[6], input.ids[6]);
  EXPECT_EQ(names[3], "\\x1b[31mred\\x07");
}

TEST(FairSample, IsAllOfSmallData) {
  const auto sample = fair_sample(labelled(50, 3), 50);
  EXPECT_EQ(sample.size(), 50U);
  EXPECT_EQ(sample.back(), 49U);
}

TEST(FairSample, IsInProportionAndLeavesNoClusterOut) {
  const Result result = labelled(100'000, 40);
  const auto sample = fair_sample(result, 5000);
  EXPECT_LE(sample.size(), 5000U);
  EXPECT_GE(sample.size(), 4900U);
  EXPECT_TRUE(std::ranges::is_sorted(sample));
  std::vector<std::size_t> drawn(40);
  for (const ObjectId object : sample) {
    ++drawn[static_cast<std::size_t>(result.labels[object])];
  }
  for (std::size_t k = 0; k < 40; ++k) {
    EXPECT_GE(drawn[k], 1U) << k;
    const double share = static_cast<double>(result.sizes[k]) / 100'000;
    EXPECT_NEAR(static_cast<double>(drawn[k]) / 5000, share, 0.02) << k;
  }
}

TEST(FairSample, OfMoreClustersThanPlacesKeepsToItsSize) {
  Result result;
  result.objects = 5000;
  result.sizes.assign(5000, 1);
  result.labels.resize(5000);
  std::iota(result.labels.begin(), result.labels.end(), 0);
  EXPECT_LE(fair_sample(result, 100).size(), 100U);
}

TEST(RowsAlone, AreThoseRows) {
  const Input dense = table(200, 5, 6);
  Input sparse;
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < 200; ++i) {
    entries.push_back({i, i % 5, 1.0 + i});
  }
  sparse.values = sparse_from_entries(std::move(entries), 200, 5);
  const Input some_dense = rows_alone(dense, {3, 77, 199});
  const Input some_sparse = rows_alone(sparse, {3, 77, 199});
  const auto& rows = std::get<SparseMatrix>(some_sparse.values);
  EXPECT_EQ(some_dense.objects(), 3U);
  EXPECT_EQ(std::get<DenseArray>(some_dense.values).at(1, 4),
            std::get<DenseArray>(dense.values).at(77, 4));
  EXPECT_EQ(rows.values, (std::vector<double>{4, 78, 200}));
  EXPECT_EQ(rows.columns, (std::vector<std::uint32_t>{3, 2, 4}));
}

TEST(Map, OfASampleShowsEachObjectInItsCluster) {
  const Input input = table(600, 4, 7);
  const Result result = run(input, quick());
  PageOptions page;
  page.most_objects = 100;
  const auto map = nlohmann::json::parse(page_json(input, quick(), result, page))["map"];
  ASSERT_EQ(map["names"].size(), map["x"].size());
  EXPECT_LE(map["x"].size(), 100U);
  for (std::size_t i = 0; i < map["names"].size(); ++i) {
    const auto object = std::stoul(map["names"][i].get<std::string>());
    EXPECT_EQ(map["labels"][i], result.labels[object]);
  }
}

TEST(Map, TakesPlacesThatAreKnown) {
  const Input input = table(30, 4, 8);
  Layout places(30);
  for (std::size_t i = 0; i < 30; ++i) {
    places[i] = {static_cast<double>(i), 0};
  }
  PageOptions page;
  page.places = &places;
  const auto map = data_of(input, quick(), page)["map"];
  for (std::size_t i = 1; i < 30; ++i) {
    EXPECT_GT(map["x"][i], map["x"][i - 1]);
  }
}

TEST(Map, SaysWhatItsAxesAre) {
  Input two = table(60, 2, 9);
  two.column_names = {"width", "height"};
  EXPECT_EQ(data_of(two, quick())["map"]["kind"], "columns");
  EXPECT_EQ(data_of(two, quick())["map"]["axes"], two.column_names);
  EXPECT_EQ(data_of(table(60, 1, 9), quick())["map"]["kind"], "column");
  EXPECT_EQ(data_of(table(60, 4, 9), quick())["map"]["kind"], "neighbors");
  Options linear = quick();
  linear.similarity.kind = Similarity::linear;
  EXPECT_EQ(data_of(table(60, 4, 9), linear)["map"]["kind"], "components");
}

// Asked to stop, it still says what was found.
TEST(Page, LeavesOutWhatTakesWorkOnceAskedToStop) {
  const Input input = table(60, 4, 10);
  const Result result = run(input, quick());
  const std::atomic<bool> stop{true};
  Control control;
  control.stop = &stop;
  const auto data = nlohmann::json::parse(page_json(input, quick(), result, {}, nullptr, control));
  EXPECT_TRUE(data["map"].is_null());
  EXPECT_EQ(data["clusters"]["found"], result.clusters_found);
}

TEST(Page, OfOneObjectAndOfEqualRowsIsMade) {
  for (const std::size_t rows : {1, 2, 5}) {
    Input input;
    input.values = DenseArray::own(std::vector<double>(rows * 2, 1.0), rows, 2);
    Options options;
    options.search.threads = 1;
    const auto data = data_of(input, options);
    EXPECT_EQ(data["map"]["x"].size(), rows);
  }
}

TEST(Page, OfAGraphHasAMapAndNoColumns) {
  Input input;
  input.values = sparse_from_entries({{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}}, 3, 3);
  input.shape = Shape::graph;
  const auto data = data_of(input, quick());
  EXPECT_TRUE(data["about"]["columns"].is_null());
  EXPECT_EQ(data["map"]["x"].size(), 3U);
}

TEST(Page, flows_between_strengths_add_up_to_the_sizes) {
  for (const bool has_k : {true, false}) {
    Options options = quick();
    if (!has_k) {
      options.search.clusters.reset();
    }
    const nlohmann::json points = data_of(table(400, 4, 3), options)["path"]["points"];
    ASSERT_GT(points.size(), 2U);
    for (std::size_t p = 0; p < points.size(); ++p) {
      const auto shares = [&](std::size_t point) {
        auto sizes = points[point]["sizes"].get<std::vector<std::size_t>>();
        sizes.push_back(points[point]["other_objects"].get<std::size_t>());
        return sizes;
      };
      EXPECT_EQ(points[p]["numbers"].size(), points[p]["sizes"].size());
      EXPECT_EQ(points[p]["flows"].is_null(), p + 1 == points.size());
      if (p + 1 < points.size()) {
        std::vector<std::size_t> left(shares(p).size(), 0);
        std::vector<std::size_t> entered(shares(p + 1).size(), 0);
        for (const nlohmann::json& flow : points[p]["flows"]) {
          left.at(flow[0]) += flow[2].get<std::size_t>();
          entered.at(flow[1]) += flow[2].get<std::size_t>();
        }
        EXPECT_EQ(left, shares(p));
        EXPECT_EQ(entered, shares(p + 1));
      }
    }
  }
}

}  // namespace
}  // namespace shiftcut
