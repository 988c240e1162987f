// The numbers of an .npy file: see npy_reader.hpp.
#include "input/npy_reader.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "input/block_list.hpp"
#include "input/dense_input.hpp"
#include "input/npy_header.hpp"
#include "input/reject.hpp"
#include "input/transposed.hpp"

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

template <class T>
DenseArray own(std::vector<T> values, const NpyHeader& header) {
  if (header.fortran_order) {
    values = transposed(values.data(), header.columns, header.rows);
  }
  return DenseArray::own(std::move(values), header.rows, header.columns);
}

std::shared_ptr<const char> map_file(const ByteSource& source) {
  const std::size_t size = source.file_size();
  void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, source.descriptor(), 0);
  if (bytes == MAP_FAILED) {
    throw std::runtime_error(fmt::format("{}: can't be mapped: {}", source.name(),
                                         std::generic_category().message(errno)));
  }
  return {static_cast<const char*>(bytes),
          [size](const char* mapped) { ::munmap(const_cast<char*>(mapped), size); }};
}

template <class T>
DenseArray map_values(const ByteSource& source, const NpyHeader& header) {
  require_bytes(header, source.file_size() - header.data_offset, "", source.name());
  const std::shared_ptr<const char> file = map_file(source);
  const char* const bytes = file.get() + header.data_offset;
  if (header.data_offset % alignof(T) != 0) {
    std::vector<T> values(header.rows * header.columns);
    std::memcpy(values.data(), bytes, header.data_bytes);
    return own(std::move(values), header);
  }
  const T* const values = reinterpret_cast<const T*>(bytes);
  if (header.fortran_order) {
    return DenseArray::own(transposed(values, header.columns, header.rows), header.rows,
                           header.columns);
  }
  DenseArray array = DenseArray::borrow(values, header.rows, header.columns, file);
  array.set_mapped(true);
  return array;
}

// The header may promise anything: memory is taken only as the bytes come.
template <class T>
DenseArray read_values(ByteSource& source, const NpyHeader& header) {
  const std::size_t count = header.rows * header.columns;
  BlockList<T> values;
  while (values.size() < count) {
    const std::size_t step = std::min(count - values.size(), ByteSource::kChunk / sizeof(T));
    const std::size_t before = values.size() * sizeof(T);
    const std::size_t got =
        source.read_fully(reinterpret_cast<char*>(values.append(step)), step * sizeof(T));
    if (got < step * sizeof(T)) {
      require_bytes(header, before + got, "", source.name());
    }
  }
  char extra = 0;
  if (source.read_fully(&extra, 1) != 0) {
    require_bytes(header, header.data_bytes + 1, "at least ", source.name());
  }
  return own(values.take(), header);
}

template <class T>
DenseArray values_of(ByteSource& source, const NpyHeader& header) {
  return source.is_plain_file() ? map_values<T>(source, header) : read_values<T>(source, header);
}

}  // namespace

Input read_npy(ByteSource& source, const ReadOptions& options) {
  const NpyHeader header = read_npy_header(source);
  DenseArray values = header.value_size == sizeof(float) ? values_of<float>(source, header)
                                                         : values_of<double>(source, header);
  return dense_input(std::move(values), options.shape, Shape::features, source,
                     FiniteCheck::needed);
}

}  // namespace shiftcut
