#include "app/run/progress_line.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

namespace jointrig::app {
namespace {

constexpr std::size_t kWidth = 100;
constexpr double kToldFrom = 5.0;  // [s] left; less is not worth a word: a choice

/// In the largest unit that gives at least 2.
std::string duration_text(double seconds) {
  if (seconds < 120.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.0f} h", seconds / 3600.0);
}

}  // namespace

ProgressLine::ProgressLine(int jobs, std::size_t scenarios)
    : doing_(static_cast<std::size_t>(jobs)),
      total_(scenarios),
      terminal_(isatty(STDOUT_FILENO) != 0) {}

void ProgressLine::erase() {
  if (drawn_) std::fputs("\r\033[2K", stdout);
  drawn_ = false;
}

std::string ProgressLine::count_now() const {
  std::string text = fmt::format("[{}/{}]", done_, total_);
  if (done_ == 0) return text;
  const std::chrono::duration<double> past = std::chrono::steady_clock::now() - began_;
  const double left =
      past.count() / static_cast<double>(done_) * static_cast<double>(total_ - done_);
  if (left > kToldFrom) text += "  " + duration_text(left) + " left";
  return text;
}

std::string ProgressLine::count() {
  const std::lock_guard lock(mutex_);
  return count_now();
}

void ProgressLine::draw() {
  if (!terminal_ || done_ == total_) return;
  std::string line = count_now();
  for (const std::string& text : doing_) {
    if (!text.empty()) line += "  " + text;
  }
  if (line.size() > kWidth) line.resize(kWidth);
  std::fputs(line.c_str(), stdout);
  std::fflush(stdout);
  drawn_ = true;
}

void ProgressLine::show(int job, const std::string& text) {
  const std::lock_guard lock(mutex_);
  doing_[static_cast<std::size_t>(job)] = text;
  if (!terminal_) return;
  erase();
  draw();
}

void ProgressLine::done(int job) {
  const std::lock_guard lock(mutex_);
  doing_[static_cast<std::size_t>(job)].clear();
  ++done_;
}

void ProgressLine::print(const std::vector<std::string>& lines) {
  const std::lock_guard lock(mutex_);
  erase();
  for (const std::string& line : lines) std::printf("%s\n", line.c_str());
  std::fflush(stdout);
  draw();
}

}  // namespace jointrig::app
