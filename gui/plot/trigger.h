#pragma once

#include <optional>

#include "gui/plot/axes.h"
#include "gui/plot/history.h"

namespace jointrig::gui {

/// Conditions of a trigger.
#define JOINTRIG_TRIGGER_KINDS(X)        \
  X(kRising, "rises through the level")  \
  X(kFalling, "falls through the level") \
  X(kModeChange, "mode changes")         \
  X(kFault, "fault")
JOINTRIG_ENUM(TriggerKind, JOINTRIG_TRIGGER_KINDS)

/// Behaviour after a capture.
///
///     single   shows the capture and stops
///     normal   shows it until the next capture is complete
///     auto     the same, but follows the newest sample without a trigger
#define JOINTRIG_TRIGGER_RUNS(X) \
  X(kSingle, "single")           \
  X(kNormal, "normal")           \
  X(kAuto, "auto")
JOINTRIG_ENUM(TriggerRun, JOINTRIG_TRIGGER_RUNS)

struct TriggerSettings {
  TriggerKind kind = TriggerKind::kRising;
  TriggerRun run = TriggerRun::kSingle;
  std::size_t signal = 0;  ///< for mode changes and faults: any signal of the joint
  double level = 0.0;      ///< in the unit shown
  double before = 0.25;    ///< share of the capture before the trigger
  double span = 1.0;       ///< length of the capture [s]

  bool operator==(const TriggerSettings&) const = default;
};

/// Checks every sample at the rate of the loop, even if it is called seldom, and also captures the
/// time before the trigger: recording never stops.
class Trigger {
 public:
  /// s for which `auto` waits before it follows, at least.
  static constexpr double kPatience = 0.5;

  TriggerSettings settings;

  /// Waits for the next trigger.
  void arm(const History& history) noexcept;
  void disarm() noexcept { armed_ = false; }
  [[nodiscard]] bool armed() const noexcept { return armed_; }
  /// True after the trigger, until the capture is complete.
  [[nodiscard]] bool triggered() const noexcept { return armed_ && at_.has_value(); }
  /// Time of the last trigger [s of the history].
  [[nodiscard]] std::optional<double> at() const noexcept { return at_ ? at_ : shown_at_; }

  /// Call each frame.
  /// @returns the span to show, in the frame in which the capture is complete
  std::optional<Span> update(const History& history);
  /// True while there is no trigger, and the newest samples are shown meanwhile.
  [[nodiscard]] bool free_running() const noexcept { return free_running_; }

 private:
  [[nodiscard]] std::optional<std::uint64_t> find(const History& history) const;
  [[nodiscard]] std::optional<std::uint64_t> find_edge(const SampleRing& series) const;
  [[nodiscard]] std::optional<std::uint64_t> find_mode(const History& history) const;

  bool armed_ = false;
  bool free_running_ = false;
  std::uint64_t next_ = 0;          ///< next sample to check
  double waits_since_ = 0.0;        ///< s of the history
  std::optional<double> at_;        ///< of the present capture
  std::optional<double> shown_at_;  ///< of the shown capture
};

}  // namespace jointrig::gui
