// The header is a Python dictionary, written as text.
#include "input/matrix/npy_header.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "core/text.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"

namespace shiftcut {

namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";

struct Preamble {
  std::string dictionary;
  std::size_t bytes = 0;  // of everything before the numbers
};

Preamble read_preamble(ByteSource& source) {
  const auto cut_short = [&] {
    reject(source.name(),
           "found the end of the file inside its NPY header; allowed: a whole file, "
           "as numpy.save writes it");
  };
  char start[12];
  const std::size_t got = source.read_fully(start, 8);
  if (got == 0) {
    reject(source.name(), "found an empty file; allowed: an array, as numpy.save writes it");
  }
  if (std::string_view(start, std::min<std::size_t>(got, 6)) != kNpyMagic.substr(0, got)) {
    reject(source.name(),
           "found something other than an NPY file (it does not start with \\x93NUMPY); allowed: "
           "an array, as numpy.save writes it");
  }
  if (got < 8) {
    cut_short();
  }
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3) {
    reject(source.name(), fmt::format("found NPY version {}; allowed: 1, 2, 3", version));
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (source.read_fully(start + 8, length_bytes) != length_bytes) {
    cut_short();
  }
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(start[8 + i])) << (8 * i);
  }
  if (length > kLongestNpyDictionary) {
    reject(source.name(), fmt::format("found an NPY header of {} bytes; allowed: at most {}",
                                      length, kLongestNpyDictionary));
  }
  Preamble preamble;
  preamble.bytes = 8 + length_bytes + length;
  preamble.dictionary.resize(length);
  if (source.read_fully(preamble.dictionary.data(), length) != length) {
    cut_short();
  }
  return preamble;
}

// The dictionary from the value after 'key': on.
std::string_view value_of(std::string_view dictionary, std::string_view key,
                          const std::string& file) {
  std::size_t at = dictionary.find(fmt::format("'{}'", key));
  if (at != std::string_view::npos) {
    at = dictionary.find_first_not_of(" :", at + key.size() + 2);
  }
  if (at == std::string_view::npos) {
    reject(file, fmt::format("found an NPY header without {}; allowed: a header with 'descr', "
                             "'fortran_order' and 'shape'",
                             quoted(key)));
  }
  return dictionary.substr(at);
}

// A type such as '<f8': byte order, kind of number, size in bytes.
void set_type(NpyHeader& header, std::string_view value, const std::string& file) {
  constexpr std::string_view kTypes[] = {"f2", "f4", "f8", "i1", "i2", "i4",
                                         "i8", "u1", "u2", "u4", "u8", "b1"};
  if (value.size() >= 5 && value.front() == '\'' && value[4] == '\'' &&
      std::string_view("<>|=").find(value[1]) != std::string_view::npos) {
    const std::string_view type = value.substr(2, 2);
    if (std::ranges::find(kTypes, type) != std::end(kTypes)) {
      header.kind = static_cast<NpyKind>(type[0]);
      header.value_size = static_cast<std::size_t>(type[1] - '0');
      header.big_endian = value[1] == '>' && header.value_size > 1;
      return;
    }
  }
  const std::size_t end = value.find_first_of(",}");
  const std::string_view type = value.substr(0, end);
  const bool in_quotes = type.size() >= 2 && type.front() == '\'' && type.back() == '\'';
  reject(file, fmt::format("found values of type {}; allowed: float16, float32, float64, int8 to "
                           "int64, uint8 to uint64, bool; convert the array with "
                           "astype(numpy.float64)",
                           quoted(in_quotes ? type.substr(1, type.size() - 2) : type)));
}

bool parse_fortran_order(std::string_view value, const std::string& file) {
  if (!value.starts_with("True") && !value.starts_with("False")) {
    reject(file, fmt::format("found fortran_order {}; allowed: True, False",
                             quoted(value.substr(0, value.find_first_of(",}")))));
  }
  return value.starts_with("True");
}

// "(3, 4)", "(3,)" or "()"; nothing if it is anything else or a number is too large.
std::optional<std::vector<std::size_t>> parse_shape(std::string_view text) {
  std::vector<std::size_t> shape;
  std::size_t at = 1;
  while (at < text.size() && text[at] != ')') {
    std::size_t extent = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + text.size(), extent);
    if (error != std::errc{}) {
      return std::nullopt;
    }
    shape.push_back(extent);
    at = static_cast<std::size_t>(stop - text.data());
    if (at < text.size() && text[at] == 'L') {  // written by Python 2
      ++at;
    }
    if (at < text.size() && text[at] != ',' && text[at] != ')') {
      return std::nullopt;
    }
    at = at < text.size() && text[at] == ',' ? text.find_first_not_of(' ', at + 1) : at;
  }
  return shape;
}

void set_table_shape(NpyHeader& header, const std::optional<std::vector<std::size_t>>& shape,
                     std::string_view text, const std::string& file) {
  if (!shape || shape->size() != 2) {
    const bool one = shape && shape->size() == 1;
    reject(file,
           fmt::format("found an array of shape {}; allowed: two dimensions, (rows, columns){}",
                       quoted(text), one ? "; reshape(-1, 1) makes each number a row" : ""));
  }
  header.rows = shape->at(0);
  header.columns = shape->at(1);
  if (header.rows == 0 || header.columns == 0) {
    reject(file, fmt::format("found an array of shape {}; allowed: one or more rows and columns",
                             quoted(text)));
  }
}

void set_list_shape(NpyHeader& header, const std::optional<std::vector<std::size_t>>& shape,
                    std::string_view text, const std::string& file) {
  if (!shape || shape->size() > 1) {
    reject(file, fmt::format("found an array of shape {}; allowed: one dimension", quoted(text)));
  }
  header.rows = shape->empty() ? 1 : shape->at(0);
  header.columns = 1;
}

void set_shape(NpyHeader& header, std::string_view value, NpyShape allowed,
               const std::string& file) {
  const std::size_t end = value.find(')');
  const std::string_view text = value.substr(0, end == std::string_view::npos ? end : end + 1);
  const auto shape =
      text.starts_with('(') && text.ends_with(')') ? parse_shape(text) : std::nullopt;
  if (allowed == NpyShape::table) {
    set_table_shape(header, shape, text, file);
  } else {
    set_list_shape(header, shape, text, file);
  }
  std::size_t values = 0;
  if (__builtin_mul_overflow(header.rows, header.columns, &values) ||
      __builtin_mul_overflow(values, header.value_size, &header.data_bytes)) {
    reject(file,
           fmt::format("found an array of shape {}; allowed: what fits into memory", quoted(text)));
  }
}

}  // namespace

NpyHeader read_npy_header(ByteSource& source, NpyShape shape) {
  const Preamble preamble = read_preamble(source);
  const std::string& file = source.name();
  NpyHeader header;
  header.data_offset = preamble.bytes;
  set_type(header, value_of(preamble.dictionary, "descr", file), file);
  header.fortran_order =
      parse_fortran_order(value_of(preamble.dictionary, "fortran_order", file), file);
  set_shape(header, value_of(preamble.dictionary, "shape", file), shape, file);
  return header;
}

}  // namespace shiftcut
