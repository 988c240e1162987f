#include "layout/spread.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rng.hpp"
#include "layout/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

using namespace layout_tuning;

// When each edge is drawn next, in epochs, and how many epochs lie between.
struct Schedule {
  std::vector<float> next;
  std::vector<float> between;
};

Schedule schedule_of(const FuzzyGraph& graph, int epochs, std::uint64_t seed) {
  const float largest = *std::ranges::max_element(graph.weights);
  Schedule schedule;
  schedule.next.resize(graph.weights.size());
  schedule.between.resize(graph.weights.size());
  for (std::size_t e = 0; e < graph.weights.size(); ++e) {
    const float between = largest / graph.weights[e];
    const auto part = static_cast<float>(mix(seed ^ mix(e)) >> 40) * 0x1p-24F;
    schedule.between[e] = between;
    schedule.next[e] =
        between > static_cast<float>(epochs) ? static_cast<float>(epochs) + 1 : part * between;
  }
  return schedule;
}

double clipped(double change) { return std::clamp(change, -kMostChange, kMostChange); }

// What one epoch does. An object reads the places of the epoch before and returns its own.
class Epoch {
 public:
  Epoch(const FuzzyGraph& graph, Schedule& schedule, std::uint64_t seed, const Layout& places)
      : graph_(graph), schedule_(schedule), seed_(seed), places_(places) {}

  void begin(int epoch, double step) {
    epoch_ = epoch;
    step_ = step;
  }

  // Where i goes.
  Place moved(std::size_t i) {
    Place own = places_[i];
    std::uint64_t random = mix(seed_ ^ mix(static_cast<std::uint64_t>(epoch_) << 32 | i));
    double owed = static_cast<double>(random >> 40) * 0x1p-24;
    for (std::size_t e = graph_.offsets[i]; e < graph_.offsets[i + 1]; ++e) {
      if (schedule_.next[e] > static_cast<float>(epoch_)) {
        continue;
      }
      schedule_.next[e] += schedule_.between[e];
      attract(own, places_[graph_.others[e]]);
      for (owed += kPushes; owed >= 1; owed -= 1) {
        random = mix(random);
        repel(own, places_[((random >> 32) * places_.size()) >> 32]);
      }
    }
    return own;
  }

 private:
  void attract(Place& own, const Place& other) const {
    const double x = own.x - other.x;
    const double y = own.y - other.y;
    const double pull = -2 / (1 + x * x + y * y);
    own.x += step_ * clipped(pull * x);
    own.y += step_ * clipped(pull * y);
  }

  void repel(Place& own, const Place& other) const {
    const double x = own.x - other.x;
    const double y = own.y - other.y;
    const double squared = x * x + y * y;
    if (squared > 0) {
      const double push = 2 / ((kNear + squared) * (1 + squared));
      own.x += step_ * clipped(push * x);
      own.y += step_ * clipped(push * y);
    }
  }

  const FuzzyGraph& graph_;
  Schedule& schedule_;
  std::uint64_t seed_;
  const Layout& places_;
  int epoch_ = 0;
  double step_ = 1;
};

}  // namespace

void spread(const FuzzyGraph& graph, std::uint64_t seed, ThreadTeam& team, const Control& control,
            Layout& places) {
  const std::size_t n = places.size();
  if (graph.weights.empty()) {
    return;
  }
  const int epochs = n <= kFew ? kEpochsOfFew : kEpochsOfMany;
  Schedule schedule = schedule_of(graph, epochs, seed);
  Epoch now(graph, schedule, seed, places);
  Layout moved(n);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    if (control.stop_requested()) {
      return;
    }
    now.begin(epoch, kStep * (1 - static_cast<double>(epoch) / epochs));
    for_each_row_chunk(n, kPlacesPerTask, team, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) {
        moved[i] = now.moved(i);
      }
    });
    std::swap(places, moved);
  }
}

}  // namespace shiftcut
