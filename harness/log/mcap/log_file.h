#pragma once
/// A file that only grows and stays whole: what is appended is there altogether or not at all.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace jointrig::harness {

class LogFile {
 public:
  /// Creates the file, in the place of one of that name; a device or a link is written through.
  /// Throws std::runtime_error with the path and the system's reason.
  explicit LogFile(std::string path);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// Written with write(2), so it survives the end of this process however that comes. False on an
  /// error, which error() then names; what was written of it is cut off again where the file allows
  /// that, and a later append may succeed.
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
