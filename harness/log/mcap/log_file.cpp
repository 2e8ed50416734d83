#include "harness/log/mcap/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace jointrig::harness {

namespace {

/// If the file were truncated instead, closing it would write it to the disk (ext4's
/// auto_da_alloc): hundreds of megabytes, and the run waits for them.
void remove_regular(const std::string& path) noexcept {
  struct stat found {};
  if (::lstat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode)) ::unlink(path.c_str());
}

}  // namespace

LogFile::LogFile(std::string path) : path_(std::move(path)) {
  remove_regular(path_);
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd_ < 0) {
    throw std::runtime_error("cannot create the log " + path_ + ": " + std::strerror(errno));
  }
}

LogFile::~LogFile() { close(); }

bool LogFile::append(std::initializer_list<std::span<const std::byte>> parts) noexcept {
  std::uint64_t end = size_;
  for (const auto part : parts) {
    if (!write_all(part)) {
      // Devices and pipes can't be truncated; a reader then finds the cut.
      if (::ftruncate(fd_, static_cast<off_t>(size_)) == 0) {
        ::lseek(fd_, static_cast<off_t>(size_), SEEK_SET);
      }
      return false;
    }
    end += part.size();
  }
  size_ = end;
  return true;
}

bool LogFile::write_all(std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      error_ = written < 0 ? errno : ENOSPC;
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

bool LogFile::close() noexcept {
  if (fd_ < 0) return true;
  const int result = ::close(fd_);
  fd_ = -1;
  if (result != 0) error_ = errno;
  return result == 0;
}

}  // namespace jointrig::harness
