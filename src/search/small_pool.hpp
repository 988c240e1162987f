// Answers to one small problem that make others: what some of them agree on moves as one, then each
// object by itself. As recombine.hpp does for two answers to a large graph.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "multilevel/small_matrix.hpp"

namespace shiftcut {

struct SmallAnswer {
  double cost = 0;
  std::vector<ClusterId> labels;
};

struct PoolOptions {
  std::size_t answers = 2;  // in the pool
  std::size_t times = 1;    // that some of them are combined
};

class SmallPool {
 public:
  SmallPool(const SmallMatrix& s, std::size_t slots, double tolerance, const Context& context);

  /// A pool of `start` and answers from random labels; some are combined, again and again, and what
  /// comes out takes the place of a higher one. Returns the lowest; the number of threads changes
  /// nothing.
  SmallAnswer improve(const SmallAnswer& start, const PoolOptions& options);

 private:
  struct Parents {
    std::uint32_t one = 0;
    std::uint32_t other = 0;
    std::vector<std::span<const ClusterId>> labels;  // of these two and of more
  };

  void fill(std::size_t answers);
  Parents draw_parents() const;
  SmallAnswer child_of(const Parents& parents, SmallDescent& descent, const Context& own) const;
  void take_in(SmallAnswer child, const Parents& parents);

  const SmallMatrix& s_;
  std::size_t slots_;
  double tolerance_;
  Context context_;
  std::vector<SmallDescent> descents_;  // per thread
  std::vector<SmallAnswer> pool_;
};

}  // namespace shiftcut
