// The data of a page, section by section in the order in which it shows them. No section holds
// times, threads or dates: the same run makes the same page.
#include "shiftcut/page.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "core/message.hpp"
#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "page/json.hpp"
#include "page/map_section.hpp"
#include "page/page_template.hpp"
#include "page/sample.hpp"
#include "page/sections.hpp"
#include "page/tuning.hpp"
#include "shiftcut/version.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

using namespace page_tuning;

constexpr std::string_view kDataMark = "\"SHIFTCUT_REPORT_DATA\"";  // as JSON

// The first sizes, and how many clusters and objects the others are.
Json sizes_section(const std::vector<std::size_t>& sizes, std::size_t most) {
  const std::size_t shown = std::min(sizes.size(), most);
  const auto end = sizes.begin() + static_cast<std::ptrdiff_t>(shown);
  return {{"sizes", std::vector<std::size_t>(sizes.begin(), end)},
          {"other_clusters", sizes.size() - shown},
          {"other_objects", std::accumulate(end, sizes.end(), std::size_t{0})}};
}

Json about_section(const Input& input, const Result& result, const PageOptions& page) {
  const auto* dense = std::get_if<DenseArray>(&input.values);
  const bool has_columns = input.shape == Shape::features;
  const std::size_t columns =
      dense != nullptr ? dense->columns() : std::get<SparseMatrix>(input.values).columns_count;
  return {{"title", shown_name(page.title.empty() ? input.name : page.title)},
          {"shape", word_of(input.shape)},
          {"objects", result.objects},
          {"columns", has_columns ? Json(columns) : Json()},
          {"similarity", result.similarity},
          {"distance", result.distance},
          {"metric", result.metric},
          {"scale", result.scale},
          {"scale_reason", result.scale_reason},
          {"cost", std::isfinite(result.cost) ? Json(result.cost) : Json()},
          {"stop_reason", word_of(result.stop_reason)},
          {"version", kVersion},
          {"seed", std::to_string(result.seed)},  // exact: numbers of JavaScript are doubles
          {"command", shown_name(page.command, kLongestCommand)}};
}

Json warnings_section(const Result& result, Naming naming) {
  Json list = Json::array();
  for (const Message& warning : result.warnings) {
    list.push_back({{"code", warning.code}, {"text", render(warning, naming)}});
  }
  return list;
}

// The point whose strength was taken.
std::size_t chosen_point(const Result& result) {
  const auto away = [&](const PathPoint& point) {
    return std::abs(point.strength - result.shift_strength);
  };
  return static_cast<std::size_t>(std::ranges::min_element(result.shift_path, {}, away) -
                                  result.shift_path.begin());
}

// The largest clusters of a point by decreasing size, and the place of each among them; all others
// have the place after the last.
struct ShownClusters {
  std::vector<std::size_t> sizes;     // of all clusters
  std::vector<std::int32_t> numbers;  // of those shown
  std::vector<std::size_t> place_of;  // by number

  ShownClusters(const PathLabels& path, std::size_t point) {
    std::vector<std::pair<std::size_t, std::int32_t>> clusters;
    for (const std::int32_t label : labels_at_point(path, point)) {
      if (label >= 0) {
        const auto k = static_cast<std::size_t>(label);
        while (clusters.size() <= k) {
          clusters.emplace_back(0, static_cast<std::int32_t>(clusters.size()));
        }
        ++clusters[k].first;
      }
    }
    place_of.assign(clusters.size(), kMostSizesOnPath);
    std::ranges::stable_sort(clusters, std::greater<>(), [](const auto& one) { return one.first; });
    for (const auto& [size, number] : clusters) {
      if (size > 0) {
        sizes.push_back(size);
      }
      if (size > 0 && numbers.size() < kMostSizesOnPath) {
        place_of[static_cast<std::size_t>(number)] = numbers.size();
        numbers.push_back(number);
      }
    }
    std::ranges::replace(place_of, kMostSizesOnPath, numbers.size());
  }
};

// [place at this point, place at the next, objects]: at most (kMostSizesOnPath + 1)^2 of them.
Json flows_section(const PathLabels& path, std::size_t point, const ShownClusters& here,
                   const ShownClusters& next) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> sums;
  for (const Flow& flow : flows_from(path, point)) {
    sums[{here.place_of[static_cast<std::size_t>(flow.from)],
          next.place_of[static_cast<std::size_t>(flow.to)]}] += flow.objects;
  }
  Json flows = Json::array();
  for (const auto& [places, objects] : sums) {
    Json flow = Json::array();
    flow.push_back(places.first);
    flow.push_back(places.second);
    flow.push_back(objects);
    flows.push_back(std::move(flow));
  }
  return flows;
}

Json points_section(const Result& result) {
  const bool has_labels =
      result.path_labels != nullptr && result.path_labels->points() == result.shift_path.size();
  PathLabels path;
  std::vector<ShownClusters> shown;
  if (has_labels) {
    path = numbered_after(*result.path_labels, chosen_point(result), result.labels);
    for (std::size_t p = 0; p < path.points(); ++p) {
      shown.emplace_back(path, p);
    }
  }
  Json points = Json::array();
  for (std::size_t p = 0; p < result.shift_path.size(); ++p) {
    const PathPoint& point = result.shift_path[p];
    Json entry = sizes_section(has_labels ? shown[p].sizes : point.sizes, kMostSizesOnPath);
    entry["strength"] = point.strength;
    entry["clusters"] = point.clusters;
    entry["criterion"] = point.criterion;
    entry["agreement"] = point.agreement;
    entry["numbers"] = has_labels ? Json(shown[p].numbers) : Json();
    entry["flows"] = has_labels && p + 1 < shown.size()
                         ? flows_section(path, p, shown[p], shown[p + 1])
                         : Json();
    points.push_back(std::move(entry));
  }
  return points;
}

Json path_section(const Result& result) {
  Json judged = Json::array();
  for (const JudgedNumber& number : result.judged_numbers) {
    judged.push_back(
        {{"clusters", number.clusters}, {"length", number.length}, {"score", number.score}});
  }
  return {{"kind", result.shift_kind},
          {"strength", result.shift_strength},
          {"constant", result.shift_constant ? Json(*result.shift_constant) : Json()},
          {"points", points_section(result)},
          {"judged", std::move(judged)}};
}

Json agreement_section(const Result& result) {
  if (!result.agreement) {
    return {};
  }
  return {{"voters", result.agreement->voters},
          {"agreeing", result.agreement->agreeing},
          {"score", result.agreement->score},
          {"contested", result.agreement->contested_count}};
}

}  // namespace

bool has_page() { return !page_template().empty(); }

std::string page_json(const Input& input, const Options& options, const Result& result,
                      const PageOptions& page, const NeighborTable* neighbors,
                      const Control& control) {
  ThreadTeam team(options.search.threads);
  StopCheck stop(control, Clock::now(), 0);
  const StopScope scope(team, stop);
  Json clusters = sizes_section(result.sizes, kMostSizes);
  clusters["asked"] = result.clusters_asked ? Json(*result.clusters_asked) : Json();
  clusters["found"] = result.clusters_found;
  const std::vector<ObjectId> drawn = fair_sample(result, page.most_objects);
  const auto worked_out = [&](const auto& section) {
    try {
      return control.stop_requested() ? Json() : Json(section());
    } catch (const Interrupted&) {
      return Json();
    }
  };
  Json standing;
  Json blocks;
  if (!result.labels.empty() && result.shift_kind != "matrix") {
    standing = worked_out([&] {
      const Standings found = standings(input, options, result, neighbors, drawn, team, control);
      blocks = blocks_section(found.blocks);
      return standing_section(found, input, result);
    });
  }
  Json described;
  if (result.sizes.size() > 1) {
    described = worked_out(
        [&] { return described_section(input, options, result, neighbors, drawn, control); });
  }
  Json data;
  data["about"] = about_section(input, result, page);
  data["clusters"] = std::move(clusters);
  data["warnings"] = warnings_section(result, page.naming);
  data["agreement"] = agreement_section(result);
  data["map"] = worked_out(
      [&] { return map_section(input, options, result, page.places, drawn, neighbors, control); });
  data["described"] = std::move(described);
  data["blocks"] = std::move(blocks);
  data["path"] = path_section(result);
  data["standing"] = std::move(standing);
  data["classes"] = classes_section(input, result);
  return script_text(data);
}

std::string page_html(const Input& input, const Options& options, const Result& result,
                      const PageOptions& page, const NeighborTable* neighbors,
                      const Control& control) {
  const std::string_view html = page_template();
  const std::size_t mark = html.find(kDataMark);
  if (mark == std::string_view::npos) {
    throw ResourceError(
        message("no_page", "report",
                "{report}: this shiftcut was built without the page of reports; build it again "
                "after `make web`, or install a wheel"));
  }
  std::string out(html.substr(0, mark));
  out += page_json(input, options, result, page, neighbors, control);
  out += html.substr(mark + kDataMark.size());
  return out;
}

}  // namespace shiftcut
