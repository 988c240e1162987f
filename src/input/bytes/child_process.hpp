// A program that turns a file into bytes: the file is its standard input, the bytes come from its
// standard output through a pipe. No shell is involved, and no name is passed but those of the
// caller.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace shiftcut {

class ChildProcess {
 public:
  /// Starts `words[0]`, found as a shell would find it. Throws std::system_error if it can't be
  /// started. The descriptor of the input is not closed.
  ChildProcess(const std::vector<std::string>& words, int input);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills it if it still runs.
  ~ChildProcess();

  /// Where its output can be read; whoever reads it closes it.
  [[nodiscard]] int output() const { return output_; }

  struct End {
    int exit_code = 0;   // negative: the signal that ended it
    std::string errors;  // the beginning of what it wrote to standard error
  };
  /// Waits for its end.
  End wait();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };

  pid_t child_ = 0;  // 0: it has ended
  int output_ = -1;
  std::unique_ptr<std::FILE, CloseFile> errors_;  // a pipe could fill up
};

}  // namespace shiftcut
