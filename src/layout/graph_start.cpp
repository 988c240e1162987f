#include "layout/graph_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/rng.hpp"
#include "layout/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

using namespace layout_tuning;

// The component of each node, numbered by their first nodes.
struct Components {
  std::vector<std::uint32_t> of;
  std::vector<std::size_t> sizes;
};

Components components_of(const FuzzyGraph& graph) {
  constexpr auto kNone = static_cast<std::uint32_t>(-1);
  Components found{std::vector<std::uint32_t>(graph.size(), kNone), {}};
  std::vector<std::uint32_t> open;
  for (std::size_t first = 0; first < graph.size(); ++first) {
    if (found.of[first] != kNone) {
      continue;
    }
    const auto component = static_cast<std::uint32_t>(found.sizes.size());
    found.sizes.push_back(0);
    found.of[first] = component;
    open.assign(1, static_cast<std::uint32_t>(first));
    while (!open.empty()) {
      const std::uint32_t i = open.back();
      open.pop_back();
      ++found.sizes.back();
      for (std::size_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
        const std::uint32_t other = graph.others[e];
        if (found.of[other] == kNone) {
          found.of[other] = component;
          open.push_back(other);
        }
      }
    }
  }
  return found;
}

// Two vectors at once, as x and y of a place per node. Under the symmetric form D^-1/2 W D^-1/2 the
// constant vector is sqrt(d), and inner products are plain.
class Directions {
 public:
  Directions(const FuzzyGraph& graph, const Components& components, ThreadTeam& team)
      : graph_(graph), components_(components), team_(team), roots_(graph.size()) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      double degree = 0;
      for (std::size_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
        degree += graph.weights[e];
      }
      roots_[i] = std::sqrt(degree);
    }
  }

  // out = scale (A v - shift v) - before, with A = D^-1/2 W D^-1/2: a step of the three-term
  // recurrence.
  void step(const Layout& v, const Layout& before, double scale, double shift, Layout& out) const {
    for_each_row_chunk(v.size(), kPlacesPerTask, team_,
                       [&](std::size_t begin, std::size_t end, int) {
                         for (std::size_t i = begin; i < end; ++i) {
                           const Place sum = neighbors_of(i, v);
                           out[i] = {scale * (sum.x - shift * v[i].x) - before[i].x,
                                     scale * (sum.y - shift * v[i].y) - before[i].y};
                         }
                       });
  }

  // In each component: orthogonal to the constant vector and to each other, of unit length.
  void orthonormalize(Layout& v) const {
    subtract(v, [&](std::size_t i) { return Place{roots_[i], roots_[i]}; });
    normalize(v);
    subtract(v, [&](std::size_t i) { return Place{0, v[i].x}; });
    normalize(v);
  }

  // From the symmetric form to coordinates.
  void unweigh(Layout& v) const {
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double root = roots_[i] > 0 ? roots_[i] : 1;
      v[i] = {v[i].x / root, v[i].y / root};
    }
  }

 private:
  [[nodiscard]] Place neighbors_of(std::size_t i, const Layout& v) const {
    Place sum;
    for (std::size_t e = graph_.offsets[i]; e < graph_.offsets[i + 1]; ++e) {
      const std::uint32_t other = graph_.others[e];
      const double weight = graph_.weights[e] / (roots_[i] * roots_[other]);
      sum.x += weight * v[other].x;
      sum.y += weight * v[other].y;
    }
    return sum;
  }

  // Takes from v its projection on `direction`, which is given for x and y.
  template <class Direction>
  void subtract(Layout& v, const Direction& direction) const {
    std::vector<std::array<double, 4>> sums(components_.sizes.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Place along = direction(i);
      auto& own = sums[components_.of[i]];
      own[0] += along.x * v[i].x;
      own[1] += along.y * v[i].y;
      own[2] += along.x * along.x;
      own[3] += along.y * along.y;
    }
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Place along = direction(i);
      const auto& own = sums[components_.of[i]];
      v[i].x -= own[2] > 0 ? along.x * own[0] / own[2] : 0;
      v[i].y -= own[3] > 0 ? along.y * own[1] / own[3] : 0;
    }
  }

  void normalize(Layout& v) const {
    std::vector<Place> squares(components_.sizes.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      squares[components_.of[i]].x += v[i].x * v[i].x;
      squares[components_.of[i]].y += v[i].y * v[i].y;
    }
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Place& square = squares[components_.of[i]];
      v[i].x *= square.x > kVanished ? 1 / std::sqrt(square.x) : 0;
      v[i].y *= square.y > kVanished ? 1 / std::sqrt(square.y) : 0;
    }
  }

  const FuzzyGraph& graph_;
  const Components& components_;
  ThreadTeam& team_;
  std::vector<double> roots_;  // of the degrees
};

// Each component around a centre of its own, with a radius of sqrt(size): the largest in the
// middle, the others around it on a spiral of the golden angle.
void place_components(const Components& components, Layout& places) {
  constexpr Place kGoldenAngle{-0.73736887807831990, 0.67549029426152364};  // its cosine and sine
  const std::size_t count = components.sizes.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t c) { return components.sizes[c]; });
  std::vector<Place> centres(count);
  Place direction{1, 0};
  double area = 0;
  for (const std::size_t c : order) {
    const auto size = static_cast<double>(components.sizes[c]);
    const double distance = area > 0 ? kSpacing * (std::sqrt(area) + std::sqrt(size)) : 0;
    centres[c] = {distance * direction.x, distance * direction.y};
    direction = {direction.x * kGoldenAngle.x - direction.y * kGoldenAngle.y,
                 direction.x * kGoldenAngle.y + direction.y * kGoldenAngle.x};
    area += size;
  }
  std::vector<Place> squares(count);
  for (std::size_t i = 0; i < places.size(); ++i) {
    squares[components.of[i]].x += places[i].x * places[i].x;
    squares[components.of[i]].y += places[i].y * places[i].y;
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t c = components.of[i];
    const auto scale = [&](double square) {  // to a mean square of size / 4
      return square > 0 ? static_cast<double>(components.sizes[c]) / (2 * std::sqrt(square)) : 0;
    };
    places[i] = {centres[c].x + places[i].x * scale(squares[c].x),
                 centres[c].y + places[i].y * scale(squares[c].y)};
  }
}

}  // namespace

Layout graph_start(const FuzzyGraph& graph, std::uint64_t seed, ThreadTeam& team) {
  const Components components = components_of(graph);
  const Directions directions(graph, components, team);
  Layout v(graph.size());
  Rng rng(seed);
  for (Place& place : v) {
    place.x = rng.uniform() - 0.5;
    place.y = rng.uniform() - 0.5;
  }
  directions.orthonormalize(v);
  const Layout zeros(graph.size());
  Layout before(graph.size());
  Layout next(graph.size());
  for (const double damped : kDamped) {  // eigenvalues from -1 to it are kept down, others grow
    const double scale = 2 / (1 + damped);
    const double shift = (damped - 1) / 2;
    before = v;
    directions.step(before, zeros, scale, shift, v);
    for (int degree = 1; degree < kDegree; ++degree) {
      directions.step(v, before, 2 * scale, shift, next);
      std::swap(before, v);
      std::swap(v, next);
    }
    directions.orthonormalize(v);
  }
  directions.unweigh(v);
  place_components(components, v);
  return v;
}

}  // namespace shiftcut
