#include "remote/served_files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace jointrig::remote {
namespace {

namespace fs = std::filesystem;

/// Closes what it holds.
class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const noexcept { return number_; }
  [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }
  void reset(int number) noexcept {
    if (number_ >= 0) close(number_);
    number_ = number;
  }

 private:
  int number_;
};

/// Parts of a name between its slashes.
std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = name.find('/', begin);
    parts.push_back(name.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return parts;
}

/// A place below a folder, by a name that can't lead out of it.
bool is_below(const std::vector<std::string>& parts) {
  return std::none_of(parts.begin(), parts.end(), [](const std::string& part) {
    return part.empty() || part == "." || part == ".." || part.find('\0') != std::string::npos;
  });
}

/// For a sentence: a stranger chose it.
std::string shown(const std::string& name) {
  constexpr std::size_t kLongest = 80;
  std::string text;
  for (const char c : name.substr(0, kLongest)) {
    text += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  }
  return text + (name.size() > kLongest ? "..." : "");
}

/// As RFC 3629 has it: Python takes a name as text, and nothing else.
bool is_utf8(const std::string& text) {
  std::size_t following = 0;
  unsigned least = 0x80;
  unsigned most = 0xBF;
  for (const char c : text) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (following > 0) {
      if (byte < least || byte > most) return false;
      --following;
      least = 0x80;
      most = 0xBF;
    } else if (byte >= 0x80) {
      if (byte < 0xC2 || byte > 0xF4) return false;
      following = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
      if (byte == 0xE0) least = 0xA0;  // no longer form than a character needs
      if (byte == 0xF0) least = 0x90;
      if (byte == 0xED) most = 0x9F;  // no half of a pair
      if (byte == 0xF4) most = 0x8F;
    }
  }
  return following == 0;
}

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

OpenFile::OpenFile(OpenFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), place_(other.place_) {}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void OpenFile::next(std::size_t most, std::string& part) {
  part.resize(static_cast<std::size_t>(std::min<std::uint64_t>(most, size_ - place_)));
  std::size_t done = 0;
  while (done < part.size()) {
    const ssize_t read = pread(descriptor_, part.data() + done, part.size() - done,
                               static_cast<off_t>(place_ + done));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0)
      throw std::runtime_error(fmt::format("it can't be read: {}", std::strerror(errno)));
    if (read == 0) {
      throw std::runtime_error(fmt::format("it had {} bytes and has {} now", size_, place_ + done));
    }
    done += static_cast<std::size_t>(read);
  }
  place_ += done;
}

ServedFiles::ServedFiles(std::string place) {
  if (place.empty()) return;
  std::error_code error;
  if (fs::is_directory(place, error)) {
    folder_ = std::move(place);
    return;
  }
  const fs::path file(place);
  only_ = file.filename().string();
  folder_ = file.has_parent_path() ? file.parent_path().string() : ".";
}

ServedFiles::List ServedFiles::list() const {
  List list;
  if (folder_.empty()) return list;
  const auto add = [&](const fs::path& path, std::string name) {
    struct stat facts {};
    if (lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return;
    if (!is_utf8(name)) {
      ++list.left_out;
      return;
    }
    list.files.push_back(
        {std::move(name), static_cast<std::uint64_t>(facts.st_size), nanoseconds(facts.st_mtim)});
  };
  if (!only_.empty()) {
    add(fs::path(folder_) / only_, only_);
    return list;
  }
  std::error_code error;
  fs::recursive_directory_iterator entry(folder_, fs::directory_options::skip_permission_denied,
                                         error);
  for (std::size_t looked = 0; !error && entry != fs::recursive_directory_iterator(); ++looked) {
    if (looked == kLooked) break;
    add(entry->path(), entry->path().lexically_relative(folder_).generic_string());
    entry.increment(error);
  }
  std::sort(list.files.begin(), list.files.end(), [](const ServedFile& a, const ServedFile& b) {
    return std::pair(b.time_ns, a.name) < std::pair(a.time_ns, b.name);
  });
  if (list.files.size() > kListed) {
    list.left_out += list.files.size() - kListed;
    list.files.resize(kListed);
  }
  return list;
}

OpenFile ServedFiles::open(const std::string& name) const {
  if (folder_.empty()) {
    throw std::invalid_argument(
        "file: no files are served here: start the server with --files FOLDER, or with --log");
  }
  const std::vector<std::string> parts = parts_of(name);
  if (!is_below(parts)) {
    throw std::invalid_argument(
        fmt::format("file '{}' is no place below the served folder: give a name of files(), "
                    "without '..' and not from '/'",
                    shown(name)));
  }
  const auto none = [&](const char* why) {
    return std::invalid_argument(
        fmt::format("file '{}': {}: files() tells which there are", shown(name), why));
  };
  if (!only_.empty() && name != only_) throw none("there is none of this name");
  Descriptor at(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // One step after the other, so that no link on the way leads elsewhere, also if it is made now.
  for (std::size_t i = 0; i < parts.size() && at.get() >= 0; ++i) {
    const int kind = i + 1 == parts.size() ? O_NONBLOCK : O_DIRECTORY;
    const int next = openat(at.get(), parts[i].c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | kind);
    if (next < 0 && errno == ELOOP) throw none("it is a link, and links are not followed");
    if (next < 0 && errno == EACCES) throw none("the server may not read it");
    at.reset(next);
  }
  struct stat facts {};
  if (at.get() < 0) throw none("there is none of this name");
  if (fstat(at.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) throw none("it is no plain file");
  return {at.release(), static_cast<std::uint64_t>(facts.st_size)};
}

}  // namespace jointrig::remote
