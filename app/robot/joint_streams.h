#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "control/core/command.h"

namespace jointrig {

/// What is sent for joints again and again: a sample in each cycle, until its time is over.
class JointStreams {
 public:
  enum class Kind : std::uint8_t { kNone, kPosition, kVelocity, kTorque };
  /// Filters the samples of some joints in place, in a vector of all joints.
  /// @return  joints whose samples are not to be sent
  using Pass = std::function<JointSet(Kind, const JointSet&, std::vector<double>&)>;

  explicit JointStreams(std::size_t joint_count) : streams_(joint_count) {}

  /// One command: what a filter refuses for one of its joints it refuses for all.
  /// @param until  last time of a cycle that takes it; none: endless
  void set(const std::vector<JointIndex>& joints, Kind kind, const std::vector<double>& values,
           std::optional<TimeNs> until);
  void clear(const JointSet& joints);

  [[nodiscard]] Kind kind(JointIndex joint) const noexcept { return streams_[joint].kind; }
  [[nodiscard]] double value(JointIndex joint) const noexcept { return streams_[joint].value; }
  /// The last sample as it was sent, behind the filters.
  [[nodiscard]] double sent(JointIndex joint) const noexcept { return streams_[joint].sent; }
  /// True once its samples no longer change behind the filters.
  [[nodiscard]] bool is_steady(JointIndex joint) const noexcept {
    const Stream& stream = streams_[joint];
    return stream.sent == stream.value || stream.unchanged >= kSteadyCycles;
  }
  [[nodiscard]] bool is_endless(JointIndex joint) const noexcept { return !streams_[joint].until; }

  /// The commands of the cycle at `time`: samples, and the stop of those whose time is over, or
  /// whose command a filter refused; these are forgotten.
  [[nodiscard]] std::vector<Request> commands_at(TimeNs time, const Pass& pass);
  /// Those that filters refused in the last call.
  [[nodiscard]] const JointSet& refused() const noexcept { return refused_; }

 private:
  /// Longer than a filter that swings stands still where it turns: a choice.
  static constexpr int kSteadyCycles = 50;
  struct Stream {
    Kind kind = Kind::kNone;
    double value = 0.0;
    double sent = 0.0;
    int unchanged = 0;  ///< cycles
    std::uint64_t command = 0;
    std::optional<TimeNs> until;
  };
  [[nodiscard]] JointSet of_kind(Kind kind) const;
  void filter(Kind kind, const Pass& pass);

  std::vector<Stream> streams_;  ///< by joint
  std::uint64_t commands_ = 0;
  JointSet refused_;
};

}  // namespace jointrig
