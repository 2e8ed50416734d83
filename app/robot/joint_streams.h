#pragma once

#include <optional>
#include <vector>

#include "control/core/command.h"

namespace jointrig {

/// What is sent for joints again and again: a sample in each cycle, until its time is over.
class JointStreams {
 public:
  enum class Kind : std::uint8_t { kNone, kPosition, kVelocity, kTorque };

  explicit JointStreams(std::size_t joint_count) : streams_(joint_count) {}

  /// @param until  last time of a cycle that takes it; none: endless
  void set(JointIndex joint, Kind kind, double value, std::optional<TimeNs> until) {
    streams_[joint] = {kind, value, until};
  }
  void clear(const JointSet& joints);

  [[nodiscard]] Kind kind(JointIndex joint) const noexcept { return streams_[joint].kind; }
  [[nodiscard]] double value(JointIndex joint) const noexcept { return streams_[joint].value; }
  [[nodiscard]] bool is_endless(JointIndex joint) const noexcept { return !streams_[joint].until; }

  /// The commands of the cycle at `time`: samples, and the stop of those whose time is over, which
  /// are forgotten.
  [[nodiscard]] std::vector<Request> commands_at(TimeNs time);

 private:
  struct Stream {
    Kind kind = Kind::kNone;
    double value = 0.0;
    std::optional<TimeNs> until;
  };

  std::vector<Stream> streams_;  ///< by joint
};

}  // namespace jointrig
