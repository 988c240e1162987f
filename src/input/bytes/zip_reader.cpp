#include "input/bytes/zip_reader.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>

#include <fmt/core.h>

#include "core/text.hpp"
#include "input/bytes/reject.hpp"

namespace shiftcut {

namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kDirectory = 0x02014b50;
constexpr std::uint32_t kEndOfDirectory = 0x06054b50;
constexpr std::uint32_t kDescriptor = 0x08074b50;
constexpr std::uint16_t kZip64Field = 1;
constexpr std::uint32_t kInZip64Field = 0xffffffff;
constexpr std::size_t kLongestName = 4096;

std::uint64_t little_endian(const char* bytes, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

}  // namespace

ZipReader::ZipReader(ByteSource& source)
    : source_(source), buffer_(source.chunk()), stream_(std::make_unique<z_stream_s>()) {
  if (inflateInit2(stream_.get(), -MAX_WBITS) != Z_OK) {
    throw std::bad_alloc();
  }
}

ZipReader::~ZipReader() { inflateEnd(stream_.get()); }

// Returns the number of bytes in the buffer, 0 at the end of the source.
std::size_t ZipReader::fill() {
  if (at_ == filled_) {
    filled_ = source_.read(buffer_.data(), buffer_.size());
    at_ = 0;
  }
  return filled_ - at_;
}

void ZipReader::take(char* out, std::size_t size) {
  while (size > 0) {
    const std::size_t count = std::min(size, fill());
    if (count == 0) {
      reject(source_.name(),
             "found the end of the file inside its ZIP archive; allowed: a whole file, as "
             "scipy.sparse.save_npz writes it");
    }
    std::memcpy(out, buffer_.data() + at_, count);
    at_ += count;
    out += count;
    size -= count;
  }
}

bool ZipReader::next() {
  char rest[1 << 12];
  while (is_inside_ && read(rest, sizeof(rest)) > 0) {
  }
  if (is_inside_) {
    end_member();
  }
  char header[30];
  take(header, 4);
  const std::uint64_t signature = little_endian(header, 4);
  if (signature == kDirectory || signature == kEndOfDirectory) {
    return false;
  }
  if (signature != kLocalHeader) {
    reject(source_.name(),
           "found something other than a member of a ZIP archive; allowed: a file as "
           "scipy.sparse.save_npz writes it");
  }
  take(header + 4, sizeof(header) - 4);
  const std::uint64_t flags = little_endian(header + 6, 2);
  const std::uint64_t method = little_endian(header + 8, 2);
  checksum_ = static_cast<std::uint32_t>(little_endian(header + 14, 4));
  packed_left_ = little_endian(header + 18, 4);
  unpacked_size_ = little_endian(header + 22, 4);
  const std::uint64_t name_length = little_endian(header + 26, 2);
  if (name_length > kLongestName) {
    reject(source_.name(), fmt::format("found a member with a name of {} bytes; allowed: up to {}",
                                       name_length, kLongestName));
  }
  name_.resize(name_length);
  take(name_.data(), name_.size());
  std::string extra(little_endian(header + 28, 2), '\0');
  take(extra.data(), extra.size());
  has_descriptor_ = (flags & 8) != 0;
  is_deflated_ = method == 8;
  if ((flags & 1) != 0 || (method != 0 && method != 8) || (has_descriptor_ && !is_deflated_)) {
    reject(source_.name(),
           fmt::format("found member {} encrypted or compressed in an unknown way (flags {}, "
                       "method {}); allowed: stored or deflated",
                       quoted(name_), flags, method));
  }
  read_sizes(extra);
  inflateReset(stream_.get());
  stream_->avail_in = 0;
  is_inside_ = true;
  unpacked_ = 0;
  computed_ = 0;
  return true;
}

// Sizes beyond 32 bits are in a field of their own, in the order of those that it replaces.
void ZipReader::read_sizes(const std::string& extra) {
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t kind = little_endian(extra.data() + at, 2);
    const std::uint64_t length = little_endian(extra.data() + at + 2, 2);
    at += 4;
    const std::size_t end = std::min(extra.size(), at + length);
    std::size_t field = at;
    for (std::uint64_t* size : {&unpacked_size_, &packed_left_}) {
      if (kind == kZip64Field && *size == kInZip64Field && field + 8 <= end) {
        *size = little_endian(extra.data() + field, 8);
        field += 8;
      }
    }
    at = end;
  }
}

std::size_t ZipReader::read(char* out, std::size_t size) {
  std::size_t have = 0;
  while (have < size) {
    const std::size_t got = read_some(out + have, size - have);
    if (got == 0) {
      break;
    }
    computed_ = static_cast<std::uint32_t>(
        crc32(computed_, reinterpret_cast<const Bytef*>(out + have), static_cast<uInt>(got)));
    unpacked_ += got;
    have += got;
  }
  return have;
}

std::size_t ZipReader::read_some(char* out, std::size_t size) {
  size = std::min<std::size_t>(size, std::size_t{1} << 30);
  return !is_inside_ ? 0 : is_deflated_ ? read_deflated(out, size) : read_stored(out, size);
}

std::size_t ZipReader::read_stored(char* out, std::size_t size) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(size, packed_left_));
  take(out, count);
  packed_left_ -= count;
  if (count == 0) {
    end_member();
  }
  return count;
}

std::size_t ZipReader::read_deflated(char* out, std::size_t size) {
  stream_->next_out = reinterpret_cast<Bytef*>(out);
  stream_->avail_out = static_cast<uInt>(size);
  while (stream_->avail_out == size) {
    const std::size_t available = fill();
    stream_->next_in = reinterpret_cast<Bytef*>(buffer_.data() + at_);
    stream_->avail_in = static_cast<uInt>(available);
    const int status = inflate(stream_.get(), Z_NO_FLUSH);
    at_ += available - stream_->avail_in;
    if (status == Z_STREAM_END) {
      const std::size_t got = size - stream_->avail_out;
      if (got == 0) {
        end_member();
      } else {
        packed_left_ = 0;
        is_deflated_ = false;  // what is left of it is nothing, stored
      }
      return got;
    }
    if (status != Z_OK && status != Z_BUF_ERROR) {
      reject(source_.name(),
             fmt::format("found damaged data in member {}; allowed: a whole file", quoted(name_)));
    }
    if (available == 0) {
      reject(source_.name(), fmt::format("found the end of the file inside member {}; allowed: a "
                                         "whole file",
                                         quoted(name_)));
    }
  }
  return size - stream_->avail_out;
}

void ZipReader::end_member() {
  is_inside_ = false;
  if (has_descriptor_) {  // its signature and the 8-byte form are optional: skipped, not checked
    char bytes[20];
    take(bytes, 4);
    const bool is_signed = little_endian(bytes, 4) == kDescriptor;
    take(bytes + 4, is_signed ? 12 : 8);
    checksum_ = static_cast<std::uint32_t>(little_endian(bytes + (is_signed ? 4 : 0), 4));
    const std::uint64_t size = little_endian(bytes + (is_signed ? 12 : 8), 4);
    if (size == 0 && unpacked_ != 0) {  // sizes of 8 bytes
      take(bytes, 8);
    }
    unpacked_size_ = unpacked_;
  }
  if (unpacked_ != unpacked_size_ || computed_ != checksum_) {
    reject(source_.name(),
           fmt::format("found member {} damaged (its size or checksum differs); allowed: a whole "
                       "file",
                       quoted(name_)));
  }
}

}  // namespace shiftcut
