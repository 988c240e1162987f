#include "core/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace shiftcut {
namespace {

// From a second implementation, in Python: results of one seed must not change with a release.
TEST(rng, gives_the_same_numbers_for_ever) {
  struct Frozen {
    std::uint64_t seed;
    std::uint64_t stream;
    std::vector<std::uint64_t> numbers;
  };
  const std::vector<Frozen> frozen = {
      {0,
       0,
       {0x1a073c0525f5b174ULL, 0x4db71856cd8009d6ULL, 0x784fe395d7d7593ULL, 0xbd2dbabc3e4555a5ULL}},
      {0,
       1,
       {0xb57b1030ffa2287fULL, 0xec16a0fc401ae06aULL, 0xb098262c83f068a6ULL,
        0x65c2114d0d838c88ULL}},
      {42,
       7,
       {0x2d4eece136fab393ULL, 0x36c061a258c1522fULL, 0x67293ee674284ebfULL,
        0xfa54e17cb1b76ecdULL}}};
  for (const Frozen& f : frozen) {
    Rng rng(f.seed, f.stream);
    for (const std::uint64_t number : f.numbers) {
      EXPECT_EQ(rng.next(), number) << "seed " << f.seed << ", stream " << f.stream;
    }
  }
  Rng small(3);
  for (const std::uint32_t number : {5, 6, 1, 8, 2, 6, 5, 1, 8, 4, 8, 6}) {
    EXPECT_EQ(small.below(10), number);
  }
  Rng real(3);
  for (const double number : {0.5793359366863101, 0.635361112491001, 0.1977421917070289}) {
    EXPECT_EQ(real.uniform(), number);
  }
}

TEST(rng, mix_is_a_step_of_splitmix64) {
  EXPECT_EQ(mix(0), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(mix(1), 0x910a2dec89025cc1ULL);
}

TEST(rng, streams_and_seeds_differ) {
  std::set<std::uint64_t> seen;
  int drawn = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t stream = 0; stream < 20; ++stream) {
      Rng rng(seed, stream);
      for (int i = 0; i < 10; ++i) {
        seen.insert(rng.next());
        ++drawn;
      }
    }
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(drawn));
}

TEST(rng, below_stays_below_its_bound) {
  Rng rng(1);
  for (const std::uint32_t bound :
       {1U, 2U, 3U, 10U, 1000U, (1U << 31) + 1, std::numeric_limits<std::uint32_t>::max()}) {
    for (int i = 0; i < 1000; ++i) {
      ASSERT_LT(rng.below(bound), bound);
    }
  }
}

// Six standard deviations of chi squared: a broken generator, not bad luck.
TEST(rng, below_is_roughly_uniform) {
  for (const std::uint32_t bound : {2U, 7U, 64U, 100U}) {
    Rng rng(2, bound);
    const int each = 2000;
    std::vector<int> counts(bound, 0);
    for (std::uint32_t i = 0; i < bound * each; ++i) {
      ++counts[rng.below(bound)];
    }
    double chi_squared = 0;
    for (const int count : counts) {
      chi_squared += (count - each) * (count - each) / static_cast<double>(each);
    }
    EXPECT_LT(chi_squared, bound + 6 * std::sqrt(2.0 * bound)) << "of " << bound;
  }
}

TEST(rng, uniform_lies_in_the_unit_interval_with_mean_one_half) {
  Rng rng(4);
  double sum = 0;
  const int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  EXPECT_NEAR(sum / count, 0.5, 0.006);
}

}  // namespace
}  // namespace shiftcut
