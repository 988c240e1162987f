// Unpacking gzip with zlib: see gunzip.hpp.
#include "input/bytes/gunzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "input/bytes/reject.hpp"

namespace shiftcut {

namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, gzip wrapping
constexpr unsigned char kGzipMagic = 0x1f;

}  // namespace

Gunzip::Gunzip(std::function<std::size_t(char*, std::size_t)> packed, std::string file,
               std::size_t chunk)
    : packed_(std::move(packed)),
      file_(std::move(file)),
      buffer_(chunk),
      stream_(std::make_unique<z_stream_s>()) {
  if (inflateInit2(stream_.get(), kGzipWindow) != Z_OK) {
    throw std::bad_alloc();
  }
}

Gunzip::~Gunzip() { inflateEnd(stream_.get()); }

bool Gunzip::refill() {
  if (stream_->avail_in > 0) {
    return true;
  }
  const std::size_t got = packed_(buffer_.data(), buffer_.size());
  stream_->next_in = reinterpret_cast<Bytef*>(buffer_.data());
  stream_->avail_in = static_cast<uInt>(got);
  return got > 0;
}

// Zero bytes after a member are padding; anything else must be another member.
bool Gunzip::begin_next_member() {
  while (refill()) {
    const unsigned char next = *stream_->next_in;
    if (next == kGzipMagic) {
      inflateReset(stream_.get());
      inside_member_ = true;
      return true;
    }
    if (next != 0) {
      reject(file_,
             "found bytes that are not gzip after the end of the gzip data; allowed: "
             "another gzip member, or nothing");
    }
    ++stream_->next_in;
    --stream_->avail_in;
  }
  return false;
}

std::size_t Gunzip::read(char* out, std::size_t size) {
  stream_->next_out = reinterpret_cast<Bytef*>(out);
  stream_->avail_out = static_cast<uInt>(std::min<std::size_t>(size, 1U << 30));
  const uInt wanted = stream_->avail_out;
  while (stream_->avail_out == wanted) {
    if (!inside_member_ && !begin_next_member()) {
      return 0;
    }
    if (!refill()) {
      reject(file_, "found the end of the file inside its gzip data; allowed: a whole gzip file");
    }
    const int status = inflate(stream_.get(), Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      inside_member_ = false;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      reject(file_, fmt::format("found damaged gzip data ({}); allowed: a whole gzip file",
                                stream_->msg != nullptr ? stream_->msg : "unknown error"));
    }
  }
  return wanted - stream_->avail_out;
}

}  // namespace shiftcut
