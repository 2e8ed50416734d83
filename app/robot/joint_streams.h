#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "app/robot/filters.h"
#include "control/core/command.h"

namespace jointrig {

/// Samples that are sent for joints in each cycle: a number again and again, until its time is
/// over, or a sample of a path, once.
class JointStreams {
 public:
  enum class Kind : std::uint8_t { kNone, kPosition, kVelocity, kTorque, kSample };
  /// A position is q, a velocity v, a torque tau; a sample is all.
  using Sample = StreamTrajectory::Value;
  /// Filters one quantity of some joints in place, in a vector of all joints.
  /// @return  joints whose samples are not to be sent
  using Pass = std::function<JointSet(FilterOn, const JointSet&, std::vector<double>&)>;
  using Post = std::function<void(Command&, const JointSet&)>;

  explicit JointStreams(std::size_t joint_count) : streams_(joint_count) {}

  /// One command: what a filter refuses for one of its joints it refuses for all.
  /// @param until  last time of a cycle that takes it; none: endless
  void set(const std::vector<JointIndex>& joints, Kind kind, const std::vector<double>& values,
           std::optional<TimeNs> until);
  /// Likewise, for the next cycle alone. A command of its own: what the loop refuses of it, it
  /// refuses of no other.
  void set_samples(const StreamTrajectory& samples);
  void clear(const JointSet& joints);

  [[nodiscard]] Kind kind(JointIndex joint) const noexcept { return streams_[joint].kind; }
  /// As asked for.
  [[nodiscard]] const Sample& wanted(JointIndex joint) const noexcept {
    return streams_[joint].wanted;
  }
  /// As sent last, behind the filters.
  [[nodiscard]] const Sample& sent(JointIndex joint) const noexcept { return streams_[joint].sent; }
  /// True once its samples no longer change behind the filters.
  [[nodiscard]] bool is_steady(JointIndex joint) const noexcept {
    const Stream& stream = streams_[joint];
    return stream.sent == stream.wanted || stream.unchanged >= kSteadyCycles;
  }
  [[nodiscard]] bool is_endless(JointIndex joint) const noexcept {
    return streams_[joint].until == kEndless;
  }

  /// Posts the commands of the cycle at `time`: samples, and the stop of those whose time is over,
  /// or whose command a filter refused; these are forgotten.
  /// @param pass  empty: there are no filters
  void send(TimeNs time, const Pass& pass, const Post& post);
  /// Those that filters refused in the last call.
  [[nodiscard]] const JointSet& refused() const noexcept { return refused_; }

 private:
  /// Longer than a filter that swings stands still where it turns: a choice.
  static constexpr int kSteadyCycles = 50;
  static constexpr TimeNs kEndless = std::numeric_limits<TimeNs>::max();
  struct Stream {
    Kind kind = Kind::kNone;
    Sample wanted;
    Sample sent;
    int unchanged = 0;  ///< cycles
    std::uint64_t command = 0;
    TimeNs until = kEndless;
    std::size_t place = 0;  ///< in the command of its kind, once sorted
  };
  [[nodiscard]] JointSet take_ended(TimeNs time);
  void filter(const Pass& pass);
  void filter(FilterOn on, double Sample::*quantity, const Pass& pass);
  void unfilter();
  void refuse_with(std::size_t joint);
  void sort();
  template <typename C>
  void refill(Command& command, const std::vector<JointIndex>& joints,
              const std::vector<double>& values);
  using Samples = std::map<std::uint64_t, StreamTrajectory>;
  [[nodiscard]] Samples take_samples();

  std::vector<Stream> streams_;  ///< by joint
  std::uint64_t number_ = 0;     ///< of the last command
  JointSet refused_;
  bool is_filtered_ = false;
  // Result of sort(): commands that stay; to make one means to clear its room for all joints that a
  // robot can have.
  bool is_sorted_ = false;
  Command position_{.request = StreamPosition{}};
  Command velocity_{.request = StreamVelocity{}};
  Command torque_{.request = StreamTorque{}};
  JointSet samples_;
  TimeNs first_end_ = kEndless;
};

}  // namespace jointrig
