#pragma once
/// The one way in which a file that isn't a log is written: whole, or not at all. And read.

#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace jointrig::harness {

/// Error: a file can't be written. The message has its name, the system's reason and what to do:
/// "can't write run.yaml: No space left on device; make room there, then try again".
class WriteError : public std::runtime_error {
 public:
  WriteError(const std::filesystem::path& path, int error);
};

/// Writes beside the file, into NAME.new, and renames that over it: a full disk leaves the old
/// content, never a half. A file that is no regular one (a device, a pipe) is written in place; a
/// symbolic link stays one. The folder has to be there.
///
///     WholeFile file(path);
///     file.out() << text;
///     file.commit();
class WholeFile {
 public:
  enum class Keep {
    kUsual,   ///< the system writes it to the disk in its own time
    kDurable  ///< commit() waits for the disk: for files whose loss costs more than some ms
  };

  /// Throws WriteError.
  explicit WholeFile(std::filesystem::path path, Keep keep = Keep::kUsual);
  /// Without commit() nothing stays of what was written.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  [[nodiscard]] std::ostream& out() noexcept { return out_; }
  /// Throws WriteError if the system has refused any part; the old file is then unchanged.
  void commit();

 private:
  class Buffer;
  std::filesystem::path path_;    ///< as given, for people
  std::filesystem::path target_;  ///< behind links
  std::filesystem::path beside_;  ///< empty: written in place
  Keep keep_;
  std::unique_ptr<Buffer> buffer_;
  std::ostream out_;
};

/// Throws WriteError.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes,
                      WholeFile::Keep keep = WholeFile::Keep::kUsual);

/// All bytes of a file; none where it can't be read.
std::string bytes_of_file(const std::filesystem::path& path);

}  // namespace jointrig::harness
