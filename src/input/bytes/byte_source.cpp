// Files are read with the system's own calls, since a signal (Ctrl-C) must be able to interrupt a
// read that waits; gzip is decompressed by zlib as it streams by, one member after another.
#include "input/bytes/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/reject.hpp"

namespace shiftcut {

namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, gzip wrapping
constexpr unsigned char kGzipMagic = 0x1f;

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw ResourceError(message("unreadable_file", "", "{}: can't be read: {}", name, why));
}

std::string error_text(int error) { return std::generic_category().message(error); }

}  // namespace

class Gunzip {
 public:
  /// `packed(out, size)` supplies compressed bytes and returns 0 at the end; `file` is for
  /// messages.
  Gunzip(std::function<std::size_t(char*, std::size_t)> packed, std::string file,
         std::size_t chunk);
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  ~Gunzip();

  /// Puts up to `size` decompressed bytes at `out`; 0 is the end. Throws std::invalid_argument if
  /// the gzip data is truncated or damaged.
  std::size_t read(char* out, std::size_t size);

 private:
  bool refill();
  bool begin_next_member();

  std::function<std::size_t(char*, std::size_t)> packed_;
  std::string file_;
  std::vector<char> buffer_;
  std::unique_ptr<z_stream_s> stream_;
  bool inside_member_ = true;
};

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

// Zero bytes after a member are padding; anything else must start another member.
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

std::string ByteSource::name_of(const std::string& path) {
  if (path == "-") {
    return "standard input";
  }
  return !path.empty() && harmless(path) == path ? path : quoted(path, kLongestPathShown);
}

ByteSource::OpenFile ByteSource::open_file(const std::string& path, const std::string& name) {
  const int descriptor =
      path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    fail(name, error_text(errno));
  }
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || S_ISDIR(status.st_mode)) {
    const std::string why = S_ISDIR(status.st_mode) ? "it is a directory" : error_text(errno);
    ::close(descriptor);
    fail(name, why);
  }
  // Standard input may be a file, but one that has been read in part: its size says little.
  const bool regular = S_ISREG(status.st_mode) && path != "-";
  return {descriptor, regular, regular ? static_cast<std::uint64_t>(status.st_size) : 0};
}

ByteSource ByteSource::open(const std::string& path, const Control& control, std::size_t chunk) {
  const std::string name = name_of(path);
  return ByteSource(name, open_file(path, name), {}, control, chunk);
}

ByteSource ByteSource::memory(std::string bytes, const std::string& name, std::size_t chunk) {
  const std::uint64_t size = bytes.size();
  return ByteSource(name, {-1, false, size}, std::move(bytes), {}, chunk);
}

ByteSource ByteSource::converted(const std::string& path, const std::vector<std::string>& words,
                                 CheckEnd check, const Control& control) {
  const std::string name = name_of(path);
  const OpenFile file = open_file(path, name);
  std::unique_ptr<ChildProcess> child;
  try {
    child = std::make_unique<ChildProcess>(words, file.descriptor);
  } catch (...) {
    ::close(file.descriptor);
    throw;
  }
  ::close(file.descriptor);
  const int output = child->output();
  return ByteSource(name, {output, false, 0}, {}, control, kReadChunk, std::move(child),
                    std::move(check));
}

ByteSource::ByteSource(std::string name, OpenFile file, std::string bytes, const Control& control,
                       std::size_t chunk, std::unique_ptr<ChildProcess> child, CheckEnd check_end)
    : name_(std::move(name)),
      descriptor_(file.descriptor),
      regular_(file.regular),
      file_size_(file.size),
      bytes_(std::move(bytes)),
      meter_(control, file.size),
      chunk_(std::max<std::size_t>(chunk, 1)),
      child_(std::move(child)),
      check_end_(std::move(check_end)) {
  try {
    if (child_ == nullptr) {
      detect_gzip();
    }
  } catch (...) {  // no destructor runs for a half-built object
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
    throw;
  }
}

ByteSource::~ByteSource() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

void ByteSource::detect_gzip() {
  char first[2];
  std::size_t have = 0;
  while (have < 2) {
    const std::size_t got = read_raw(first + have, 2 - have);
    if (got == 0) {
      break;
    }
    have += got;
  }
  head_.assign(first, have);
  if (head_ == "\x1f\x8b") {
    gunzip_ = std::make_unique<Gunzip>(
        [this](char* out, std::size_t size) { return read_raw(out, size); }, name_, chunk_);
  }
}

std::size_t ByteSource::read(char* out, std::size_t size) {
  const std::size_t wanted = std::min(size, chunk_);
  return gunzip_ != nullptr ? gunzip_->read(out, wanted) : read_raw(out, wanted);
}

std::size_t ByteSource::read_fully(char* out, std::size_t size) {
  std::size_t have = 0;
  while (have < size) {
    const std::size_t got = read(out + have, size - have);
    if (got == 0) {
      break;
    }
    have += got;
  }
  return have;
}

std::size_t ByteSource::read_raw(char* out, std::size_t size) {
  std::size_t got = 0;
  if (!head_.empty()) {
    got = std::min(size, head_.size());
    std::memcpy(out, head_.data(), got);
    head_.erase(0, got);
    return got;
  }
  if (descriptor_ >= 0) {
    got = read_descriptor(out, size);
  } else {
    got = std::min(size, bytes_.size() - position_);
    std::memcpy(out, bytes_.data() + position_, got);
    position_ += got;
  }
  done_ += got;
  meter_.advance(done_);
  return got;
}

std::size_t ByteSource::read_descriptor(char* out, std::size_t size) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, out, size);
    if (got == 0 && child_ != nullptr) {
      const ChildProcess::End end = child_->wait();
      child_.reset();
      check_end_(name_, end);
    }
    if (got >= 0) {
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) {
      fail(name_, error_text(errno));
    }
    meter_.advance(done_);
  }
}

}  // namespace shiftcut
