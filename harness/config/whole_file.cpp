#include "harness/config/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <streambuf>
#include <utility>

namespace jointrig::harness {
namespace {

namespace fs = std::filesystem;

const char* remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "; make room there, then try again";
    case EROFS:
    case EACCES:
    case EPERM:
      return "; choose a folder that can be written to";
    case ENOENT:
    case ENOTDIR:
      return "; choose a folder that exists";
    default:
      return "";
  }
}

fs::path behind_links(const fs::path& path) {
  std::error_code none;
  if (!fs::is_symlink(path, none)) return path;
  fs::path target = fs::weakly_canonical(path, none);
  return none ? path : target;
}

}  // namespace

WriteError::WriteError(const fs::path& path, int error)
    : std::runtime_error("can't write " + path.generic_string() + ": " + std::strerror(error) +
                         remedy(error)) {}

/// Remembers the system's first reason: the next call would overwrite errno.
class WholeFile::Buffer final : public std::streambuf {
 public:
  explicit Buffer(int fd) : fd_(fd) { setp(room_.data(), room_.data() + room_.size()); }
  ~Buffer() override { close(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  [[nodiscard]] int fd() const noexcept { return fd_; }
  [[nodiscard]] int error() const noexcept { return error_; }
  void note(int error) noexcept {
    if (error_ == 0) error_ = error;
  }
  /// NFS and quotas tell of a full disk only here.
  void close() noexcept {
    if (fd_ >= 0 && ::close(fd_) != 0) note(errno);
    fd_ = -1;
  }

 protected:
  int sync() override {
    const char* at = pbase();
    while (at < pptr() && error_ == 0) {
      const ssize_t written = ::write(fd_, at, static_cast<std::size_t>(pptr() - at));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) note(written < 0 ? errno : ENOSPC);
      if (written > 0) at += written;
    }
    setp(room_.data(), room_.data() + room_.size());
    return error_ == 0 ? 0 : -1;
  }
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    *pptr() = traits_type::to_char_type(c);
    pbump(1);
    return c;
  }

 private:
  int fd_;
  int error_ = 0;
  std::array<char, 64 * 1024> room_{};
};

WholeFile::WholeFile(fs::path path, Keep keep)
    : path_(std::move(path)), target_(behind_links(path_)), keep_(keep), out_(nullptr) {
  struct stat old {};
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  const bool in_place = exists && !S_ISREG(old.st_mode);
  // A rename would take a write-protected file's place all the same.
  if (exists && ::access(target_.c_str(), W_OK) != 0) throw WriteError(path_, errno);
  if (!in_place) beside_ = target_.string() + ".new";
  const fs::path& written = in_place ? target_ : beside_;
  const int fd = ::open(written.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) throw WriteError(path_, errno);
  buffer_ = std::make_unique<Buffer>(fd);
  out_.rdbuf(buffer_.get());
  if (exists && !in_place && ::fchmod(fd, old.st_mode & 07777U) != 0) buffer_->note(errno);
}

WholeFile::~WholeFile() {
  buffer_->close();
  if (!beside_.empty()) ::unlink(beside_.c_str());
}

void WholeFile::commit() {
  out_.flush();
  const bool durable = keep_ == Keep::kDurable && !beside_.empty();
  if (buffer_->error() == 0 && durable && ::fsync(buffer_->fd()) != 0) buffer_->note(errno);
  buffer_->close();
  if (buffer_->error() != 0) throw WriteError(path_, buffer_->error());
  if (beside_.empty()) return;
  if (::rename(beside_.c_str(), target_.c_str()) != 0) throw WriteError(path_, errno);
  beside_.clear();
}

void write_whole_file(const fs::path& path, std::string_view bytes, WholeFile::Keep keep) {
  WholeFile file(path, keep);
  file.out() << bytes;
  file.commit();
}

std::string bytes_of_file(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(bytes).str();
}

}  // namespace jointrig::harness
