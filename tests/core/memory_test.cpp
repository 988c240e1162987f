#include "core/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "input/message_of.hpp"

namespace shiftcut {
namespace {

TEST(memory, refuses_a_matrix_that_cannot_fit_in_one_line) {
  EXPECT_THROW(require_square_fits(10000000, "{distance=euclidean}", "try y"), std::runtime_error);
  const std::string message =
      message_of([] { require_square_fits(10000000, "{distance=euclidean}", "try y"); });
  EXPECT_EQ(message.find('\n'), std::string::npos);
  for (const std::string part :
       {"distance=euclidean", "10000000 x 10000000", "800000.0 GB", "allowed", "try y"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  }
}

TEST(memory, refuses_a_matrix_whose_size_overflows) {
  EXPECT_THROW(require_square_fits(std::size_t{1} << 40, "{distance=euclidean}", "try y"),
               std::runtime_error);
}

TEST(memory, lets_a_small_matrix_pass) {
  EXPECT_NO_THROW(require_square_fits(0, "{distance=euclidean}", "try y"));
  EXPECT_NO_THROW(require_square_fits(100, "{distance=euclidean}", "try y"));
  EXPECT_GT(available_memory(), std::size_t{1} << 20);
}

// A tree of control groups as the kernel shows it.
class Groups {
 public:
  Groups() : root_(std::filesystem::temp_directory_path() / fmt::format("groups_{}", getpid())) {}
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;
  ~Groups() { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  [[nodiscard]] std::size_t left(const std::string& cgroup) const {
    write("self", cgroup);
    return cgroup_memory((root_ / "self").string(), root_.string());
  }

 private:
  std::filesystem::path root_;
};

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

TEST(memory, control_groups_of_version_2_leave_the_least_up_the_tree) {
  const Groups groups;
  groups.write("a/memory.max", "5000\n");
  groups.write("a/memory.current", "4500\n");
  groups.write("a/memory.stat", "anon 1\ninactive_file 300\nactive_file 200\n");
  groups.write("a/b/memory.max", "max\n");
  groups.write("a/b/c/memory.max", "2000\n");
  groups.write("a/b/c/memory.current", "500\n");
  EXPECT_EQ(groups.left("0::/a/b/c\n"), 1000U);
  EXPECT_EQ(groups.left("0::/a/b\n"), 1000U);
  EXPECT_EQ(groups.left("0::/\n"), kUnlimited);
  EXPECT_EQ(groups.left(""), kUnlimited);
  groups.write("a/b/c/memory.current", "1900\n");
  EXPECT_EQ(groups.left("0::/a/b/c\n"), 100U);
  groups.write("a/b/c/memory.current", "3000\n");
  EXPECT_EQ(groups.left("0::/a/b/c\n"), 0U);
}

TEST(memory, a_container_that_sees_only_its_own_group_is_limited_by_it) {
  const Groups groups;
  groups.write("memory.max", "700\n");
  groups.write("memory.current", "600\n");
  EXPECT_EQ(groups.left("0::/docker/1234\n"), 100U);
}

TEST(memory, control_groups_of_version_1_count_too) {
  const Groups groups;
  groups.write("memory/job/memory.limit_in_bytes", "900\n");
  groups.write("memory/job/memory.usage_in_bytes", "400\n");
  groups.write("memory/job/memory.stat", "total_inactive_file 100\n");
  EXPECT_EQ(groups.left("5:cpu:/job\n4:hugetlb,memory:/job/step\n0::/\n"), 600U);
}

TEST(memory, a_limit_on_the_address_space_counts) {
#ifdef SHIFTCUT_SANITIZED
  GTEST_SKIP() << "a sanitizer maps more addresses than the limit allows";
#endif
  struct rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  struct rlimit tight = before;
  tight.rlim_cur = rlim_t{1} << 40U;
  setrlimit(RLIMIT_AS, &tight);
  EXPECT_LT(available_memory(), std::size_t{1} << 40U);
  tight.rlim_cur = 1;  // nothing is left
  setrlimit(RLIMIT_AS, &tight);
  const std::size_t left = available_memory();
  setrlimit(RLIMIT_AS, &before);
  EXPECT_EQ(left, 0U);
}

}  // namespace
}  // namespace shiftcut
