// One grouping as several windows see it, and the changes they make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "explore/steps.hpp"
#include "explore/teaching.hpp"
#include "shiftcut/explore.hpp"
#include "shiftcut/path_labels.hpp"
#include "shiftcut/shiftcut.hpp"

namespace shiftcut {

/// A request was made on a grouping that has changed since: another window did.
struct OutOfDate : std::runtime_error {
  OutOfDate() : std::runtime_error("the groups have changed since; reload to see them") {}
};

class Explorer::Session {
 public:
  using Json = nlohmann::json;

  Session(const Input& input, const Options& options, Feedback& feedback, const Records& records,
          Layout layout, ExploreOptions how, Control control);

  [[nodiscard]] std::mutex& mutex() { return mutex_; }
  [[nodiscard]] std::string message_of(const std::exception& error) const {
    return harmless(render(error, how_.naming));
  }

  /// All but what is known of each object: version, clusters, the path over strengths, warnings.
  [[nodiscard]] Json state();
  /// x and y of each object, float32, least significant byte first.
  [[nodiscard]] std::string places() const;
  /// The version and the label of each object, int32: those at a point of the path, if one is
  /// given.
  [[nodiscard]] std::string labels(std::optional<std::size_t> point);
  /// Why an object is where it is.
  [[nodiscard]] Json explain(std::size_t object);
  /// Objects whose id or a cell of whose row holds the text, or of that row number.
  [[nodiscard]] Json search(const std::string& text);
  /// Takes {objects}; the names and cells of the first kMostRows of them.
  [[nodiscard]] Json rows(const Json& body);
  /// The next pair to ask about, side by side.
  [[nodiscard]] Json question();
  /// The data of a report on the grouping, and the number that each of its clusters has here.
  [[nodiscard]] std::string sections();

  // Changes take the version they were made on, and tell what has changed: the objects that moved.
  // They throw OutOfDate, and std::invalid_argument for a contradiction (with its proof).
  Json answer(const Json& body);  // {a, b, says}
  Json merge(const Json& body);   // {clusters: [a, b]}
  Json move(const Json& body);    // {objects, cluster}
  Json split(const Json& body);   // {objects}
  Json pin(const Json& body);     // {object}
  Json undo(const Json& body);    // takes the last of these back, whole

  [[nodiscard]] std::string labels_csv();
  [[nodiscard]] std::string answers_csv();
  [[nodiscard]] std::string model();
  [[nodiscard]] std::string report();

 private:
  struct Asked {
    std::uint32_t a;
    std::uint32_t b;
    std::optional<double> chance;  // unknown for a question that comes back
  };
  template <class Make>
  Json change(const Json& body, const std::string& step, const Make& make);
  Json teach(const Json& body, Lesson& lesson, const std::string& what);
  void require_version(const Json& body) const;
  [[nodiscard]] Json clusters() const;
  [[nodiscard]] Json path();
  [[nodiscard]] const PathLabels* path_labels();
  [[nodiscard]] std::size_t chosen_point() const;
  [[nodiscard]] std::string name(std::size_t object) const;
  /// The number here of each cluster of the result, which numbers them by size.
  [[nodiscard]] std::vector<std::int32_t> kept_numbers() const;
  /// With the answers as links.
  [[nodiscard]] Options options_now() const;
  [[nodiscard]] PageOptions about_page() const;

  const Input& input_;
  Options options_;
  Feedback& feedback_;
  const Records& records_;
  Layout layout_;
  ExploreOptions how_;
  Control control_;
  Steps steps_;
  std::optional<Asked> asked_;  // until it is answered, every window sees the same question
  std::shared_ptr<const PathLabels> path_from_;  // of the result that path_ was numbered after
  PathLabels path_;
  std::uint32_t version_ = 0;
  std::optional<std::pair<std::uint32_t, std::string>> sections_;  // of a version
  std::mutex mutex_;
};

}  // namespace shiftcut
