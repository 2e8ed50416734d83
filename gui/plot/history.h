#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "gui/plot/series.h"
#include "gui/plot/trace.h"
#include "gui/plot/trace_ring.h"

namespace jointrig::gui {

struct KeptWindow;

/// The last seconds of every signal of every joint, of the loop, of arms and of laws, at the rate
/// of the loop.
///
/// References and the error are missing in modes that follow no position.
///
/// Sample k has the time k · period since the history began. Missed cycles are NaN; if the robot's
/// time goes back (a reset) one NaN separates old and new samples, and nothing is deleted.
///
/// Memory grows as it fills: (joints · 8 + arms · 36 + signals of laws) · 1000/s · seconds · 2 to 3
/// B for moving signals, almost 0 for constant ones, at most 4.4 B.
class History {
 public:
  struct ModeChange {
    std::uint64_t index = 0;  ///< first sample in this mode
    JointMode mode = JointMode::kIdle;
  };
  struct Mark {
    std::uint64_t index = 0;
    JointIndex joint = kNoJoint;
    std::string text;
  };

  /// A cycle that ended late.
  struct Overrun {
    std::uint64_t index = 0;
    double seconds = 0.0;  ///< after it was due
  };

  /// @param seconds  length of the history
  History(const RobotConfig& config, double seconds);

  /// Adds a cycle; call in order.
  void push(const TraceRow& row);
  void push(const Snapshot& snapshot);
  /// Adds a mark at a robot time, with the text of an event.
  void mark(TimeNs time_ns, JointIndex joint, std::string text);
  void mark_overrun(TimeNs time_ns, double seconds);

  [[nodiscard]] std::size_t size() const noexcept { return series_.size(); }
  /// The samples to look at: of the kept window that is shown, if it has the signal, else live().
  [[nodiscard]] const SampleRing& series(std::size_t signal) const noexcept;
  /// The samples that are recorded.
  [[nodiscard]] const SampleRing& live(std::size_t signal) const noexcept {
    return series_[signal];
  }
  /// Shows a kept window in place of what is recorded; null: what is recorded.
  void look_at(std::shared_ptr<const KeptWindow> window) noexcept { shown_ = std::move(window); }
  [[nodiscard]] std::size_t joints() const noexcept { return names_.size(); }
  /// Time of the oldest sample to look at: that of the record, or of a kept window that is shown.
  [[nodiscard]] double first_seen() const noexcept;
  [[nodiscard]] std::size_t signal(JointIndex joint, JointTrace trace) const noexcept {
    return table_.index(joint, trace);
  }
  [[nodiscard]] std::size_t signal(LoopTrace trace) const noexcept { return table_.index(trace); }
  /// The joint of a signal; kNoJoint: a signal of the loop, of an arm or of a law.
  [[nodiscard]] JointIndex joint_of(std::size_t signal) const noexcept {
    const std::size_t joint = signal / kAllJointTrace.size();
    return joint < names_.size() ? static_cast<JointIndex>(joint) : kNoJoint;
  }
  /// Kind of a joint's signal; only if joint_of() is a joint.
  [[nodiscard]] JointTrace trace_of(std::size_t signal) const noexcept {
    return static_cast<JointTrace>(signal % kAllJointTrace.size());
  }
  [[nodiscard]] const std::string& joint_name(JointIndex joint) const { return names_[joint]; }
  /// The reference of a signal: q_ref for q, v_ref for v, tau_cmd for tau.
  [[nodiscard]] std::optional<std::size_t> reference_of(std::size_t signal) const noexcept;
  [[nodiscard]] std::string name(std::size_t signal) const;  ///< "r_elbow.q_ref"
  /// Topic of the log that has the signal, and its name without the robot's part: "/j/r_elbow" and
  /// "q_ref", "/arm/left" and "error_x".
  struct Place {
    std::string topic;
    std::string field;
  };
  [[nodiscard]] Place place(std::size_t signal) const;
  [[nodiscard]] std::optional<std::size_t> signal_named(std::string_view name) const;
  /// Bytes of all samples.
  [[nodiscard]] std::size_t bytes() const noexcept;
  [[nodiscard]] std::string_view unit(std::size_t signal) const noexcept;
  /// Number shown per SI value: 57.3 for an angle. The loop's signals stay in µs, those of laws in
  /// the laws' own units.
  [[nodiscard]] std::string_view si_unit(std::size_t signal) const noexcept;
  [[nodiscard]] double per_si(std::size_t signal) const noexcept;
  /// Signals with all words of the filter in their names.
  [[nodiscard]] std::vector<std::size_t> find(std::string_view words) const;

  [[nodiscard]] double period() const noexcept { return period_; }
  /// Index of the next sample.
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  [[nodiscard]] double newest() const noexcept { return time_of(end_); }
  [[nodiscard]] double oldest() const noexcept {
    return time_of(series_.empty() ? 0 : series_[0].begin());
  }
  [[nodiscard]] double time_of(std::uint64_t index) const noexcept {
    return static_cast<double>(index) * period_;
  }
  /// The sample at a time, as a fraction.
  [[nodiscard]] double index_of(double time) const noexcept { return time / period_; }
  /// Robot time of a time of the history, by its newest run.
  [[nodiscard]] double robot_time(double time) const noexcept;
  /// Time of the history of a robot time, by its newest run.
  [[nodiscard]] double history_time(TimeNs robot) const noexcept {
    return to_seconds(robot - offset_ns_);
  }

  [[nodiscard]] const std::deque<ModeChange>& modes(JointIndex joint) const {
    return modes_[joint];
  }
  [[nodiscard]] const std::deque<Mark>& marks() const noexcept { return marks_; }
  [[nodiscard]] const std::deque<Overrun>& overruns() const noexcept { return overruns_; }
  /// Smallest difference that a signal's sensor tells, in the unit shown: the step of the encoder,
  /// for a velocity that step within the time constant of its filter. Choices: a ten
  /// thousandth of the largest torque or current, a microsecond for the loop's signals, and
  /// OtherTrace::resolution.
  [[nodiscard]] double resolution(std::size_t signal) const noexcept;

 private:
  /// A signal of an arm or of a law; null: of a joint or of the loop.
  [[nodiscard]] const OtherTrace* other(std::size_t signal) const noexcept;
  void push_gap(std::uint64_t cycles);
  void follow_mode(JointIndex joint, JointMode mode);

  /// Per joint, and of marks; the oldest are dropped.
  static constexpr std::size_t kMostChanges = 1000;

  TraceTable table_;
  std::vector<std::string> names_;
  struct Sensor {
    double position = 0.0;  ///< [rad or m]
    double velocity = 0.0;  ///< [rad/s or m/s]
    double torque = 0.0;    ///< [N·m or N]
  };
  static Sensor sensor_of(const JointConfig& joint, double period) noexcept;
  std::vector<Sensor> sensors_;  ///< of each joint
  TimeNs period_ns_;
  double period_;
  std::vector<SampleRing> series_;
  std::vector<std::deque<ModeChange>> modes_;
  [[nodiscard]] std::uint64_t index_at(TimeNs robot) const noexcept;

  std::deque<Mark> marks_;
  std::deque<Overrun> overruns_;
  std::uint64_t end_ = 0;         ///< index of the next sample
  std::uint64_t next_cycle_ = 0;  ///< expected
  TimeNs offset_ns_ = 0;          ///< robot time minus time of the history
  std::vector<float> values_;     ///< buffer for a snapshot's values
  std::vector<JointMode> modes_now_;
  std::shared_ptr<const KeptWindow> shown_;
};

/// The stored samples [from, to).
struct SampleSpan {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};
/// Samples of a span of time, both ends included; a series need not have all of them.
SampleSpan samples_between(const History& history, double from, double to) noexcept;

/// The visible part of some signals as CSV: one row per sample, robot time first, names with units
/// in the header; missing samples are empty.
std::string to_csv(const History& history, const std::vector<std::size_t>& signals, double from,
                   double to);

}  // namespace jointrig::gui
