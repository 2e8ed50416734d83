#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jointrig::remote {

/// A file that clients may fetch.
struct ServedFile {
  std::string name;          ///< of its place below the served folder: "runs/one/log.mcap"
  std::uint64_t size = 0;    ///< [bytes]
  std::int64_t time_ns = 0;  ///< of its last change, since 1970
};

/// A file that is open for reading, up to the size that it had then: a log grows meanwhile.
class OpenFile {
 public:
  OpenFile(int descriptor, std::uint64_t size) noexcept : descriptor_(descriptor), size_(size) {}
  OpenFile(OpenFile&& other) noexcept;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile();

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// The next part, of at most `most` bytes; empty at the end. Throws std::runtime_error: it can't
  /// be read, or is shorter by now.
  void next(std::size_t most, std::string& part);

 private:
  int descriptor_;
  std::uint64_t size_;
  std::uint64_t place_ = 0;
};

/// Files of this machine for clients elsewhere: those below a folder, or a single one, and nothing
/// else. Links are not followed, inside the folder either. Any thread.
class ServedFiles {
 public:
  static constexpr std::size_t kListed = 1000;    ///< at most, the newest; a choice
  static constexpr std::size_t kLooked = 20'000;  ///< entries of folders, at most; a choice

  /// None.
  ServedFiles() = default;
  /// @param place  a folder, or a file; empty: none. A file may be made later.
  explicit ServedFiles(std::string place);

  struct List {
    std::vector<ServedFile> files;  ///< newest first
    std::size_t left_out = 0;       ///< older ones, and those whose names are no UTF-8
  };
  /// Those that are there now; one that can't be read is left out.
  [[nodiscard]] List list() const;
  /// Throws std::invalid_argument with a sentence: no such file, or none of these.
  [[nodiscard]] OpenFile open(const std::string& name) const;

 private:
  std::string folder_;  ///< empty: none
  std::string only_;    ///< name of the one file; empty: all of them
};

}  // namespace jointrig::remote
