// A part is a file NAME.part: a magic line; key, size and checksum of what follows; the bytes.
#include "shiftcut/checkpoint.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <random>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "core/fingerprint.hpp"
#include "core/message.hpp"
#include "core/text.hpp"

namespace shiftcut {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "shiftcut checkpoint 1\n";  // the format and its version
constexpr std::string_view kEnding = ".part";
constexpr std::string_view kFresh = ".shiftcut-";  // files that are being written
constexpr const char* kLock = "lock";
constexpr const char* kRun = "run";

struct Header {
  std::array<char, kMagic.size()> magic;
  std::array<std::uint64_t, 3> numbers;  // key, size, checksum

  static constexpr std::size_t kBytes = kMagic.size() + 3 * sizeof(std::uint64_t);
};

class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int descriptor) : descriptor_(descriptor) {}
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
  }
  [[nodiscard]] int get() const { return descriptor_; }
  /// 0, or the error.
  int close() { return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno; }

 private:
  int descriptor_;
};

int write_fully(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(file, bytes.data(), bytes.size());
    if (wrote < 0 && errno != EINTR) {
      return errno;
    }
    bytes.remove_prefix(wrote > 0 ? static_cast<std::size_t>(wrote) : 0);
  }
  return 0;
}

// Whether all `size` bytes were there.
bool read_fully(int file, char* out, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(file, out, size);
    if (got == 0 || (got < 0 && errno != EINTR)) {
      return false;
    }
    out += got > 0 ? got : 0;
    size -= got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  return true;
}

std::uint64_t checksum(std::uint64_t key, const std::string& name,
                       std::span<const std::string_view> pieces) {
  Fingerprint all;
  all.add(key).add_bytes(name);
  for (const std::string_view piece : pieces) {
    all.add_bytes(piece);
  }
  return all.value();
}

bool is_ours(std::string_view name) {
  return name == kLock || name.ends_with(kEnding) ||
         (name.starts_with(kFresh) && name.ends_with(".tmp"));
}

}  // namespace

struct Checkpoint::State {
  explicit State(std::string path) : folder(std::move(path)) {}

  std::string folder;
  int directory = -1;
  int lock = -1;
  std::uint64_t key = 0;
  mutable std::mutex mutex;
  std::size_t loaded = 0;
  std::vector<std::string> damaged;
  std::string write_error;

  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (const int descriptor : {lock, directory}) {
      if (descriptor >= 0) {
        ::close(descriptor);
      }
    }
  }

  [[noreturn]] void fail(const char* what, int error) const {
    throw ResourceError(message("unreadable_file", "checkpoint", "{checkpoint}: {} can't be {}: {}",
                                quoted(folder, 200), what, std::generic_category().message(error)));
  }

  void open_folder() {
    if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
      fail("made", errno);
    }
    directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
      fail("opened", errno);
    }
    for (const std::string& name : names()) {
      if (!is_ours(name)) {
        refuse("bad_input", "checkpoint",
               "{checkpoint}: found the file {} in {}; allowed: an empty folder, or that of an "
               "earlier run",
               shiftcut::quoted(name), quoted(folder, 200));
      }
    }
  }

  // Its last holder may have removed it after it was opened.
  void take_lock() {
    for (;;) {
      lock = ::openat(directory, kLock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (lock < 0) {
        fail("written to", errno);
      }
      if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
        refuse("bad_input", "checkpoint",
               "{checkpoint}: found another run that uses {}; allowed: a folder for each",
               quoted(folder, 200));
      }
      struct stat here = {};
      struct stat there = {};
      if (::fstat(lock, &here) == 0 && ::fstatat(directory, kLock, &there, 0) == 0 &&
          here.st_ino == there.st_ino) {
        return;
      }
      ::close(lock);
    }
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      all.push_back(at->path().filename().string());
    }
    return all;
  }

  void remove(std::string_view beginning, std::string_view ending) const {
    for (const std::string& name : names()) {
      if (name.starts_with(beginning) && name.ends_with(ending)) {
        ::unlinkat(directory, name.c_str(), 0);
      }
    }
  }

  enum class Found { nothing, damaged, other_key, whole };

  Found read(const std::string& name, std::string& bytes) const {
    const std::string file_name = name + std::string(kEnding);
    const OwnedDescriptor file(
        ::openat(directory, file_name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) {
      return errno == ENOENT ? Found::nothing : Found::damaged;
    }
    struct stat found = {};
    Header header{};
    if (::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode) ||
        !read_fully(file.get(), header.magic.data(), header.magic.size()) ||
        !read_fully(file.get(), reinterpret_cast<char*>(header.numbers.data()),
                    sizeof header.numbers) ||
        std::string_view(header.magic.data(), header.magic.size()) != kMagic) {
      return Found::damaged;
    }
    const auto [its_key, size, sum] = header.numbers;
    if (size != static_cast<std::uint64_t>(found.st_size) - Header::kBytes) {
      return Found::damaged;
    }
    bytes.resize(size);
    const bool is_whole = read_fully(file.get(), bytes.data(), size);
    const std::string_view piece = bytes;
    if (!is_whole || sum != checksum(its_key, name, {&piece, 1})) {
      return Found::damaged;
    }
    return its_key == key ? Found::whole : Found::other_key;
  }

  // 0, or the error.
  int write(const std::string& name, std::span<const std::string_view> pieces) const {
    std::random_device random;
    const std::string fresh = fmt::format("{}{:08x}{:08x}.tmp", kFresh, random(), random());
    OwnedDescriptor file(::openat(directory, fresh.c_str(),
                                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (file.get() < 0) {
      return errno;
    }
    std::string whole;  // of one piece, as it is read again
    std::string_view piece = whole;
    if (pieces.size() == 1) {
      piece = pieces.front();
    } else {
      for (const std::string_view part : pieces) {
        whole += part;
      }
      piece = whole;
    }
    const std::array<std::uint64_t, 3> numbers{key, piece.size(), checksum(key, name, {&piece, 1})};
    int error = write_fully(file.get(), kMagic);
    for (const std::string_view bytes :
         {std::string_view(reinterpret_cast<const char*>(numbers.data()), sizeof numbers), piece}) {
      error = error != 0 ? error : write_fully(file.get(), bytes);
    }
    error = error == 0 && ::fsync(file.get()) != 0 ? errno : error;
    const int close_error = file.close();
    error = error != 0 ? error : close_error;
    const std::string place = name + std::string(kEnding);
    if (error == 0 && ::renameat(directory, fresh.c_str(), directory, place.c_str()) != 0) {
      error = errno;
    }
    if (error != 0) {
      ::unlinkat(directory, fresh.c_str(), 0);
      return error;
    }
    (void)::fsync(directory);  // some file systems know no such thing
    return 0;
  }

  void note_damage(const std::string& name) {
    const std::scoped_lock hold(mutex);
    damaged.push_back(name + std::string(kEnding));
  }
};

Checkpoint::Checkpoint(std::string folder) : state_(std::make_unique<State>(std::move(folder))) {
  state_->open_folder();
  state_->take_lock();
  state_->remove(kFresh, ".tmp");
}

Checkpoint::~Checkpoint() = default;

void Checkpoint::begin(std::uint64_t key) {
  state_->key = key;
  std::string nothing;
  const State::Found found = state_->read(kRun, nothing);
  if (found == State::Found::other_key) {
    refuse("not_applicable", "checkpoint",
           "{checkpoint}: found that of another run in {}, of other data, options or version; "
           "allowed: the same command, another folder, or this one without its files",
           quoted(state_->folder, 200));
  }
  if (found == State::Found::damaged) {
    state_->note_damage(kRun);
  }
  if (found != State::Found::whole) {
    state_->remove("", kEnding);
    save(kRun, {});
  }
}

std::string Checkpoint::load(const std::string& name) {
  std::string bytes;
  switch (state_->read(name, bytes)) {
    case State::Found::whole: {
      const std::scoped_lock hold(state_->mutex);
      ++state_->loaded;
      return bytes;
    }
    case State::Found::nothing:
      return {};
    case State::Found::damaged:
    case State::Found::other_key:
      break;
  }
  state_->note_damage(name);
  return {};
}

void Checkpoint::reject(const std::string& name) {
  state_->note_damage(name);
  const std::scoped_lock hold(state_->mutex);
  --state_->loaded;
}

void Checkpoint::save(const std::string& name, std::span<const std::string_view> pieces) {
  const int error = state_->write(name, pieces);
  if (error != 0) {
    const std::scoped_lock hold(state_->mutex);
    state_->write_error = std::generic_category().message(error);
  }
}

void Checkpoint::remove_parts() {
  state_->remove("", kEnding);
  ::unlinkat(state_->directory, kLock, 0);
}

std::vector<Message> Checkpoint::messages() const {
  const std::scoped_lock hold(state_->mutex);
  std::vector<Message> all;
  if (state_->loaded > 0) {
    all.push_back(message("resumed", "checkpoint",
                          "{checkpoint}: went on from an earlier run, {} finished {} of which "
                          "{} there.",
                          state_->loaded, state_->loaded == 1 ? "part" : "parts",
                          state_->loaded == 1 ? "was" : "were"));
  }
  if (!state_->damaged.empty()) {
    all.push_back(message(
        "damaged_checkpoint", "checkpoint",
        "{checkpoint}: {} {} damaged, and this work was done again: {}.", state_->damaged.size(),
        state_->damaged.size() == 1 ? "part was" : "parts were",
        comma_separated(
            std::span(state_->damaged).first(std::min<std::size_t>(state_->damaged.size(), 5)))));
  }
  if (!state_->write_error.empty()) {
    all.push_back(message("unsaved_checkpoint", "checkpoint",
                          "{checkpoint}: parts of the work could not be kept: {}.",
                          state_->write_error));
  }
  return all;
}

}  // namespace shiftcut
