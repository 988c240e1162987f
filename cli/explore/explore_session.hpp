// What the explorer knows and does, whoever asks: the grouping with its map, questions and answers.
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

#include "label/record_pair.hpp"
#include "output/output_file.hpp"
#include "shiftcut/shiftcut.hpp"

/// A request was made on a grouping that has changed since: another window did.
struct OutOfDate : std::runtime_error {
  OutOfDate() : std::runtime_error("the groups have changed since; reload to see them") {}
};

/// Every change is in the file of answers, on disk, before the reply says so. Requests may come
/// from several threads: they are taken one by one. A change names the version it was made on, so
/// that two windows never change what the other has not seen.
///
/// Names and cells come from the data: they are made harmless and cut to kMostText bytes.
class ExploreSession {
 public:
  using Json = nlohmann::json;
  static constexpr std::size_t kMostText = 2000;

  /// `links` are those beside the answers, for explanations.
  ExploreSession(const shiftcut::Input& input, const shiftcut::Options& options,
                 shiftcut::Feedback& feedback, const Records& records, OutputFile answers,
                 shiftcut::Layout layout, shiftcut::Control control);

  /// All there is to draw: version, labels, layout, clusters, the path over strengths, warnings.
  [[nodiscard]] Json state();
  /// Why an object is where it is.
  [[nodiscard]] Json explain(std::size_t object);
  /// Objects whose id holds the text, or of that row number; at most kMostMatches.
  [[nodiscard]] Json search(std::string_view text);
  /// The next pair to ask about, side by side.
  [[nodiscard]] Json question();
  /// Takes {a, b, says, version}. What has changed: [object, label] of each object that moved.
  /// Throws OutOfDate, and std::invalid_argument for a contradiction (with its proof).
  Json answer(const Json& body);
  /// Takes the last answer back: {version}.
  Json undo(const Json& body);

  [[nodiscard]] std::string labels_csv();
  [[nodiscard]] std::string answers_csv();

 private:
  struct Asked {
    std::uint32_t a;
    std::uint32_t b;
    std::optional<double> chance;  // unknown for a question that comes back
  };

  template <class Change, class Revert>
  Json change(const Json& body, const Change& make, const Revert& revert);
  [[nodiscard]] Json clusters() const;
  [[nodiscard]] std::string name(std::size_t object) const;
  [[nodiscard]] std::size_t object_in(const Json& body, const char* field) const;

  const shiftcut::Input& input_;
  shiftcut::Options options_;
  shiftcut::Feedback& feedback_;
  const Records& records_;
  OutputFile answers_;
  shiftcut::Layout layout_;
  shiftcut::Control control_;
  std::optional<Asked> asked_;  // until it is answered, every window sees the same question
  std::uint64_t version_ = 0;
  std::mutex mutex_;
};
