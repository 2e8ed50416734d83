#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace jointrig::remote {

/// A file on its way from the server, in parts. Its end gives up what hasn't come.
class FileStream {
 public:
  FileStream() = default;
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;
  virtual ~FileStream() = default;
  /// Waits for the next part; absent at the end. For one thread. Throws ConnectionLost, and
  /// std::invalid_argument for a file that the server doesn't give.
  virtual std::optional<std::string> next() = 0;
  /// Of the whole file, once the first part has come [bytes].
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Ends a next() that waits; any thread.
  virtual void cancel() noexcept = 0;
};

}  // namespace jointrig::remote
