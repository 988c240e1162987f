#include "input/bytes/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace shiftcut {

namespace {

[[noreturn]] void fail_to_start(int error) {
  throw std::system_error(error, std::generic_category());
}

class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    // In a group of its own: Ctrl-C is for this program, which ends the other.
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }

  void put(int from, int to) { posix_spawn_file_actions_adddup2(&actions, from, to); }

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words, int input) {
  errors_.reset(std::tmpfile());
  std::array<int, 2> ends{-1, -1};
  if (errors_ == nullptr || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
    fail_to_start(errno);
  }
  std::vector<char*> argv;
  for (const std::string& word : words) {
    argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT(*-const-cast): as exec wants it
  }
  argv.push_back(nullptr);
  SpawnPlan plan;
  plan.put(input, STDIN_FILENO);
  plan.put(ends[1], STDOUT_FILENO);
  plan.put(::fileno(errors_.get()), STDERR_FILENO);
  const int error =
      ::posix_spawnp(&child_, argv[0], &plan.actions, &plan.attributes, argv.data(), environ);
  ::close(ends[1]);
  if (error != 0) {
    child_ = 0;
    ::close(ends[0]);
    fail_to_start(error);
  }
  output_ = ends[0];
}

ChildProcess::~ChildProcess() {
  if (child_ != 0) {
    (void)::kill(child_, SIGKILL);
    (void)wait();
  }
}

ChildProcess::End ChildProcess::wait() {
  End end;
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = 0;
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  std::array<char, 4096> text{};
  (void)std::fseek(errors_.get(), 0, SEEK_SET);
  end.errors.assign(text.data(), std::fread(text.data(), 1, text.size(), errors_.get()));
  return end;
}

}  // namespace shiftcut
