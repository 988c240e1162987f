// How many of the user's objects each object of a problem stands for: 1, or more where some must
// stay together and have become one.
#pragma once

#include <utility>
#include <vector>

#include "core/ids.hpp"

namespace shiftcut {

class NodeWeights {
 public:
  NodeWeights() = default;  // all 1
  explicit NodeWeights(std::vector<double> values) : values_(std::move(values)) {}

  [[nodiscard]] double of(ObjectId i) const { return values_.empty() ? 1.0 : values_[i]; }
  [[nodiscard]] double largest() const {
    double most = 1;
    for (const double value : values_) {
      most = value > most ? value : most;
    }
    return most;
  }

 private:
  std::vector<double> values_;
};

}  // namespace shiftcut
