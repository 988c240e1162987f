#include "shiftcut/feedback.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <stdexcept>

#include <fmt/core.h>

#include "core/keep_numbers.hpp"
#include "core/message.hpp"
#include "feedback/choose_pairs.hpp"
#include "feedback/tuning.hpp"
#include "input/check_input.hpp"
#include "run/pipeline.hpp"

namespace shiftcut {

namespace {

using namespace feedback_tuning;

std::vector<ClusterId> as_clusters(const std::vector<std::int32_t>& labels) {
  return {labels.begin(), labels.end()};
}

}  // namespace

class Feedback::State {
 public:
  State(const Input& input, const Options& options, const FeedbackOptions& how,
        const Control& control)
      : input_(input),
        options_(options),
        how_(how),
        team_(options.search.threads),
        rng_(options.search.seed) {
    check_options(input, options);
    if (!input.checked) {
      check_input(input, Control{});
    }
    check_links_of(input, options);
    if (options.search.min_size > 0 || options.search.max_size > 0) {
      refuse("not_applicable", options.search.min_size > 0 ? "min_size" : "max_size",
             "{min_size} and {max_size}: found with questions about pairs; allowed: only in a "
             "clustering without them");
    }
    options_ = with_chosen_similarity(input, options, team_);
    nodes_ = std::make_unique<RowNodes>(input, options_, team_);
    if (nodes_->leave_rows()) {
      refuse("not_applicable", "weight_column",
             "{weight_column}: found rows of weight 0, which nothing can be said about; allowed: "
             "weights above 0");
    }
    start(control);
    if (options.similarity.kind == Similarity::automatic &&
        options_.similarity.kind == Similarity::cosine &&
        result_.clusters_found < result_.clusters_asked.value_or(0)) {  // as run() does
      options_.similarity.kind = Similarity::neighbors;
      options_ = with_chosen_similarity(input, options_, team_);
      start(control);
    }
  }

  std::vector<Question> next_pairs(std::size_t count) {
    Rng rng(options_.search.seed, kFeedbackStream + answers_.size());
    const PairView view(prepared_->problem, prepared_->similarities.weights, constraints_,
                        unsure());
    std::vector<Question> questions = choose_pairs(view, nodes_->node_labels(as_clusters(labels_)),
                                                   how_.strategy, count, rng, team_);
    for (Question& question : questions) {
      question.a = nodes_->row(question.a);
      question.b = nodes_->row(question.b);
    }
    return questions;
  }

  std::size_t answer(std::span<const Answer> answers, const Control& control, bool may_learn) {
    check(answers);
    const std::size_t before = answers_.size();
    answers_.insert(answers_.end(), answers.begin(), answers.end());
    bool are_split = false;
    try {
      check_links_of(input_, known());
      are_split = set_constraints();
    } catch (...) {
      answers_.resize(before);
      set_constraints();
      throw;
    }
    remember(before);
    const bool learns =
        may_learn && how_.learn && input_.objects() <= how_.refit_objects && is_due();
    if (are_split && !learns) {
      prepare_nodes(known(), control);
    }
    return learns ? refit(control) : solve_from_here(control);
  }

  std::size_t undo(const Control& control, std::size_t count) {
    if (answers_.empty() || count == 0) {
      return 0;
    }
    answers_.resize(answers_.size() - std::min(count, answers_.size()));
    if (set_constraints()) {
      prepare_nodes(known(), control);
    }
    while (!remembered_.empty() && remembered_.back().answers > answers_.size()) {
      remembered_.pop_back();
    }
    if (!remembered_.empty() && remembered_.back().answers == answers_.size()) {
      Remembered back = std::move(remembered_.back());
      remembered_.pop_back();
      std::size_t changed = 0;
      for (std::size_t i = 0; i < labels_.size(); ++i) {
        changed += labels_[i] != back.labels[i] ? 1 : 0;
      }
      result_ = std::move(back.result);
      labels_ = std::move(back.labels);
      return changed;
    }
    return solve_from_here(control);
  }

  void start(const Control& control) {
    set_constraints();
    prepare_nodes(options_, control);
    StopCheck stop(control, Clock::now(), options_.search.max_seconds);
    result_ = solved({rng_, team_, stop}, {});
    labels_ = result_.labels;
  }

  std::size_t refit(const Control& control) {
    Options options = known();
    options.links.learn = how_.learn;
    prepare_nodes(options, control);
    StopCheck stop(control, Clock::now(), options.search.max_seconds);
    learned_from_ = said();
    const Context context{rng_, team_, stop};
    Result from_scratch = solved(context, {});
    Result again = solved(context, as_clusters(labels_));
    return take(again.cost <= from_scratch.cost ? std::move(again) : std::move(from_scratch));
  }

  [[nodiscard]] const std::vector<Answer>& answers() const { return answers_; }
  [[nodiscard]] const std::vector<std::int32_t>& labels() const { return labels_; }
  [[nodiscard]] const Result& result() const { return result_; }
  [[nodiscard]] std::shared_ptr<const NeighborTable> neighbors() const {
    return prepared_->similarities.neighbors;
  }

 private:
  struct Remembered {
    std::size_t answers;
    std::vector<std::int32_t> labels;
    Result result;
  };

  void check(std::span<const Answer> answers) const {
    for (const Answer& answer : answers) {
      const std::size_t n = input_.objects();
      if (answer.a >= n || answer.b >= n) {
        refuse("unknown_object", "answer", "{answer}: found object {}; allowed: 0 to {}",
               std::max(answer.a, answer.b), n - 1);
      }
      if (answer.a == answer.b) {
        refuse("pair_with_itself", "answer",
               "{answer}: found {} with itself; allowed: two different objects", answer.a);
      }
    }
  }

  // Which rows are one node, and what is known about nodes. Returns whether the nodes changed: an
  // answer may tell apart rows that are equal.
  bool set_constraints() {
    const Options options = known();
    RowNodes nodes = nodes_->with(options.links);
    const bool changed = nodes.of_rows() != nodes_->of_rows();
    if (changed) {
      *nodes_ = std::move(nodes);
    }
    constraints_ = constraints_of(input_, *nodes_, nodes_->options(options));
    return changed;
  }

  void prepare_nodes(const Options& options, const Control& control) {
    StopCheck unlimited(control, Clock::now(), 0);  // without similarities there is no feedback
    prepared_ = std::make_unique<Prepared>(
        prepare(nodes_->input(), nodes_->options(options), {rng_, team_, unlimited}));
    path_labels_ = path_labels_of(*prepared_, *nodes_, input_.objects());
  }

  // The options with the answers as constraints.
  [[nodiscard]] Options known() const {
    Options options = options_;
    for (const Answer& answer : answers_) {
      if (answer.says != Answer::Says::unsure) {
        auto& pairs =
            answer.says == Answer::Says::same ? options.links.must_link : options.links.cannot_link;
        pairs.push_back({answer.a, answer.b});
      }
    }
    return options;
  }

  [[nodiscard]] std::vector<ObjectPair> unsure() const {
    std::vector<ObjectPair> pairs;
    for (const Answer& answer : answers_) {
      if (answer.says == Answer::Says::unsure) {
        pairs.push_back({nodes_->of(answer.a), nodes_->of(answer.b)});
      }
    }
    return pairs;
  }

  [[nodiscard]] std::size_t said() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        answers_, [](const Answer& answer) { return answer.says != Answer::Says::unsure; }));
  }

  [[nodiscard]] bool is_due() const {
    const auto least = kMoreAnswersToLearn * static_cast<double>(learned_from_);
    return said() >= kLeastAnswersToLearn && static_cast<double>(said()) >= least;
  }

  void remember(std::size_t answers) {
    remembered_.push_back({answers, labels_, result_});
    if (remembered_.size() > kRememberedGroupings) {
      remembered_.pop_front();
    }
  }

  // From `start`, or from scratch if that is empty.
  Result solved(const Context& context, const std::vector<ClusterId>& start) {
    const Clock::time_point begun = Clock::now();
    Solution solution =
        start.empty() ? solve(*prepared_, constraints_, context)
                      : solve_again(*prepared_, constraints_, nodes_->node_labels(start), context);
    Result result = make_result(input_, known(), *nodes_, *prepared_, std::move(solution), context);
    result.path_labels = path_labels_;
    result.seconds.search = seconds_since(begun);
    result.seconds.total = result.seconds.search;
    return result;
  }

  std::size_t solve_from_here(const Control& control) {
    StopCheck stop(control, Clock::now(), options_.search.max_seconds);
    return take(solved({rng_, team_, stop}, as_clusters(labels_)));
  }

  std::size_t take(Result result) {
    std::vector<std::int32_t> labels = result.labels;
    const std::size_t changed = keep_numbers(labels_, labels);
    result_ = std::move(result);
    labels_ = std::move(labels);
    return changed;
  }

  const Input& input_;
  Options options_;
  FeedbackOptions how_;
  ThreadTeam team_;
  Rng rng_;  // searches make streams of their own
  std::vector<Answer> answers_;
  std::unique_ptr<RowNodes> nodes_;
  std::unique_ptr<Prepared> prepared_;
  std::shared_ptr<const PathLabels> path_labels_;
  std::optional<Constraints> constraints_;
  std::vector<std::int32_t> labels_;
  Result result_;
  std::deque<Remembered> remembered_;
  std::size_t learned_from_ = 0;  // answers
};

Feedback::Feedback(const Input& input, const Options& options, const FeedbackOptions& how,
                   const Control& control)
    : state_(std::make_unique<State>(input, options, how, control)) {}
Feedback::~Feedback() = default;
Feedback::Feedback(Feedback&&) noexcept = default;
Feedback& Feedback::operator=(Feedback&&) noexcept = default;

std::vector<Question> Feedback::next_pairs(std::size_t count) { return state_->next_pairs(count); }
std::size_t Feedback::answer(std::span<const Answer> answers, const Control& control,
                             bool may_learn) {
  return state_->answer(answers, control, may_learn);
}
std::size_t Feedback::undo(const Control& control, std::size_t count) {
  return state_->undo(control, count);
}
std::size_t Feedback::refit(const Control& control) { return state_->refit(control); }
const std::vector<Answer>& Feedback::answers() const { return state_->answers(); }
const std::vector<std::int32_t>& Feedback::labels() const { return state_->labels(); }
const Result& Feedback::result() const { return state_->result(); }
std::shared_ptr<const NeighborTable> Feedback::neighbors() const { return state_->neighbors(); }

}  // namespace shiftcut
