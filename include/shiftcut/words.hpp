// The words of the enums, in the order in which they are listed: one table for the command line,
// Python, files and JSON.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "shiftcut/data.hpp"
#include "shiftcut/describe.hpp"
#include "shiftcut/feedback.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/read.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

template <class Enum>
struct Word {
  Enum value;
  std::string_view word;
};

/// The words of an enum; of an enum without words, none.
template <class Enum>
inline constexpr std::array<Word<Enum>, 0> kWords = {};

template <>
inline constexpr auto kWords<Similarity> = std::to_array<Word<Similarity>>({
    {Similarity::automatic, "auto"},
    {Similarity::neighbors, "neighbors"},
    {Similarity::linear, "linear"},
    {Similarity::cosine, "cosine"},
    {Similarity::rbf, "rbf"},
});

template <>
inline constexpr auto kWords<Scale> = std::to_array<Word<Scale>>({
    {Scale::automatic, "auto"},
    {Scale::standard, "standard"},
    {Scale::minmax, "minmax"},
    {Scale::none, "none"},
});

template <>
inline constexpr auto kWords<Metric> = std::to_array<Word<Metric>>({
    {Metric::automatic, "auto"},
    {Metric::euclidean, "euclidean"},
    {Metric::cosine, "cosine"},
    {Metric::correlation, "correlation"},
    {Metric::manhattan, "manhattan"},
    {Metric::chebyshev, "chebyshev"},
    {Metric::canberra, "canberra"},
    {Metric::braycurtis, "braycurtis"},
    {Metric::hamming, "hamming"},
    {Metric::jaccard, "jaccard"},
});

template <>
inline constexpr auto kWords<Distance> = std::to_array<Word<Distance>>({
    {Distance::sqeuclidean, "sqeuclidean"},
    {Distance::euclidean, "euclidean"},
});

template <>
inline constexpr auto kWords<Weights> = std::to_array<Word<Weights>>({
    {Weights::shared, "shared"},
    {Weights::binary, "binary"},
    {Weights::gaussian, "gaussian"},
    {Weights::log_odds, "log-odds"},
});

/// ShiftKind::by_default has no word: it is what a user leaves out.
template <>
inline constexpr auto kWords<ShiftKind> = std::to_array<Word<ShiftKind>>({
    {ShiftKind::automatic, "auto"},
    {ShiftKind::adaptive, "adaptive"},
    {ShiftKind::degree, "degree"},
    {ShiftKind::none, "none"},
    {ShiftKind::constant, "constant"},
    {ShiftKind::matrix, "matrix"},
    {ShiftKind::linkage, "linkage"},
});

template <>
inline constexpr auto kWords<Method> = std::to_array<Word<Method>>({
    {Method::automatic, "auto"},
    {Method::local_search, "local-search"},
    {Method::multilevel, "multilevel"},
    {Method::annealing, "annealing"},
    {Method::frank_wolfe, "frank-wolfe"},
});

template <>
inline constexpr auto kWords<Format> = std::to_array<Word<Format>>({
    {Format::automatic, "auto"},
    {Format::csv, "csv"},
    {Format::tsv, "tsv"},
    {Format::npy, "npy"},
    {Format::npz, "npz"},
    {Format::mtx, "mtx"},
    {Format::edges, "edges"},
    {Format::metis, "metis"},
    {Format::parquet, "parquet"},
    {Format::arrow, "arrow"},
});

template <>
inline constexpr auto kWords<Shape> = std::to_array<Word<Shape>>({
    {Shape::features, "features"},
    {Shape::similarity, "similarity"},
    {Shape::distance, "distance"},
    {Shape::graph, "graph"},
});

template <>
inline constexpr auto kWords<ShapeChoice> = std::to_array<Word<ShapeChoice>>({
    {ShapeChoice::automatic, "auto"},
    {ShapeChoice::features, "features"},
    {ShapeChoice::similarity, "similarity"},
    {ShapeChoice::distance, "distance"},
    {ShapeChoice::graph, "graph"},
});

template <>
inline constexpr auto kWords<Strategy> = std::to_array<Word<Strategy>>({
    {Strategy::entropy, "entropy"},
    {Strategy::maxexp, "maxexp"},
    {Strategy::maxmin, "maxmin"},
    {Strategy::uncertainty, "uncertainty"},
    {Strategy::random, "random"},
});

template <>
inline constexpr auto kWords<Answer::Says> = std::to_array<Word<Answer::Says>>({
    {Answer::Says::same, "same"},
    {Answer::Says::different, "different"},
    {Answer::Says::unsure, "unsure"},
});

template <>
inline constexpr auto kWords<ColumnContrast::Measure> =
    std::to_array<Word<ColumnContrast::Measure>>({
        {ColumnContrast::Measure::median, "median"},
        {ColumnContrast::Measure::mean, "mean"},
        {ColumnContrast::Measure::share, "share"},
    });

template <>
inline constexpr auto kWords<StopReason> = std::to_array<Word<StopReason>>({
    {StopReason::converged, "converged"},
    {StopReason::max_seconds, "max_seconds"},
    {StopReason::interrupted, "interrupted"},
});

/// Empty for a value without a word.
template <class Enum>
constexpr std::string_view word_of(Enum value) {
  for (const auto& [known, word] : kWords<Enum>) {
    if (known == value) {
      return word;
    }
  }
  return {};
}

template <class Enum>
constexpr std::optional<Enum> from_word(std::string_view text) {
  for (const auto& [value, word] : kWords<Enum>) {
    if (word == text) {
      return value;
    }
  }
  return std::nullopt;
}

/// All words as a sentence lists them: "same, different or unsure".
template <class Enum>
std::string list_words() {
  const auto& words = kWords<Enum>;
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    list += i == 0 ? "" : i + 1 < words.size() ? ", " : " or ";
    list += words[i].word;
  }
  return list;
}

}  // namespace shiftcut
