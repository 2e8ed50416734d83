#pragma once
/// Windows of the plots that are kept until somebody deletes them: what a trigger caught, what
/// happened around a fault, what a person froze. Each has samples of its own, so it stays when the
/// record of the last seconds has moved on. Two can be laid over each other: the second is drawn
/// shifted in time, so that both zeros coincide.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/plot/axes.h"
#include "gui/plot/history.h"

namespace jointrig::gui {

struct KeptWindow {
  std::string name;         ///< "trigger r_elbow.q", "fault of r_elbow"
  double robot_time = 0.0;  ///< of its zero [s]
  Span time;                ///< [s of the history]
  double zero = 0.0;        ///< the trigger, the fault, else the begin [s of the history]
  std::map<std::size_t, SampleRing> series;  ///< by signal; indices as in the history
  std::size_t bytes = 0;
};

class KeptWindows {
 public:
  /// Choices: some hundred windows of a joint and ten seconds; more would be a log.
  static constexpr std::size_t kMostBytes = 64'000'000;
  static constexpr std::size_t kMost = 100;

  /// Copies the samples of a window. One that is beyond the bounds is refused, and none that is
  /// kept is dropped for it: note() says so.
  /// @param window  cut to what the history has
  /// @return it was kept
  bool keep(const History& history, const std::vector<std::size_t>& signals, Span window,
            double zero, std::string name);
  void erase(std::size_t window);
  void erase_all();

  [[nodiscard]] std::size_t size() const noexcept { return windows_.size(); }
  [[nodiscard]] const KeptWindow& operator[](std::size_t window) const { return *windows_[window]; }
  [[nodiscard]] std::size_t bytes() const noexcept;
  /// Why the last window was not kept; empty: it was.
  [[nodiscard]] const std::string& note() const noexcept { return note_; }

  /// The window in place of the record; none: the record itself.
  void show(std::optional<std::size_t> window);
  [[nodiscard]] std::optional<std::size_t> shown() const noexcept { return shown_; }
  /// The second window, over the shown one or over the record.
  void lay_over(std::optional<std::size_t> window) noexcept { over_ = window; }
  [[nodiscard]] std::optional<std::size_t> laid_over() const noexcept { return over_; }

  [[nodiscard]] std::shared_ptr<const KeptWindow> shown_window() const noexcept;
  [[nodiscard]] const KeptWindow* over_window() const noexcept;

  /// Largest memory of all windows, for tests.
  std::size_t most_bytes = kMostBytes;

 private:
  std::vector<std::shared_ptr<const KeptWindow>> windows_;
  std::optional<std::size_t> shown_;
  std::optional<std::size_t> over_;
  std::string note_;
};

/// Windows around faults: from kBefore before the first joint's fault to kAfter behind it, once
/// that has passed. Joints that fault meanwhile are in the same window.
class FaultWindows {
 public:
  static constexpr double kBefore = 1.0;  ///< [s], as the button "Show 1 s before": a choice
  static constexpr double kAfter = 0.2;   ///< [s]

  /// Call each frame; faults from before the first call are none of its business.
  /// @param signals  of the plots: kept beside those of the faulted joints
  void update(const History& history, const std::vector<std::size_t>& signals, KeptWindows& kept);

 private:
  void find(const History& history);

  bool looked_ = false;
  std::uint64_t next_ = 0;  ///< next sample to look at
  std::vector<JointIndex> joints_;
  std::uint64_t at_ = 0;  ///< first fault of the present window, if there are joints
};

/// All signals of these joints, each once, and these signals.
[[nodiscard]] std::vector<std::size_t> signals_of_joints(const History& history,
                                                         const std::vector<JointIndex>& joints,
                                                         std::vector<std::size_t> signals);

}  // namespace jointrig::gui
