#include "problem/shift_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "input/message_of.hpp"
#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using testing_support::normal;

plain::Matrix random_symmetric(std::size_t n, Rng& rng) {
  plain::Matrix x(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      x[i][j] = x[j][i] = normal(rng);
    }
  }
  return x;
}

// alpha_ij as the paper defines it.
plain::Matrix alpha_of(const plain::Matrix& x, const ShiftOptions& shift) {
  const std::size_t n = x.size();
  const auto count = static_cast<double>(n);
  plain::Matrix alpha(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (shift.kind == ShiftKind::constant) {
        alpha[i][j] = shift.constant;
      } else if (shift.kind == ShiftKind::adaptive) {
        for (std::size_t p = 0; p < n; ++p) {
          alpha[i][j] += x[i][p] / count + x[p][j] / count;
          for (std::size_t q = 0; q < n; ++q) {
            alpha[i][j] -= x[p][q] / (count * count);
          }
        }
      }
    }
  }
  return alpha;
}

TEST(shift_terms, shift_every_entry_as_the_definition_says) {
  Rng rng(1);
  for (int round = 0; round < 30; ++round) {
    const std::size_t n = 1 + rng.below(12);
    const plain::Matrix x = random_symmetric(n, rng);
    std::vector<double> degrees(n, 0.0);
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        degrees[i] += x[i][j];
        total += x[i][j];
      }
    }
    for (const ShiftOptions& shift : testing_support::some_shifts()) {
      const ShiftTerms terms = shift_terms(shift, static_cast<double>(n), total);
      const plain::Matrix alpha = alpha_of(x, shift);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          EXPECT_NEAR(x[i][j] - terms.flat - terms.per_degree * (degrees[i] + degrees[j]),
                      x[i][j] - shift.strength * alpha[i][j], 1e-12)
              << shift_name(shift.kind) << " " << shift.strength;
        }
      }
    }
  }
}

TEST(shift_terms, of_no_shift_and_of_a_matrix_are_none) {
  for (const ShiftKind kind : {ShiftKind::none, ShiftKind::matrix}) {
    const ShiftTerms terms = shift_terms({kind, 2, 3, {}}, 10, 50);
    EXPECT_EQ(terms.flat, 0);
    EXPECT_EQ(terms.per_degree, 0);
    EXPECT_EQ(terms.per_product, 0);
  }
}

TEST(shift_terms, of_strength_zero_are_none) {
  for (const ShiftKind kind : {ShiftKind::adaptive, ShiftKind::constant}) {
    const ShiftTerms terms = shift_terms({kind, 0, 3, {}}, 10, 50);
    EXPECT_EQ(terms.flat, 0);
    EXPECT_EQ(terms.per_degree, 0);
    EXPECT_EQ(terms.per_product, 0);
  }
}

TEST(shift_name, is_the_word_users_know) {
  EXPECT_EQ(shift_name(ShiftKind::adaptive), "adaptive");
  EXPECT_EQ(shift_name(ShiftKind::constant), "constant");
  EXPECT_EQ(shift_name(ShiftKind::none), "none");
  EXPECT_EQ(shift_name(ShiftKind::matrix), "matrix");
}

TEST(check_shift, refuses_numbers_that_make_no_sense) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double strength : {-1.0, -1e-300, infinity, -infinity, std::nan("")}) {
    const ShiftOptions shift{ShiftKind::adaptive, strength, 0, {}};
    EXPECT_THROW(check_shift(shift, 1), std::invalid_argument) << strength;
    const std::string message = message_of([&] { check_shift(shift, 1); });
    EXPECT_NE(message.find("shift_strength"), std::string::npos) << message;
    EXPECT_NE(message.find("allowed"), std::string::npos) << message;
  }
  for (const double constant : {infinity, -infinity, std::nan("")}) {
    const ShiftOptions shift{ShiftKind::constant, 1, constant, {}};
    EXPECT_THROW(check_shift(shift, 1), std::invalid_argument) << constant;
    const std::string message = message_of([&] { check_shift(shift, 1); });
    EXPECT_NE(message.find("shift=constant"), std::string::npos) << message;
    EXPECT_NE(message.find("allowed"), std::string::npos) << message;
  }
}

TEST(check_shift, lets_sensible_numbers_pass) {
  for (const ShiftOptions& shift : testing_support::some_shifts()) {
    EXPECT_NO_THROW(check_shift(shift, 1));
  }
  EXPECT_NO_THROW(check_shift({ShiftKind::adaptive, 0, 0, {}}, 1));
  EXPECT_NO_THROW(check_shift({ShiftKind::constant, 1, -1e300, {}}, 1));
}

}  // namespace
}  // namespace shiftcut
