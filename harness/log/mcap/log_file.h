#pragma once
/// A file that only grows and stays whole: an append is written completely or not at all.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace jointrig::harness {

class LogFile {
 public:
  /// Creates the file and replaces one of that name; writes through a device or a link. Throws
  /// std::runtime_error with the path and the system's reason.
  explicit LogFile(std::string path);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// Appends with write(2), so that the data survives any end of this process. Returns false on an
  /// error, which error() then names; a partial append is cut off again if the file allows that,
  /// and a later append may succeed.
  bool append(std::initializer_list<std::span<const std::byte>> parts) noexcept;

  bool close() noexcept;

  std::uint64_t size() const noexcept { return size_; }
  const std::string& path() const noexcept { return path_; }
  int error() const noexcept { return error_; }  ///< errno of the last failure

 private:
  bool write_all(std::span<const std::byte> bytes) noexcept;

  std::string path_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
  int error_ = 0;
};

}  // namespace jointrig::harness
