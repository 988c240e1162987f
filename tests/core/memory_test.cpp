#include "core/memory.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "input/message_of.hpp"

namespace shiftcut {
namespace {

TEST(memory, refuses_a_matrix_that_can_not_fit_in_one_line) {
  EXPECT_THROW(require_square_fits(10000000, "--x", "try y"), std::runtime_error);
  const std::string message = message_of([] { require_square_fits(10000000, "--x", "try y"); });
  EXPECT_EQ(message.find('\n'), std::string::npos);
  for (const std::string part : {"--x", "10000000 x 10000000", "800000.0 GB", "allowed", "try y"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  }
}

TEST(memory, refuses_a_matrix_whose_size_overflows) {
  EXPECT_THROW(require_square_fits(std::size_t{1} << 40, "--x", "try y"), std::runtime_error);
}

TEST(memory, lets_a_small_matrix_pass) {
  EXPECT_NO_THROW(require_square_fits(0, "--x", "try y"));
  EXPECT_NO_THROW(require_square_fits(100, "--x", "try y"));
  EXPECT_GT(available_memory(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace shiftcut
