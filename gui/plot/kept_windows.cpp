#include "gui/plot/kept_windows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace jointrig::gui {
namespace {

constexpr double kMB = 1e6;

/// Samples of one signal from `from` on, at their indices in the history.
SampleRing copy_of(const SampleRing& series, SampleSpan span) {
  // Chunks begin at multiples of their size; what is there before the window is kept with it.
  const std::uint64_t begin = span.from / SampleRing::kCoarse * SampleRing::kCoarse;
  SampleRing copy(span.to - begin + SampleRing::kCoarse, begin);
  SampleReader samples(series);
  for (std::uint64_t i = begin; i < span.to; ++i) {
    copy.push(i < series.begin() ? std::numeric_limits<float>::quiet_NaN() : samples.at(i));
  }
  return copy;
}

void forget(std::optional<std::size_t>& number, std::size_t erased) {
  if (!number) return;
  if (*number == erased) {
    number.reset();
  } else if (*number > erased) {
    --*number;
  }
}

}  // namespace

bool KeptWindows::keep(const History& history, const std::vector<std::size_t>& signals, Span window,
                       double zero, std::string name) {
  if (windows_.size() >= kMost) {
    note_ =
        fmt::format("{} isn't kept: {} windows are, which is the most; delete some", name, kMost);
    return false;
  }
  const SampleSpan span = samples_between(history, std::max(window.low, history.oldest()),
                                          std::min(window.high, history.newest()));
  if (span.to <= span.from || signals.empty()) {
    note_ = name + " isn't kept: the record has no samples of that time any more";
    return false;
  }
  auto kept = std::make_shared<KeptWindow>();
  kept->name = std::move(name);
  kept->zero = zero;
  kept->robot_time = history.robot_time(zero);
  kept->time = {history.time_of(span.from), history.time_of(span.to)};
  const std::size_t left = most_bytes - std::min(most_bytes, bytes());
  for (const std::size_t signal : signals) {
    const auto [at, is_new] = kept->series.emplace(signal, copy_of(history.live(signal), span));
    if (is_new) kept->bytes += at->second.bytes();
    if (kept->bytes <= left) continue;
    note_ = fmt::format(
        "{} isn't kept: there is no room for it in {:.0f} MB, of which {:.1f} MB are left; delete "
        "a window, or keep a shorter time",
        kept->name, static_cast<double>(most_bytes) / kMB, static_cast<double>(left) / kMB);
    return false;
  }
  note_.clear();
  windows_.push_back(std::move(kept));
  return true;
}

void KeptWindows::erase(std::size_t window) {
  if (window >= windows_.size()) return;
  windows_.erase(windows_.begin() + static_cast<std::ptrdiff_t>(window));
  forget(shown_, window);
  forget(over_, window);
  note_.clear();
}

void KeptWindows::erase_all() {
  windows_.clear();
  shown_.reset();
  over_.reset();
  note_.clear();
}

std::size_t KeptWindows::bytes() const noexcept {
  std::size_t sum = 0;
  for (const auto& window : windows_) sum += window->bytes;
  return sum;
}

void KeptWindows::show(std::optional<std::size_t> window) {
  shown_ = window;
  if (over_ == shown_) over_.reset();
}

std::shared_ptr<const KeptWindow> KeptWindows::shown_window() const noexcept {
  return shown_ && *shown_ < windows_.size() ? windows_[*shown_] : nullptr;
}

const KeptWindow* KeptWindows::over_window() const noexcept {
  return over_ && *over_ < windows_.size() ? windows_[*over_].get() : nullptr;
}

void FaultWindows::find(const History& history) {
  for (std::size_t i = 0; i < history.joints(); ++i) {
    const auto joint = static_cast<JointIndex>(i);
    for (const History::ModeChange& change : history.modes(joint)) {
      const bool is_new = change.index >= next_ && change.index > 0;
      if (!is_new || change.mode != JointMode::kHwFault) continue;
      if (joints_.empty() || change.index < at_) at_ = change.index;
      if (std::find(joints_.begin(), joints_.end(), joint) == joints_.end()) {
        joints_.push_back(joint);
      }
    }
  }
  next_ = history.end();
}

void FaultWindows::update(const History& history, const std::vector<std::size_t>& signals,
                          KeptWindows& kept) {
  if (!looked_) next_ = history.end();
  looked_ = true;
  find(history);
  if (joints_.empty()) return;
  const double zero = history.time_of(at_);
  if (history.newest() < zero + kAfter) return;
  std::string name = "fault of " + history.joint_name(joints_.front());
  if (joints_.size() > 1) name += fmt::format(" and {} more", joints_.size() - 1);
  kept.keep(history, signals_of_joints(history, joints_, signals), {zero - kBefore, zero + kAfter},
            zero, std::move(name));
  joints_.clear();
}

std::vector<std::size_t> signals_of_joints(const History& history,
                                           const std::vector<JointIndex>& joints,
                                           std::vector<std::size_t> signals) {
  for (const JointIndex joint : joints) {
    for (const JointTrace trace : kAllJointTrace) signals.push_back(history.signal(joint, trace));
  }
  std::sort(signals.begin(), signals.end());
  signals.erase(std::unique(signals.begin(), signals.end()), signals.end());
  return signals;
}

}  // namespace jointrig::gui
