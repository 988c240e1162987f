#include "similarity/learn_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/kernels/elementary.hpp"
#include "core/kernels/kernels.hpp"
#include "core/rng.hpp"
#include "similarity/minimise.hpp"
#include "similarity/tuning.hpp"

namespace shiftcut {

namespace {

using namespace similarity_tuning;

constexpr std::uint64_t kStream = std::uint64_t{1} << 42;  // of random numbers

struct Answers {
  std::size_t features = 0;
  std::vector<double> squares;  // a row of squared differences each, in units of their mean
  std::vector<double> says;     // +1 same, -1 different
  std::vector<double> weight;   // how much each counts

  [[nodiscard]] std::size_t size() const { return says.size(); }
  [[nodiscard]] const double* row(std::size_t a) const { return squares.data() + a * features; }
};

Answers answers_of(const FeatureRows& rows, const LinkOptions& pairs) {
  Answers answers;
  answers.features = rows.length();
  std::vector<double> first(rows.length());
  std::vector<double> second(rows.length());
  for (const auto* list : {&pairs.must_link, &pairs.cannot_link}) {
    for (const ObjectPair& pair : *list) {
      rows.row(pair.a, first.data());
      rows.row(pair.b, second.data());
      for (std::size_t f = 0; f < first.size(); ++f) {
        answers.squares.push_back((first[f] - second[f]) * (first[f] - second[f]));
      }
      answers.says.push_back(list == &pairs.must_link ? 1 : -1);
      answers.weight.push_back(portable_tanh(pair.weight / 2));
    }
  }
  const double sum = std::accumulate(answers.squares.begin(), answers.squares.end(), 0.0);
  const double unit = sum / static_cast<double>(std::max<std::size_t>(1, answers.squares.size()));
  for (double& square : answers.squares) {
    square /= unit > 0 ? unit : 1;
  }
  return answers;
}

bool are_enough(const Answers& answers) {
  const auto same = static_cast<std::size_t>(std::ranges::count(answers.says, 1.0));
  return same >= kFewest && answers.size() - same >= kFewest && answers.features > 1;
}

// b, then w: a weight per feature, or one for all of them.
struct Fit {
  double level = 0;
  std::vector<double> weights;
};

// -log P(answer), where z is the log-odds of what it says.
double surprise(double z) {
  return z > 0 ? portable_log1p(portable_exp(-z)) : portable_log1p(portable_exp(z)) - z;
}

double log_odds(const Answers& answers, std::size_t a, const Fit& fit) {
  return fit.level - dot(answers.row(a), fit.weights.data(), answers.features);
}

// Weights are the squares of unconstrained numbers u. `counts`: how often each answer is in the
// sample.
class Likelihood {
 public:
  Likelihood(const Answers& answers, const std::vector<double>& counts, double penalty, bool equal,
             const ThreadTeam& team)
      : answers_(answers), counts_(counts), penalty_(penalty), equal_(equal), team_(team) {}

  [[nodiscard]] Fit fit_of(std::span<const double> x) const {
    const std::size_t d = answers_.features;
    Fit fit{x[0], std::vector<double>(d)};
    for (std::size_t f = 0; f < d; ++f) {
      const double u = equal_ ? x[1] : x[1 + f];
      fit.weights[f] = u * u / static_cast<double>(d);
    }
    return fit;
  }

  double operator()(std::span<const double> x, std::span<double> gradient) const {
    team_.poll();
    const std::size_t d = answers_.features;
    const Fit fit = fit_of(x);
    std::vector<double> by_weight(d, 0.0);
    double by_level = 2 * kForLevel * fit.level;
    double value = kForLevel * fit.level * fit.level;
    for (std::size_t a = 0; a < answers_.size(); ++a) {
      const double count = counts_[a] * answers_.weight[a];
      if (count == 0) {
        continue;
      }
      const double z = answers_.says[a] * log_odds(answers_, a, fit);
      value += count * surprise(z);
      const double pull = -count * answers_.says[a] / (1 + portable_exp(z));  // by the log-odds
      by_level += pull;
      add_scaled(by_weight.data(), -pull, answers_.row(a), d);
    }
    const double mean =
        std::accumulate(fit.weights.begin(), fit.weights.end(), 0.0) / static_cast<double>(d);
    const double stiff = penalty_ * static_cast<double>(d);
    for (std::size_t f = 0; !equal_ && f < d; ++f) {
      const double away = fit.weights[f] - mean;
      value += stiff * away * away;
      by_weight[f] += 2 * stiff * away;
    }
    gradient[0] = by_level;
    std::fill(gradient.begin() + 1, gradient.end(), 0.0);
    for (std::size_t f = 0; f < d; ++f) {
      const std::size_t at = equal_ ? 1 : 1 + f;
      gradient[at] += by_weight[f] * 2 * x[at] / static_cast<double>(d);
    }
    return value;
  }

 private:
  const Answers& answers_;
  const std::vector<double>& counts_;
  double penalty_;
  bool equal_;
  const ThreadTeam& team_;
};

// Fits to a sample of the answers, each starting from the result of the one before.
class Fitting {
 public:
  Fitting(const Answers& answers, std::vector<double> counts, const ThreadTeam& team)
      : answers_(answers), counts_(std::move(counts)), team_(team) {}

  Fit equal() {
    const Likelihood likelihood(answers_, counts_, 0, true, team_);
    const std::vector<double> x = minimise(std::ref(likelihood), {1, 1}, kTolerance, kMostSteps);
    x_.assign(1 + answers_.features, x[1]);
    x_[0] = x[0];
    return likelihood.fit_of(x);
  }

  // After equal().
  Fit with(double penalty) {
    const Likelihood likelihood(answers_, counts_, penalty, false, team_);
    for (std::size_t f = 1; f < x_.size(); ++f) {  // no weight could leave 0
      x_[f] = std::max(std::abs(x_[f]), kNotStuck);
    }
    x_ = minimise(std::ref(likelihood), std::move(x_), kTolerance, kMostSteps);
    return likelihood.fit_of(x_);
  }

 private:
  const Answers& answers_;
  std::vector<double> counts_;
  const ThreadTeam& team_;
  std::vector<double> x_;
};

// For each penalty and answer: how much less surprising the answer is to a fit that did not see it
// than to equal weights that did not see it.
std::vector<std::vector<double>> held_out_gains(const Answers& answers, Rng& rng,
                                                ThreadTeam& team) {
  std::vector<std::size_t> fold(answers.size());
  for (std::size_t a = 0; a < fold.size(); ++a) {
    fold[a] = a % kFolds;
  }
  for (std::size_t a = fold.size(); a > 1; --a) {
    std::swap(fold[a - 1], fold[rng.below(static_cast<std::uint32_t>(a))]);
  }
  const std::size_t kinds = 1 + kPenalties.size();  // the first: equal weights
  std::vector<std::vector<double>> loss(kinds, std::vector<double>(answers.size()));
  team.for_each(kFolds, [&](std::size_t held_out, int) {
    std::vector<double> counts(answers.size());
    for (std::size_t a = 0; a < counts.size(); ++a) {
      counts[a] = fold[a] == held_out ? 0 : 1;
    }
    Fitting fitting(answers, std::move(counts), team);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const Fit found = kind == 0 ? fitting.equal() : fitting.with(kPenalties[kind - 1]);
      for (std::size_t a = 0; a < answers.size(); ++a) {
        if (fold[a] == held_out) {
          loss[kind][a] =
              answers.weight[a] * surprise(answers.says[a] * log_odds(answers, a, found));
        }
      }
    }
  });
  std::vector<std::vector<double>> gains(kPenalties.size(), std::vector<double>(answers.size()));
  for (std::size_t p = 0; p < gains.size(); ++p) {
    for (std::size_t a = 0; a < answers.size(); ++a) {
      gains[p][a] = loss[0][a] - loss[1 + p][a];
    }
  }
  return gains;
}

// The best penalty among those that beat equal weights by more than a standard error, and its gain;
// or 0.
std::pair<double, double> best_penalty(const std::vector<std::vector<double>>& gains) {
  std::pair<double, double> best{0, 0};
  for (std::size_t p = 0; p < gains.size(); ++p) {
    const auto count = static_cast<double>(gains[p].size());
    const double mean = std::accumulate(gains[p].begin(), gains[p].end(), 0.0) / count;
    double squares = 0;
    for (const double gain : gains[p]) {
      squares += (gain - mean) * (gain - mean);
    }
    const double error = std::sqrt(squares / count / count);
    if (mean > error && mean > best.second) {
      best = {kPenalties[p], mean};
    }
  }
  return best;
}

// Scaled to mean 1; empty if all weights vanish.
std::vector<double> normalised(std::vector<double> weights) {
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  if (!(mean > 1e-9)) {
    return {};
  }
  for (double& weight : weights) {
    weight /= mean;
  }
  return weights;
}

// Standard deviations of the weights over fits to answers drawn with replacement.
std::vector<double> spread_of(const Answers& answers, double penalty, std::uint64_t seed,
                              ThreadTeam& team) {
  std::vector<std::vector<double>> refits(kRefits);
  team.for_each(kRefits, [&](std::size_t r, int) {
    Rng rng(seed, kStream + 1 + r);
    std::vector<double> counts(answers.size(), 0.0);
    for (std::size_t draw = 0; draw < counts.size(); ++draw) {
      counts[rng.below(static_cast<std::uint32_t>(counts.size()))] += 1;
    }
    Fitting fitting(answers, std::move(counts), team);
    fitting.equal();
    refits[r] = normalised(fitting.with(penalty).weights);
  });
  std::erase_if(refits, [](const auto& weights) { return weights.empty(); });
  std::vector<double> spread(answers.features, 0.0);
  for (std::size_t f = 0; f < spread.size() && refits.size() > 1; ++f) {
    double sum = 0;
    double squares = 0;
    for (const auto& weights : refits) {
      sum += weights[f];
      squares += weights[f] * weights[f];
    }
    const auto count = static_cast<double>(refits.size());
    spread[f] = std::sqrt(std::max(0.0, (squares - sum * sum / count) / (count - 1)));
  }
  return spread;
}

}  // namespace

LearnedWeights without_gain(std::size_t features) {
  return {std::vector<double>(features, 1.0), std::vector<double>(features, 0.0), 0};
}

LearnedWeights learn_weights(const FeatureRows& rows, const LinkOptions& pairs, std::uint64_t seed,
                             ThreadTeam& team) {
  const Answers answers = answers_of(rows, pairs);
  LearnedWeights learned = without_gain(answers.features);
  if (!are_enough(answers)) {
    return learned;
  }
  Rng rng(seed, kStream);
  const auto [penalty, gain] = best_penalty(held_out_gains(answers, rng, team));
  if (!(gain > 0)) {
    return learned;
  }
  Fitting fitting(answers, std::vector<double>(answers.size(), 1.0), team);
  fitting.equal();
  std::vector<double> weights = normalised(fitting.with(penalty).weights);
  if (weights.empty()) {
    return learned;
  }
  learned.weights = std::move(weights);
  learned.spread = spread_of(answers, penalty, seed, team);
  learned.gain = gain;
  return learned;
}

}  // namespace shiftcut
