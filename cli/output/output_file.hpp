// Files that a command writes: looked at before the work begins, and written whole or not at all.
#pragma once

#include <string>
#include <string_view>

/// The file that an option names, or none.
///
/// A regular file is replaced by a new one of the same permissions; a link stays one, and what it
/// leads to is replaced (or made). Devices, pipes, and files in folders where no new file can be
/// made are written where they are, which may be left half done.
class OutputFile {
 public:
  OutputFile() = default;

  /// "-" is standard output, an empty path no file. Throws std::runtime_error unless it can be
  /// written to, and changes nothing.
  OutputFile(std::string option, std::string path);

  [[nodiscard]] bool is_given() const { return !path_.empty(); }
  [[nodiscard]] bool is_standard_output() const { return path_ == "-"; }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// Where the links of path() lead.
  [[nodiscard]] const std::string& target() const { return target_; }
  /// Else it is written where it is.
  [[nodiscard]] bool is_replaced() const { return how_ == How::replaced; }
  /// Neither a device nor a pipe.
  [[nodiscard]] bool is_regular() const { return is_regular_; }

  /// Throws std::invalid_argument if it is the file that `option` reads from `path`, by whatever
  /// name ("-": standard input). An empty path is no file.
  void require_other_than(const std::string& option, const std::string& path) const;
  void require_other_than(const OutputFile& output) const;

  /// Gives the file this text, which is on disk when this returns. Whenever the program or the
  /// machine stops, the file holds the old text or the new one, whole. Throws std::runtime_error
  /// where it can't be written; the old text is then still there. A terminal is shown nothing that
  /// it would obey; whatever else takes the text gets it as it is.
  void write(std::string_view text) const;

 private:
  enum class How { replaced, in_place, descriptor };

  void write_bytes(std::string_view text) const;

  std::string option_;
  std::string path_;
  std::string target_;
  How how_ = How::replaced;
  int descriptor_ = -1;
  bool is_regular_ = true;
  bool is_terminal_ = false;
};
