#pragma once
/// A Python program of ours as a process: it takes and gives lines.

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace jointrig::app {

/// Ends with its owner: its standard input is closed then. Its own group keeps Ctrl+C from it. One
/// thread.
class HelperProcess {
 public:
  /// Starts `python -c text`; the Python is that of JOINTRIG_PYTHON, else `python3`.
  /// @param words  file for what it prints as errors
  /// Throws std::runtime_error.
  HelperProcess(std::string_view text, std::filesystem::path words);
  /// Closes its input and waits for it; kills it after some seconds.
  ~HelperProcess();
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;

  /// False once it has ended.
  bool send(const std::string& line);

  /// Its next line, without the line's end; none after the time, and none once it has ended.
  std::optional<std::string> next(std::chrono::milliseconds time);
  [[nodiscard]] bool has_ended() const noexcept { return ended_; }

  /// "; the file F has its last words: ...", with the last line.
  [[nodiscard]] std::string last_words() const;

 private:
  bool read_more(std::chrono::milliseconds time);

  std::filesystem::path words_;
  pid_t process_ = -1;
  int in_ = -1;   ///< its standard input
  int out_ = -1;  ///< its standard output
  std::string unread_;
  bool ended_ = false;
};

/// JOINTRIG_PYTHON, else `python3`.
std::string python_program();

}  // namespace jointrig::app
