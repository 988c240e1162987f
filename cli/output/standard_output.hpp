// Standard output, where what can't be written is an error like any other.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Text that standard output did not take: a full disk, or nobody who reads it any more (EPIPE).
struct OutputError : std::runtime_error {
  explicit OutputError(int error);

  int code;  // errno
};

/// Writes all to a descriptor, as often and as long as it takes. 0, or the error.
int write_all(int descriptor, std::string_view bytes);

/// Standard output gets these bytes at once. Throws OutputError.
void write_output(std::string_view bytes);

/// The lines, where nothing in them is obeyed by a terminal.
std::string harmless_lines(std::string_view text);

/// Lines for a person to read: nothing in them is obeyed by a terminal. Throws OutputError.
void print_lines(std::string_view text);

/// Sentences on standard error, where they are not part of what is printed: each is a `kind`, a
/// note or a warning.
void show(std::string_view kind, const std::vector<std::string>& sentences);

/// To be called when all is written: some errors show only here. Throws OutputError.
void close_output();
