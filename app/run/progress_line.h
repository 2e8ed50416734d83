#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace jointrig::app {

/// A progress line at the bottom of a terminal, with permanent lines above it. If the output isn't
/// a terminal only the permanent lines are printed. Any thread.
class ProgressLine {
 public:
  ProgressLine(int jobs, std::size_t scenarios);

  void show(int job, const std::string& text);  ///< shows the present activity of a job
  void done(int job);                           ///< counts a finished scenario
  void print(const std::vector<std::string>& lines);
  /// "[12/100]  3 min left"; without the time before anything was done.
  [[nodiscard]] std::string count();
  [[nodiscard]] bool is_on_terminal() const noexcept { return terminal_; }

 private:
  void erase();
  void draw();
  [[nodiscard]] std::string count_now() const;

  std::mutex mutex_;
  std::vector<std::string> doing_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool terminal_;
  bool drawn_ = false;
};

}  // namespace jointrig::app
