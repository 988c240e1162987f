// The numbers of an .npy file. A regular file is read straight into memory of the right size; a
// stream (a pipe, gzip) in blocks, since its header may promise anything.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>

#include <fmt/core.h>

#include "core/memory.hpp"
#include "core/message.hpp"
#include "input/bytes/block_list.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"
#include "input/matrix/dense_input.hpp"
#include "input/matrix/npy_blocks.hpp"
#include "input/matrix/npy_header.hpp"
#include "input/readers.hpp"

namespace shiftcut {

namespace {

void require_bytes(const NpyHeader& header, std::size_t found, const char* more,
                   const std::string& file) {
  if (found != header.data_bytes) {
    reject(file, fmt::format("found {}{} bytes of numbers; allowed: the {} bytes its header "
                             "promises, {} x {} of {} each",
                             more, found, header.data_bytes, header.rows, header.columns,
                             header.value_size));
  }
}

struct Half {
  std::uint16_t bits;
};

// IEEE 754: a sign bit, 5 bits of exponent, 10 of fraction; exact in float32.
float to_float(Half half) {
  const int exponent = half.bits >> 10U & 0x1fU;
  const auto fraction = static_cast<float>(half.bits & 0x3ffU);
  float value = 0;
  if (exponent == 0x1f) {
    value = fraction == 0 ? std::numeric_limits<float>::infinity()
                          : std::numeric_limits<float>::quiet_NaN();
  } else {
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  }
  return (half.bits & 0x8000U) != 0 ? -value : value;
}

template <class T>
bool is_exact_in_float64(T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    constexpr auto kLargest = static_cast<T>(std::uint64_t{1} << 53U);
    return value <= kLargest && (std::is_unsigned_v<T> || value >= T{} - kLargest);
  }
  return true;
}

// Converts numbers from the bytes of the file, and counts those that float64 rounds.
template <class Stored, class Kept>
class Converter {
 public:
  explicit Converter(bool swap) : swap_(swap) {}

  void operator()(const char* bytes, std::size_t count, Kept* out) {
    for (std::size_t i = 0; i < count; ++i) {
      char one[sizeof(Stored)];
      std::memcpy(one, bytes + i * sizeof(Stored), sizeof(Stored));
      if (swap_) {
        std::reverse(std::begin(one), std::end(one));
      }
      Stored stored;
      std::memcpy(&stored, one, sizeof(Stored));
      rounded_ += is_exact_in_float64(stored) ? 0 : 1;
      if constexpr (std::is_same_v<Stored, Half>) {
        out[i] = to_float(stored);
      } else {
        out[i] = static_cast<Kept>(stored);
      }
    }
  }

  [[nodiscard]] std::uint64_t rounded() const { return rounded_; }

 private:
  bool swap_;
  std::uint64_t rounded_ = 0;
};

template <class Stored, class Kept>
class NumberReader {
 public:
  NumberReader(ByteSource& source, const NpyHeader& header)
      : source_(source), header_(header), convert_(header.big_endian) {}

  DenseArray read() {
    DenseArray array = source_.is_plain_file() ? read_file() : read_stream();
    require_end();
    return array;
  }

  void read_blocks(std::size_t rows_at_once, const UseBlock& use) {
    if (header_.fortran_order && header_.columns > 1 && header_.rows > 1) {
      reject(source_.name(),
             "found numbers column by column; allowed for rows in blocks: row by row, as "
             "numpy.save() writes numpy.ascontiguousarray(X)");
    }
    const std::size_t d = header_.columns;
    std::vector<Kept> some(std::min(rows_at_once, header_.rows) * d);
    for (std::size_t first = 0; first < header_.rows; first += rows_at_once) {
      const std::size_t count = std::min(rows_at_once, header_.rows - first);
      take(some.data(), count * d);
      use(first, DenseArray::borrow(some.data(), count, d));
    }
    require_end();
  }

  [[nodiscard]] std::uint64_t rounded() const { return convert_.rounded(); }

 private:
  static constexpr std::size_t kStep = kReadChunk / sizeof(Stored);

  void require_end() {
    char extra = 0;
    if (source_.read_fully(&extra, 1) != 0) {
      require_bytes(header_, header_.data_bytes + 1, "at least ", source_.name());
    }
  }

  // Reads the next `count` numbers; rejects the file if it has fewer.
  void take(Kept* out, std::size_t count) {
    for (std::size_t done = 0; done < count;) {
      const std::size_t step = std::min(count - done, kStep);
      char* to = reinterpret_cast<char*>(out + done);
      const bool as_they_are = std::is_same_v<Stored, Kept> && !header_.big_endian;
      if (!as_they_are) {
        buffer_.resize(kStep * sizeof(Stored));
        to = buffer_.data();
      }
      const std::size_t got = source_.read_fully(to, step * sizeof(Stored));
      bytes_ += got;
      if (got < step * sizeof(Stored)) {
        require_bytes(header_, bytes_, "", source_.name());
      }
      if (!as_they_are) {
        convert_(buffer_.data(), step, out + done);
      }
      done += step;
    }
  }

  // The size of a file is known, so its header cannot promise what is not there.
  DenseArray read_file() {
    require_bytes(header_, source_.file_size() - header_.data_offset, "", source_.name());
    const std::size_t rows = header_.rows;
    const std::size_t columns = header_.columns;
    require_memory(static_cast<double>(rows) * static_cast<double>(columns) * sizeof(Kept),
                   message("", "", "{}: needs {} x {} numbers", source_.name(), rows, columns),
                   "use fewer rows or columns, or numbers as float32");
    const std::shared_ptr<Kept> values(
        static_cast<Kept*>(allocate_pages(rows * columns * sizeof(Kept))), FreePages{});
    if (header_.fortran_order) {
      take_columns(values.get());
    } else {
      take(values.get(), rows * columns);
    }
    return DenseArray::borrow(values.get(), rows, columns, values);
  }

  // Reads columns and stores them as rows, as many columns at a time as the buffer holds.
  void take_columns(Kept* out) {
    const std::size_t rows = header_.rows;
    const std::size_t most =
        std::clamp<std::size_t>(kColumnBuffer / sizeof(Kept) / rows, 1, header_.columns);
    std::vector<Kept> some(rows * most);
    for (std::size_t first = 0; first < header_.columns; first += most) {
      const std::size_t count = std::min(most, header_.columns - first);
      take(some.data(), rows * count);
      transpose(some.data(), count, rows, out + first, header_.columns);
    }
  }

  // The header may promise anything: memory is allocated only as bytes arrive.
  DenseArray read_stream() {
    const std::size_t count = header_.rows * header_.columns;
    BlockList<Kept> values;
    while (values.size() < count) {
      const std::size_t step = std::min(count - values.size(), kStep);
      take(values.append(step), step);
    }
    std::vector<Kept> all = values.take();
    if (header_.fortran_order) {
      std::vector<Kept> by_row(count);
      transpose(all.data(), header_.columns, header_.rows, by_row.data(), header_.columns);
      all = std::move(by_row);
    }
    return DenseArray::own(std::move(all), header_.rows, header_.columns);
  }

  ByteSource& source_;
  const NpyHeader& header_;
  Converter<Stored, Kept> convert_;
  std::vector<char> buffer_;
  std::size_t bytes_ = 0;
};

void note_rounded(std::uint64_t rounded, std::vector<Message>& notes) {
  if (rounded > 0) {
    notes.push_back(
        message("rounded_integers", "",
                "{} {} beyond 2^53, where whole numbers have more digits than float64 keeps, {} "
                "rounded",
                rounded, rounded == 1 ? "number" : "numbers", rounded == 1 ? "was" : "were"));
  }
}

// Calls read<Stored, Kept>() with the types of the numbers in the file and in memory.
template <class Read>
auto with_types(const NpyHeader& header, const Read& read) {
  const std::size_t size = header.value_size;
  switch (header.kind) {
    case NpyKind::floating:
      return size == 2   ? read.template operator()<Half, float>()
             : size == 4 ? read.template operator()<float, float>()
                         : read.template operator()<double, double>();
    case NpyKind::integer:
      return size == 1   ? read.template operator()<std::int8_t, float>()
             : size == 2 ? read.template operator()<std::int16_t, float>()
             : size == 4 ? read.template operator()<std::int32_t, double>()
                         : read.template operator()<std::int64_t, double>();
    case NpyKind::natural:
      return size == 1   ? read.template operator()<std::uint8_t, float>()
             : size == 2 ? read.template operator()<std::uint16_t, float>()
             : size == 4 ? read.template operator()<std::uint32_t, double>()
                         : read.template operator()<std::uint64_t, double>();
    case NpyKind::boolean:
      break;
  }
  return read.template operator()<std::uint8_t, float>();
}

DenseArray read_numbers(ByteSource& source, const NpyHeader& header, std::vector<Message>& notes) {
  return with_types(header, [&]<class Stored, class Kept>() {
    NumberReader<Stored, Kept> reader(source, header);
    DenseArray array = reader.read();
    note_rounded(reader.rounded(), notes);
    return array;
  });
}

}  // namespace

Input read_npy(ByteSource& source, const ReadOptions& options) {
  const NpyHeader header = read_npy_header(source);
  std::vector<Message> notes;
  DenseArray values = read_numbers(source, header, notes);
  Input input =
      dense_input(std::move(values), options.shape, Shape::features, source, FiniteCheck::needed);
  input.notes = std::move(notes);
  return input;
}

std::size_t npy_row_bytes(const NpyHeader& header) {
  return header.columns *
         with_types(header, []<class Stored, class Kept>() { return sizeof(Kept); });
}

std::vector<Message> read_npy_blocks(ByteSource& source, const NpyHeader& header,
                                     std::size_t rows_at_once, const UseBlock& use) {
  std::vector<Message> notes;
  with_types(header, [&]<class Stored, class Kept>() {
    NumberReader<Stored, Kept> reader(source, header);
    reader.read_blocks(std::max<std::size_t>(1, rows_at_once), use);
    note_rounded(reader.rounded(), notes);
  });
  return notes;
}

}  // namespace shiftcut
