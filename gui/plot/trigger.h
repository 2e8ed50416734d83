#pragma once

#include <optional>

#include "gui/plot/axes.h"
#include "gui/plot/history.h"

namespace jointrig::gui {

/// What a trigger waits for.
#define JOINTRIG_TRIGGER_KINDS(X)        \
  X(kRising, "rises through the level")  \
  X(kFalling, "falls through the level") \
  X(kModeChange, "mode changes")         \
  X(kFault, "fault")
JOINTRIG_ENUM(TriggerKind, JOINTRIG_TRIGGER_KINDS)

/// What it does with what it catches.
///
///     single   shows it and rests
///     normal   shows it until the next one is whole
///     auto     the same, but follows the newest sample while nothing happens
#define JOINTRIG_TRIGGER_RUNS(X) \
  X(kSingle, "single")           \
  X(kNormal, "normal")           \
  X(kAuto, "auto")
JOINTRIG_ENUM(TriggerRun, JOINTRIG_TRIGGER_RUNS)

struct TriggerSettings {
  TriggerKind kind = TriggerKind::kRising;
  TriggerRun run = TriggerRun::kSingle;
  std::size_t signal = 0;  ///< of mode changes and faults: its joint's
  double level = 0.0;      ///< in the unit that is shown
  double before = 0.25;    ///< part of the capture that lies before the trigger
  double span = 1.0;       ///< of the capture [s]

  bool operator==(const TriggerSettings&) const = default;
};

/// Looks at every sample at the rate of the loop, however seldom it is asked, and catches what was
/// before as well: recording never stops.
class Trigger {
 public:
  static constexpr double kPatience = 0.5;  ///< s that `auto` waits before it follows, at least

  TriggerSettings settings;

  /// Waits for what comes from now on.
  void arm(const History& history) noexcept;
  void disarm() noexcept { armed_ = false; }
  [[nodiscard]] bool armed() const noexcept { return armed_; }
  /// It has happened, and the rest of the capture is still to come.
  [[nodiscard]] bool triggered() const noexcept { return armed_ && at_.has_value(); }
  /// When it happened last [s of the history].
  [[nodiscard]] std::optional<double> at() const noexcept { return at_ ? at_ : shown_at_; }

  /// To be called each frame.
  /// @returns what is to be shown, in the frame in which it is whole
  std::optional<Span> update(const History& history);
  /// Nothing happens, and the newest is to be shown meanwhile.
  [[nodiscard]] bool free_running() const noexcept { return free_running_; }

 private:
  [[nodiscard]] std::optional<std::uint64_t> find(const History& history) const;
  [[nodiscard]] std::optional<std::uint64_t> find_edge(const SampleRing& series) const;
  [[nodiscard]] std::optional<std::uint64_t> find_mode(const History& history) const;

  bool armed_ = false;
  bool free_running_ = false;
  std::uint64_t next_ = 0;          ///< sample to be looked at
  double waits_since_ = 0.0;        ///< s of the history
  std::optional<double> at_;        ///< of the capture under way
  std::optional<double> shown_at_;  ///< of the one that is shown
};

}  // namespace jointrig::gui
