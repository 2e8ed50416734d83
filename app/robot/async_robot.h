#pragma once
/// A robot that steps itself, on a thread of its own and on the clock. A program calls from any of
/// its threads, and needs no begin_step() and end_step():
///
///     AsyncRobot robot("franka", {.backend = "sim"});
///     robot.initialize();
///     auto q = robot.commanded_position();
///     q[0] += 0.1;
///     robot.move_to(q);
///     robot.wait();
///
/// Every call is run by the robot's thread, between two of its steps, one after another: the calls
/// of several threads are never mixed. A reading returns within a period, plus one for each command
/// that waits before it. A command has a step of its own and returns at the end of it, so that a
/// refusal of the loop reaches the caller like one of the call itself: Refused (robot.h).
///
/// Arms and grippers: async_arm.h, async_gripper.h. A request that has no call there either is run
/// by call() and command():
///
///     robot.command([&](Robot& r) { send_outputs(block.advance(in), r.all()); });
///
/// The end of an AsyncRobot brakes all joints and holds them until they stand, before the robot
/// goes: also while an exception leaves its block. Where the program itself dies, boards on a bus
/// stop by their watchdog.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/robot/robot.h"

namespace jointrig {

class AsyncArm;      // async_arm.h
class AsyncGripper;  // async_gripper.h
class RobotThread;

/// Some joints of a robot that steps itself. The calls are those of RobotPart, from any thread.
class AsyncPart {
 public:
  using Values = RobotPart::Values;

  [[nodiscard]] const std::string& name() const noexcept { return part_.name(); }
  [[nodiscard]] std::size_t joint_count() const noexcept { return part_.joint_count(); }
  [[nodiscard]] std::vector<std::string> joint_names() const { return part_.joint_names(); }
  [[nodiscard]] const std::vector<JointIndex>& indices() const noexcept { return part_.indices(); }

  [[nodiscard]] Values sensed_position() const;
  [[nodiscard]] Values sensed_velocity() const;
  [[nodiscard]] Values sensed_torque() const;
  [[nodiscard]] Values commanded_position() const;
  [[nodiscard]] Values commanded_velocity() const;
  [[nodiscard]] Values commanded_torque() const;
  [[nodiscard]] Values destination() const;
  [[nodiscard]] double destination_time() const;
  [[nodiscard]] bool is_moving() const;

  void set_position(const Values& q);
  void set_velocity(const Values& v, std::optional<double> ttl = std::nullopt);
  void set_torque(const Values& tau, std::optional<double> ttl = std::nullopt);
  void set_pid(const Values& q, const Values& v, const Values& a = {}, const Values& tau = {});
  void set_pid_gains(const Values& kp, const Values& ki, const Values& kd);
  void stop();
  void cancel();
  void move_to(const Values& q, double speed = 0.5);
  void set_piecewise_linear(const Values& times, const std::vector<Values>& milestones,
                            const PiecewiseOptions& options = {});
  void set_piecewise_cubic(const Values& times, const std::vector<Values>& milestones,
                           const std::vector<Values>& velocities,
                           const PiecewiseOptions& options = {});
  void append_move_to(const Values& q, double speed = 0.5);
  void append_piecewise_linear(const Values& times, const std::vector<Values>& milestones,
                               const PiecewiseOptions& options = {});
  void append_piecewise_cubic(const Values& times, const std::vector<Values>& milestones,
                              const std::vector<Values>& velocities,
                              const WatchOptions& options = {});
  void append_follow(const std::vector<AskedWaypoint>& waypoints,
                     const FollowOptions& options = {});
  void follow(const std::vector<AskedWaypoint>& waypoints, const FollowOptions& options = {});
  [[nodiscard]] std::optional<double> planning() const;
  [[nodiscard]] std::optional<TrajectoryStatus> trajectory() const;
  void set_target(const Values& q, const TargetOptions& options = {});
  void set_velocity_target(const Values& v, const TargetOptions& options = {});
  void set_filter(FilterOn on, const std::string& filter, FilterPtr f);
  void remove_filter(FilterOn on, const std::string& filter);
  [[nodiscard]] std::vector<std::string> filter_names(FilterOn on) const;
  void set_joint_limits(const LimitsOfJoints& bounds);
  void clear_joint_limits();
  [[nodiscard]] LimitsOfJoints joint_limits() const;
  void set_collision_protection(bool on);

 protected:
  AsyncPart(std::shared_ptr<RobotThread> thread, RobotPart part)
      : thread_(std::move(thread)), part_(std::move(part)) {}

  enum class Kind : std::uint8_t { kReading, kCommand };
  void run(const std::function<void(Robot&)>& f, Kind kind) const;
  /// Result of f(Robot&) in the robot's thread.
  template <typename F>
  auto get(F&& f, Kind kind) const -> std::invoke_result_t<F, Robot&> {
    using Result = std::invoke_result_t<F, Robot&>;
    if constexpr (std::is_void_v<Result>) {
      run([&](Robot& robot) { f(robot); }, kind);
    } else {
      std::optional<Result> result;
      run([&](Robot& robot) { result.emplace(f(robot)); }, kind);
      return std::move(*result);
    }
  }
  /// Likewise of f(), for a call of a part: between two steps, or in a step of its own.
  template <typename F>
  auto reads(F&& f) const {
    return get([&](Robot& /*robot*/) { return f(); }, Kind::kReading);
  }
  template <typename F>
  auto does(F&& f) const {
    return get([&](Robot& /*robot*/) { return f(); }, Kind::kCommand);
  }

 private:
  friend class AsyncRobot;

  std::shared_ptr<RobotThread> thread_;
  mutable RobotPart part_;  ///< its calls are for the robot's thread
};

/// The robot, and all of its joints.
class AsyncRobot : public AsyncPart {
 public:
  /// As Robot's constructor, on the clock on every backend that keeps one; the thread steps from
  /// here on, and the motors stay off.
  explicit AsyncRobot(const std::string& robot, const RobotOptions& options = {});
  /// Brakes, holds, ends.
  ~AsyncRobot();
  AsyncRobot(const AsyncRobot&) = delete;
  AsyncRobot& operator=(const AsyncRobot&) = delete;

  /// See Robot. Other calls, a stop among them, come between its steps.
  void initialize(double longest = 5.0);
  /// Returns when nothing moves any more. Throws as Robot's, and std::runtime_error with what went
  /// wrong since the last wait() in a step without a command. Several threads may wait.
  void wait(double longest = 60.0);
  /// As Robot's; after the end of a run why it ended.
  [[nodiscard]] std::string status() const;
  [[nodiscard]] double clock() const;
  [[nodiscard]] double control_rate() const;
  [[nodiscard]] std::string backend() const;
  void reset();
  void estop();
  void soft_stop() { stop(); }

  [[nodiscard]] std::vector<std::string> part_names() const;
  /// See Robot::part(), arm(), gripper().
  [[nodiscard]] AsyncPart part(std::string_view name) const;
  [[nodiscard]] AsyncArm arm(std::string_view name) const;
  [[nodiscard]] AsyncGripper gripper(std::string_view name = {}) const;

  [[nodiscard]] std::vector<std::string> sensor_names() const;
  [[nodiscard]] SensorReading sensor(std::string_view site) const;
  void send(const Request& request);
  void set_speed_override(double factor);
  [[nodiscard]] double speed_override() const;

  void set_cartesian_velocities(const std::vector<ToolTwist>& twists,
                                std::optional<double> ttl = std::nullopt,
                                ToolFrame frame = ToolFrame::kWorld,
                                FreeRotation free = FreeRotation::kNone);
  void set_gravity(const std::array<double, 3>& gravity = {0.0, 0.0, -9.81});
  [[nodiscard]] std::array<double, 3> gravity() const;
  void set_obstacle(const SetObstacle& obstacle);
  void remove_obstacle(std::string_view name);
  [[nodiscard]] KnownObstacles obstacles() const;

  /// Runs f(Robot&) between two steps and gives what it gives. Exceptions reach the caller. `f`
  /// reads; it mustn't step, nor call this object (std::logic_error).
  template <typename F>
  auto call(F&& f) const -> std::invoke_result_t<F, Robot&> {
    return get(std::forward<F>(f), Kind::kReading);
  }
  /// Runs f(Robot&) in a step of its own, and returns after it.
  template <typename F>
  auto command(F&& f) -> std::invoke_result_t<F, Robot&> {
    return get(std::forward<F>(f), Kind::kCommand);
  }

 private:
  explicit AsyncRobot(const std::shared_ptr<RobotThread>& thread);

  std::atomic<std::uint64_t> seen_{0};  ///< troubles that a wait() has told
};

}  // namespace jointrig
