#pragma once

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

 private:
  void erase();
  void draw();

  std::mutex mutex_;
  std::vector<std::string> doing_;
  std::size_t total_;
  std::size_t done_ = 0;
  bool terminal_;
  bool drawn_ = false;
};

}  // namespace jointrig::app
