#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace jointrig::app {

/// One line at the bottom of a terminal that tells how far the jobs are, and lines above it that
/// stay. Where the output isn't a terminal only the lines that stay are printed. Any thread.
class ProgressLine {
 public:
  ProgressLine(int jobs, std::size_t scenarios);

  void show(int job, const std::string& text);  ///< what a job is doing now
  void done(int job);                           ///< one more scenario is over
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
