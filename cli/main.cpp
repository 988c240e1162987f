// The shiftcut program: cluster, explain, describe, predict, label, explore, evaluate, info.
#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "commands.hpp"
#include "label/terminal_keys.hpp"
#include "label/text_width.hpp"
#include "out_of_memory.hpp"
#include "output/standard_output.hpp"
#include "parse.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

int run_program(int argc, char** argv) {
  CommandLine program("shiftcut",
                      "Groups objects by their pairwise similarities after shifting them.",
                      std::string("shiftcut ") + shiftcut::kVersion);
  add_cluster_command(program);
  add_explain_command(program);
  add_describe_command(program);
  add_predict_command(program);
  add_label_command(program);
#ifdef SHIFTCUT_EXPLORE
  add_explore_command(program);
#endif
  add_evaluate_command(program);
  add_info_command(program);
  return program.run(argc, argv);
}

// A descriptor that the caller closed would be given to the next file that is opened, and messages
// would be written into that. What stands in for it can be neither read nor written.
void reserve_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) < 0) {
      (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

// Each thread's own heap would reserve 64 MB, used or not, of what the user allows in all.
void share_one_heap_where_space_is_limited() {
  rlimit space = {};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    mallopt(M_ARENA_MAX, 1);
  }
}

void complain(std::string_view message) noexcept {
  try {
    (void)write_all(STDERR_FILENO, "shiftcut: " + harmless(message) + "\n");
  } catch (const std::bad_alloc&) {
    (void)write_all(STDERR_FILENO, "shiftcut: out of memory\n");
  }
}

// Where an exception can't be thrown: the destructors of nlohmann::json and some functions of CLI11
// allocate. Nothing may be freed or allocated here.
[[noreturn]] void end_at_once() noexcept {
  restore_terminal();
  int code = 2;
  std::string_view what = "shiftcut: internal error\n";
  try {
    if (const std::exception_ptr error = std::current_exception()) {
      std::rethrow_exception(error);
    }
  } catch (const std::bad_alloc&) {
    code = 1;
    what = "shiftcut: out of memory\n";
  } catch (...) {
    code = 2;
  }
  (void)write_all(STDERR_FILENO, what);
  _exit(code);
}

// As other programs end whose output nobody reads any more.
int end_quietly() {
  std::signal(SIGPIPE, SIG_DFL);
  (void)std::raise(SIGPIPE);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  reserve_standard_descriptors();
  share_one_heap_where_space_is_limited();
  std::set_terminate(end_at_once);
  std::signal(SIGXFSZ, SIG_IGN);  // an error like others
  try {
    const int exit_code = run_program(argc, argv);
    close_output();
    return exit_code;
  } catch (const shiftcut::Interrupted&) {
    complain("interrupted before there was anything to write");
    return 130;
  } catch (const std::bad_alloc& error) {
    complain(out_of_memory(error));
    return 1;
  } catch (const OutputError& error) {
    if (error.code == EPIPE) {
      return end_quietly();
    }
    complain(error.what());
    return 1;
  } catch (const std::invalid_argument& error) {
    complain(shiftcut::render(error, option_name));
    return 1;
  } catch (const std::runtime_error& error) {
    complain(shiftcut::render(error, option_name));
    return 1;
  } catch (const std::exception& error) {
    complain(std::string("internal error: ") + error.what());
    return 2;
  }
}
