// Clustering with a person in the loop: which pairs to ask about, and the grouping after each
// answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// How the pairs to ask about are chosen (Aronsson and Chehreghani 2024).
enum class Strategy {
  random,       // any pair
  uncertainty,  // those the similarity says least about: |S| smallest
  maxmin,       // the weakest side of an inconsistent triangle, the strongest such side
  maxexp,       // these sides by the expected cost of their triangles
  entropy,      // those least certain to be together or not, by mean field
};

/// What a person says about two objects.
struct Answer {
  enum class Says { different, same, unsure };

  std::uint32_t a = 0;
  std::uint32_t b = 0;
  Says says = Says::unsure;
};

struct FeedbackOptions {
  Strategy strategy = Strategy::entropy;
  /// Learns from the answers how much each feature counts and how strong the shift is
  /// (LinkOptions::learn), again whenever there are a quarter more of them. With more than
  /// `refit_objects` objects only when refit() is called: neighbours are searched again.
  bool learn = true;
  std::size_t refit_objects = 10'000;
};

struct Question {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double chance = 0.5;  // that they belong together, judging by the grouping
};

class Feedback {
 public:
  /// Groups the objects as run(input, options) does. `input` must outlive this. Throws what run()
  /// does.
  Feedback(const Input& input, const Options& options, const FeedbackOptions& how = {},
           const Control& control = {});
  ~Feedback();
  Feedback(Feedback&&) noexcept;
  Feedback& operator=(Feedback&&) noexcept;

  /// Up to `count` different pairs, the most useful first; fewer only where the answers imply all
  /// others. Pairs whose answer follows from earlier ones, or was "unsure", are left out. Scores a
  /// sample of the pairs: O(sample), not O(n^2).
  [[nodiscard]] std::vector<Question> next_pairs(std::size_t count);

  /// Adds answers and groups again, starting from the current grouping. Returns how many objects
  /// changed cluster. Throws std::invalid_argument, and adds none of them, for objects that do not
  /// exist, or answers that contradict earlier ones (with a minimal proof). Unless it may learn,
  /// weights and strength stay as they are, which takes less time.
  std::size_t answer(std::span<const Answer> answers, const Control& control = {},
                     bool may_learn = true);

  /// Takes the last `count` answers back. Returns how many objects changed; 0 where there was none.
  /// Groupings before the last few calls of answer() come back as they were.
  std::size_t undo(const Control& control = {}, std::size_t count = 1);

  /// Learns from all answers now and groups from scratch. Returns how many objects changed.
  std::size_t refit(const Control& control = {});

  /// In the order given.
  [[nodiscard]] const std::vector<Answer>& answers() const;
  /// Clusters keep their numbers from answer to answer as far as possible, so unlike those of run()
  /// they are not ordered by size.
  [[nodiscard]] const std::vector<std::int32_t>& labels() const;
  /// As run() gives it: its labels are numbered by size.
  [[nodiscard]] const Result& result() const;
  /// That the graph of features is made of, for explain() and layout(); null where there are none.
  [[nodiscard]] std::shared_ptr<const NeighborTable> neighbors() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace shiftcut
