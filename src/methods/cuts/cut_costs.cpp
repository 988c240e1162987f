#include "methods/cuts/cut_costs.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/kernels.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

ObjectSums object_sums(const Similarities& similarities, ThreadTeam& team) {
  const std::size_t n = objects(similarities);
  ObjectSums sums{degrees(similarities, team), std::vector<double>(n), 0};
  std::vector<double> absolute(n);
  for_rows(n, team, [&](std::size_t i) {
    for_row(similarities, i, [&](std::size_t j, double value) {
      absolute[i] += std::abs(value);
      sums.self[i] = j == i ? value : sums.self[i];
    });
  });
  sums.largest = *std::max_element(absolute.begin(), absolute.end());
  return sums;
}

DenseLinks::DenseLinks(const DenseArray& similarities, std::span<const ClusterId> labels,
                       std::size_t clusters)
    : similarities_(similarities.f64()), n_(labels.size()), table_(clusters * n_, 0.0) {
  for (std::size_t i = 0; i < n_; ++i) {
    add_scaled(&table_[labels[i] * n_], 1, similarities_ + i * n_, n_);
  }
}

void DenseLinks::move(ObjectId object, ClusterId from, ClusterId to) {
  move_between(&table_[from * n_], &table_[to * n_], 1, similarities_ + object * n_, n_);
}

void GraphLinks::read(ObjectId object, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (auto e = static_cast<std::size_t>(similarities_.offsets[object]);
       e < static_cast<std::size_t>(similarities_.offsets[object + 1]); ++e) {
    out[labels_[similarities_.columns[e]]] += similarities_.values[e];
  }
}

static_assert(MoveCost<AdaptiveRatioCost> && MoveCost<ClusterwiseCost<RatioCutTerm>>);

AdaptiveRatioCost::AdaptiveRatioCost(std::size_t clusters, double p)
    : p_(p),
      sizes_(clusters),
      cuts_(clusters * clusters),
      now_(clusters * clusters),
      fewer_(clusters * clusters),
      more_(clusters * clusters),
      exchanged_(clusters * clusters) {}

void AdaptiveRatioCost::begin() {
  sizes_.assign(sizes_.size(), 0.0);
  cuts_.assign(cuts_.size(), 0.0);
}

void AdaptiveRatioCost::add(ClusterId k, const Mover& object) {
  sizes_[k] += 1;
  for (std::size_t l = 0; l < sizes_.size(); ++l) {
    cuts_[at(k, l)] += object.links[l];
  }
}

// Of a matrix that is symmetric up to rounding, so are the cuts; the upper ones are used for both.
void AdaptiveRatioCost::end() {
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      cuts_[at(k, l)] = cuts_[at(l, k)];
    }
    for (std::size_t l = 0; l < sizes_.size(); ++l) {
      weigh(k, l);
    }
  }
}

double AdaptiveRatioCost::weight(double size_k, double size_l) const {
  return size_k > 0 && size_l > 0 ? adaptive_weight(size_k, size_l, p_) : 0.0;
}

void AdaptiveRatioCost::weigh(std::size_t k, std::size_t l) {
  now_[at(k, l)] = weight(sizes_[k], sizes_[l]);
  fewer_[at(k, l)] = weight(sizes_[k] - 1, sizes_[l]);
  more_[at(k, l)] = weight(sizes_[k] + 1, sizes_[l]);
  exchanged_[at(k, l)] = weight(sizes_[k] - 1, sizes_[l] + 1);
}

double AdaptiveRatioCost::cost() const {
  double sum = 0;
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    for (std::size_t l = k + 1; l < sizes_.size(); ++l) {
      sum += cuts_[at(k, l)] * now_[at(k, l)];
    }
  }
  return sum;
}

void AdaptiveRatioCost::changes(ClusterId from, const Mover& object, std::span<double> out) const {
  const auto& links = object.links;
  for (ClusterId to = 0; to < out.size(); ++to) {
    if (to == from) {
      out[to] = 0;
      continue;
    }
    const double cut = cuts_[at(from, to)];
    double sum =
        (cut + links[from] - links[to]) * exchanged_[at(from, to)] - cut * now_[at(from, to)];
    for (std::size_t l = 0; l < out.size(); ++l) {
      if (l != from && l != to) {
        const double left = cuts_[at(from, l)];
        const double joined = cuts_[at(to, l)];
        sum += (left - links[l]) * fewer_[at(from, l)] - left * now_[at(from, l)];
        sum += (joined + links[l]) * more_[at(to, l)] - joined * now_[at(to, l)];
      }
    }
    out[to] = sum;
  }
}

void AdaptiveRatioCost::move(ClusterId from, ClusterId to, const Mover& object) {
  const auto change_cut = [&](std::size_t k, std::size_t l, double by) {
    cuts_[at(k, l)] += by;
    cuts_[at(l, k)] = cuts_[at(k, l)];
  };
  sizes_[from] -= 1;
  sizes_[to] += 1;
  change_cut(from, to, object.links[from] - object.links[to]);
  for (std::size_t l = 0; l < sizes_.size(); ++l) {
    if (l != from && l != to) {
      change_cut(from, l, -object.links[l]);
      change_cut(to, l, object.links[l]);
    }
    for (const std::size_t k : {std::size_t{from}, std::size_t{to}}) {
      weigh(k, l);
      weigh(l, k);
    }
  }
}

}  // namespace shiftcut::methods
