#pragma once
/// Loads of feet and hands, as messages tell them: largest forces that come and go as ramps, so
/// that no torque jumps where a contact comes or goes.
///
///     foot   bears -> unloads -> in the air -> loads -> bears
///     hand   free -> bears -> lets go -> free
///
/// A hand that bears stands still by an equality, one that is free holds its place by a weight: in
/// the kSettleTime after it has let go that weight comes down from kFirmness times itself.

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <limits>

#include "control/core/body_commands.h"
#include "control/wholebody/message_queue.h"

namespace jointrig {

/// A number that goes from one value to another in a time, by a message. For the cycle.
class LoadRamp {
 public:
  /// In place of the message before.
  void start(MessageId id, CommandKind kind, double from, double to, double duration,
             MessageNotices& notices) noexcept;
  /// Returns true in the cycle in which it ends.
  bool advance(double dt, MessageNotices& notices) noexcept;
  /// The value stays, and what is left; its message is dropped.
  void leave(MessageNotices& notices) noexcept;
  [[nodiscard]] double now() const noexcept { return now_; }
  /// Of its time, what is left: 1 at the start, 0 at the end.
  [[nodiscard]] double left() const noexcept {
    return duration_ > 0.0 ? std::clamp(1.0 - time_ / duration_, 0.0, 1.0) : 0.0;
  }

 private:
  void tell(MessageChange change, MessageNotices& notices) const noexcept;

  MessageId id_ = 0;  ///< 0: none runs
  CommandKind kind_ = CommandKind::kFootLoadBearing;
  bool is_started_ = false;
  double from_ = 0.0;
  double to_ = 0.0;
  double duration_ = 0.0;  ///< [s]
  double time_ = 0.0;      ///< [s]
  double now_ = 0.0;
};

class FootManager {
 public:
  enum class Phase : std::uint8_t { kBears, kUnloads, kAir, kLoads };

  [[nodiscard]] Phase phase() const noexcept { return phase_; }
  [[nodiscard]] bool is_on_ground() const noexcept { return phase_ != Phase::kAir; }
  /// Largest normal force that it may be given [N].
  [[nodiscard]] double force_max() const noexcept {
    return phase_ == Phase::kBears ? std::numeric_limits<double>::infinity() : ramp_.now();
  }
  /// How much of the pull of the foot in the air is left while it comes to bear: the pull with
  /// which it pressed on the ground goes as the load comes.
  [[nodiscard]] double pull_left() const noexcept {
    return phase_ == Phase::kLoads ? pull_from_ * ramp_.left() : 0.0;
  }
  /// Places of the foot in the air, as those of a hand.
  [[nodiscard]] const MessageQueue& queue() const noexcept { return queue_; }
  MessageQueue& queue() noexcept { return queue_; }

  /// The controller begins: it bears.
  void begin(MessageNotices& notices) noexcept;
  void leave(MessageNotices& notices) noexcept;
  /// A ramp stays where it is: the foot keeps its largest force until the next message. In the air
  /// it brakes and holds.
  void stop(MessageNotices& notices) noexcept;
  /// @param force  that it bears now; @param most  that it may come to bear [N]
  void take(const FootLoadBearing& message, double force, double most,
            MessageNotices& notices) noexcept;
  /// @param here  where the foot is: where it is held once it is in the air
  void advance(double dt, const BodyPoint& here, MessageNotices& notices) noexcept;

 private:
  Phase phase_ = Phase::kBears;
  double pull_from_ = 0.0;  ///< pull_left() when the ramp began: 1 of a foot that has landed
  LoadRamp ramp_;
  MessageQueue queue_;
};

/// The contact of a hand.
class HandBearing {
 public:
  static constexpr double kSettleTime = 0.3;  ///< [s] (a choice: as braking)
  static constexpr double kFirmness = 1e4;    ///< as good as an equality (a choice)

  [[nodiscard]] bool on() const noexcept { return is_on_; }
  /// Wanted along the normal [N].
  [[nodiscard]] double force() const noexcept { return ramp_.now(); }
  [[nodiscard]] const Eigen::Vector3d& normal() const noexcept { return normal_; }
  [[nodiscard]] const Eigen::Vector3d& point() const noexcept { return point_; }
  /// Factor of the weight by which it holds its place: kFirmness to 1, evenly in its logarithm.
  [[nodiscard]] double firmness() const noexcept { return firmness_; }

  void leave(MessageNotices& notices) noexcept;
  /// It presses on as it does now.
  void stop(MessageNotices& notices) noexcept { ramp_.leave(notices); }
  void take(const HandLoadBearing& message, MessageNotices& notices) noexcept;
  /// Returns true in the cycle in which it lets go.
  bool advance(double dt, MessageNotices& notices) noexcept;

 private:
  bool is_on_ = false;
  bool lets_go_ = false;
  double firmness_ = 1.0;
  LoadRamp ramp_;
  Eigen::Vector3d normal_ = Eigen::Vector3d::UnitZ();  ///< in the stance frame
  Eigen::Vector3d point_ = Eigen::Vector3d::Zero();    ///< in the hand's frame [m]
};

}  // namespace jointrig
