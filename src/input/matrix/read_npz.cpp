// SciPy's sparse matrices (scipy.sparse.save_npz): a ZIP archive of arrays. `format` says which
// they are: indices, indptr and data of compressed rows (csr) or columns (csc), or row, col and
// data of a list of entries (coo).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/reject.hpp"
#include "input/bytes/zip_reader.hpp"
#include "input/graph/sparse_rows.hpp"
#include "input/limits.hpp"
#include "input/matrix/npy_header.hpp"
#include "input/readers.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kStep = std::size_t{1} << 16;  // numbers converted at a time
constexpr std::size_t kLongestWord = 64;             // bytes of the array `format`
constexpr auto kMostIndex = static_cast<std::int64_t>(kMostObjects);

struct Arrays {
  std::string format;
  std::vector<std::int64_t> shape;
  std::vector<std::uint32_t> indices;  // or row
  std::vector<std::uint32_t> others;   // col
  std::vector<std::int64_t> offsets;
  std::vector<double> values;
  std::vector<std::string> found;
};

// The header of the member's array, as of a file that ends after it.
NpyHeader read_header(ZipReader& zip, const std::string& file) {
  std::string bytes(12, '\0');
  bytes.resize(zip.read(bytes.data(), 10));
  const bool is_long = bytes.size() == 10 && bytes[6] >= 2;
  if (is_long) {
    bytes.resize(12);
    bytes.resize(10 + zip.read(bytes.data() + 10, 2));
  }
  std::size_t length = 0;
  for (std::size_t i = 8; i < bytes.size(); ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) << (8 * (i - 8));
  }
  const std::size_t before = bytes.size();
  bytes.resize(before + std::min(length, kLongestNpyDictionary));
  bytes.resize(before + zip.read(bytes.data() + before, bytes.size() - before));
  ByteSource source = ByteSource::memory(std::move(bytes), file);
  return read_npy_header(source, NpyShape::list);
}

// A number of the array as the file has it.
struct Number {
  double value = 0;         // rounded if it is a whole number beyond 2^53
  std::int64_t whole = -1;  // if it is one
};

template <class Stored>
Number number_at(const char* bytes) {
  Stored stored;
  std::memcpy(&stored, bytes, sizeof(Stored));
  if constexpr (std::is_floating_point_v<Stored>) {
    return {static_cast<double>(stored), -1};
  } else {
    const bool fits =
        !std::is_same_v<Stored, std::uint64_t> || stored <= static_cast<Stored>(INT64_MAX);
    return {static_cast<double>(stored), fits ? static_cast<std::int64_t>(stored) : -1};
  }
}

Number number_of(const NpyHeader& header, const char* bytes) {
  const std::size_t size = header.value_size;
  switch (header.kind) {
    case NpyKind::floating:
      return size == 4 ? number_at<float>(bytes) : number_at<double>(bytes);
    case NpyKind::integer:
      return size == 1   ? number_at<std::int8_t>(bytes)
             : size == 2 ? number_at<std::int16_t>(bytes)
             : size == 4 ? number_at<std::int32_t>(bytes)
                         : number_at<std::int64_t>(bytes);
    case NpyKind::natural:
      return size == 1   ? number_at<std::uint8_t>(bytes)
             : size == 2 ? number_at<std::uint16_t>(bytes)
             : size == 4 ? number_at<std::uint32_t>(bytes)
                         : number_at<std::uint64_t>(bytes);
    case NpyKind::boolean:
      break;
  }
  return number_at<std::uint8_t>(bytes);
}

// Calls begin(count), then use(number) for each number of the member's array.
template <class Begin, class Use>
void for_each_number(ZipReader& zip, const std::string& file, const Begin& begin, const Use& use) {
  const NpyHeader header = read_header(zip, file);
  if (header.big_endian || (header.kind == NpyKind::floating && header.value_size == 2)) {
    reject(file, fmt::format("found {} as float16 or with the most significant byte first; "
                             "allowed: other numbers",
                             quoted(zip.name())));
  }
  begin(header.data_bytes / header.value_size);
  std::vector<char> bytes(kStep * header.value_size);
  for (std::size_t left = header.data_bytes; left > 0;) {
    const std::size_t wanted = std::min(left, bytes.size());
    if (zip.read(bytes.data(), wanted) != wanted) {
      reject(file, fmt::format("found fewer numbers in {} than its header promises; allowed: {}",
                               quoted(zip.name()), header.data_bytes / header.value_size));
    }
    for (std::size_t at = 0; at < wanted; at += header.value_size) {
      use(number_of(header, &bytes[at]));
    }
    left -= wanted;
  }
}

std::int64_t whole(const Number& number, std::int64_t most, const ZipReader& zip,
                   const std::string& file) {
  if (number.whole < 0 || number.whole > most) {
    reject(file, fmt::format("found {} in {}; allowed: whole numbers from 0 to {}", number.value,
                             quoted(zip.name()), most));
  }
  return number.whole;
}

// The numbers of the member, each as convert(number) has it. Memory for all of them is reserved
// where that is not more than the file can hold, however well it is compressed.
template <class T, class Convert>
void read_numbers(ZipReader& zip, const ByteSource& source, std::vector<T>& out,
                  const Convert& convert) {
  constexpr std::uint64_t kMostPerByte = 1032;  // of deflated data
  out.clear();
  for_each_number(
      zip, source.name(),
      [&](std::size_t count) {
        out.reserve(std::min<std::size_t>(count, kMostPerByte * source.file_size()));
      },
      [&](const Number& number) { out.push_back(static_cast<T>(convert(number))); });
}

template <class T>
void read_whole(ZipReader& zip, const ByteSource& source, std::int64_t most, std::vector<T>& out) {
  read_numbers(zip, source, out,
               [&](const Number& number) { return whole(number, most, zip, source.name()); });
}

// Text of fixed length: the bytes after the header, which need not be understood.
std::string read_word(ZipReader& zip, const std::string& file) {
  std::string bytes(kLongestNpyDictionary, '\0');
  bytes.resize(zip.read(bytes.data(), bytes.size()));
  const std::size_t end = bytes.find('\n');
  if (end == std::string::npos || bytes.size() - end > kLongestWord) {
    reject(file,
           fmt::format("found no format in {}; allowed: csr, csc or coo", quoted(zip.name())));
  }
  std::string word;
  for (const char c : bytes.substr(end + 1)) {
    if (c != '\0') {
      word += c;
    }
  }
  return word;
}

Arrays read_arrays(ByteSource& source) {
  Arrays arrays;
  const std::string& file = source.name();
  ZipReader zip(source);
  while (zip.next()) {
    const std::string& name = zip.name();
    arrays.found.push_back(name);
    if (name == "format.npy") {
      arrays.format = read_word(zip, file);
    } else if (name == "shape.npy") {
      read_whole(zip, source, INT64_MAX, arrays.shape);
    } else if (name == "indices.npy" || name == "row.npy") {
      read_whole(zip, source, kMostIndex, arrays.indices);
    } else if (name == "col.npy") {
      read_whole(zip, source, kMostIndex, arrays.others);
    } else if (name == "indptr.npy") {
      read_whole(zip, source, INT64_MAX, arrays.offsets);
    } else if (name == "data.npy") {
      read_numbers(zip, source, arrays.values, [&](const Number& number) {
        if (!std::isfinite(number.value)) {
          reject(file, fmt::format("found {} in {}; allowed: finite numbers", number.value,
                                   quoted(name)));
        }
        return number.value;
      });
    }
  }
  return arrays;
}

void require_members(const Arrays& arrays, const std::string& file) {
  const bool is_list = arrays.format == "coo";
  if (!is_list && arrays.format != "csr" && arrays.format != "csc") {
    reject(file, arrays.format.empty()
                     ? "found no array named format; allowed: a sparse matrix, as "
                       "scipy.sparse.save_npz writes it (.npy has dense arrays)"
                     : fmt::format("found a matrix of format {}; allowed: csr, csc or coo",
                                   quoted(arrays.format)));
  }
  for (const char* name : {"shape.npy", "data.npy", is_list ? "row.npy" : "indices.npy",
                           is_list ? "col.npy" : "indptr.npy"}) {
    if (std::ranges::find(arrays.found, name) == arrays.found.end()) {
      reject(file, fmt::format("found no {}; allowed: a sparse matrix, as scipy.sparse.save_npz "
                               "writes it",
                               quoted(name)));
    }
  }
  const auto most = static_cast<std::int64_t>(kMostObjects);
  if (arrays.shape.size() != 2 || std::ranges::any_of(arrays.shape, [&](std::int64_t extent) {
        return extent < 1 || extent > most;
      })) {
    reject(file, "found a shape other than rows and columns; allowed: one or more of both");
  }
}

void require_lengths(const Arrays& arrays, std::size_t lines, std::size_t extent,
                     const std::string& file) {
  const std::size_t entries = arrays.values.size();
  const bool is_list = arrays.format == "coo";
  const bool are_lists = arrays.indices.size() == entries && arrays.others.size() == entries;
  const bool are_compressed = arrays.indices.size() == entries &&
                              arrays.offsets.size() == lines + 1 && arrays.offsets.front() == 0 &&
                              arrays.offsets.back() == static_cast<std::int64_t>(entries) &&
                              std::ranges::is_sorted(arrays.offsets);
  const auto is_outside = [](const std::vector<std::uint32_t>& all, std::size_t most) {
    return std::ranges::any_of(all, [&](std::uint32_t one) { return one >= most; });
  };
  if (is_list ? !are_lists || is_outside(arrays.indices, lines) || is_outside(arrays.others, extent)
              : !are_compressed || is_outside(arrays.indices, extent)) {
    reject(file,
           "found arrays that do not fit each other or the shape; allowed: a sparse matrix, as "
           "scipy.sparse.save_npz writes it");
  }
}

// Rows in order without duplicates or zeros can stay as they are.
bool is_canonical(const Arrays& arrays) {
  if (std::ranges::find(arrays.values, 0.0) != arrays.values.end()) {
    return false;
  }
  for (std::size_t i = 0; i + 1 < arrays.offsets.size(); ++i) {
    for (std::int64_t e = arrays.offsets[i] + 1; e < arrays.offsets[i + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      if (arrays.indices[at - 1] >= arrays.indices[at]) {
        return false;
      }
    }
  }
  return true;
}

EntryList as_entries(const Arrays& arrays, bool by_columns) {
  EntryList entries;
  const auto add = [&](std::uint32_t line, std::uint32_t other, double value) {
    by_columns ? entries.add(other, line, value) : entries.add(line, other, value);
  };
  for (std::size_t e = 0; e < arrays.others.size(); ++e) {
    add(arrays.indices[e], arrays.others[e], arrays.values[e]);
  }
  for (std::size_t i = 0; i + 1 < arrays.offsets.size(); ++i) {
    for (auto e = static_cast<std::size_t>(arrays.offsets[i]);
         e < static_cast<std::size_t>(arrays.offsets[i + 1]); ++e) {
      add(static_cast<std::uint32_t>(i), arrays.indices[e], arrays.values[e]);
    }
  }
  return entries;
}

}  // namespace

Input read_npz(ByteSource& source, const ReadOptions& options) {
  const std::string& file = source.name();
  Input input;
  input.name = file;
  input.shape = sparse_shape(options.shape, file);
  Arrays arrays = read_arrays(source);
  require_members(arrays, file);
  const auto rows = static_cast<std::size_t>(arrays.shape[0]);
  const auto columns = static_cast<std::size_t>(arrays.shape[1]);
  if (input.shape == Shape::graph && rows != columns) {
    reject(file, message("bad_input", "shape",
                         "found {} rows and {} columns; allowed for a graph: as many columns as "
                         "rows ({shape=features} reads rows of features)",
                         rows, columns));
  }
  const bool by_columns = arrays.format == "csc";
  require_lengths(arrays, by_columns ? columns : rows, by_columns ? rows : columns, file);
  check_objects(rows, arrays.values.size(), file);
  check_objects(columns, arrays.values.size(), file);
  SparseMatrix matrix;
  // The columns of a symmetric matrix are its rows.
  if (arrays.format != "coo" && (!by_columns || input.shape == Shape::graph) &&
      is_canonical(arrays)) {
    matrix = {rows, columns, std::move(arrays.offsets), std::move(arrays.indices),
              std::move(arrays.values)};
  } else {
    EntryList entries = as_entries(arrays, by_columns);
    arrays = {};
    ThreadTeam team(reading_threads(options, source));
    matrix = sparse_rows(entries, rows, columns, Mirror::no, file, team);
  }
  if (input.shape == Shape::graph) {
    symmetrise(matrix, file);
  }
  input.values = std::move(matrix);
  return input;
}

}  // namespace shiftcut
