#include "app/robot/async_robot.h"

#include <fmt/core.h>

#include "app/robot/async_arm.h"
#include "app/robot/async_gripper.h"
#include "app/robot/robot_thread.h"

namespace jointrig {

void AsyncPart::run(const std::function<void(Robot&)>& f, Kind kind) const {
  if (kind == Kind::kCommand) {
    thread_->command(f);
  } else {
    thread_->read(f);
  }
}

// Reading -----------------------------------------------------------------------------------------

AsyncPart::Values AsyncPart::sensed_position() const {
  return reads([&] { return part_.sensed_position(); });
}
AsyncPart::Values AsyncPart::sensed_velocity() const {
  return reads([&] { return part_.sensed_velocity(); });
}
AsyncPart::Values AsyncPart::sensed_torque() const {
  return reads([&] { return part_.sensed_torque(); });
}
AsyncPart::Values AsyncPart::commanded_position() const {
  return reads([&] { return part_.commanded_position(); });
}
AsyncPart::Values AsyncPart::commanded_velocity() const {
  return reads([&] { return part_.commanded_velocity(); });
}
AsyncPart::Values AsyncPart::commanded_torque() const {
  return reads([&] { return part_.commanded_torque(); });
}
AsyncPart::Values AsyncPart::destination() const {
  return reads([&] { return part_.destination(); });
}
double AsyncPart::destination_time() const {
  return reads([&] { return part_.destination_time(); });
}
bool AsyncPart::is_moving() const {
  return reads([&] { return part_.is_moving(); });
}

// Commands ----------------------------------------------------------------------------------------

void AsyncPart::set_position(const Values& q) {
  does([&] { part_.set_position(q); });
}
void AsyncPart::set_velocity(const Values& v, std::optional<double> ttl) {
  does([&] { part_.set_velocity(v, ttl); });
}
void AsyncPart::set_torque(const Values& tau, std::optional<double> ttl) {
  does([&] { part_.set_torque(tau, ttl); });
}
void AsyncPart::set_pid(const Values& q, const Values& v, const Values& a, const Values& tau) {
  does([&] { part_.set_pid(q, v, a, tau); });
}
void AsyncPart::set_pid_gains(const Values& kp, const Values& ki, const Values& kd) {
  does([&] { part_.set_pid_gains(kp, ki, kd); });
}
void AsyncPart::stop() {
  does([&] { part_.stop(); });
}
void AsyncPart::cancel() {
  does([&] { part_.cancel(); });
}
void AsyncPart::move_to(const Values& q, double speed) {
  does([&] { part_.move_to(q, speed); });
}
void AsyncPart::set_piecewise_linear(const Values& times, const std::vector<Values>& milestones,
                                     const PiecewiseOptions& options) {
  does([&] { part_.set_piecewise_linear(times, milestones, options); });
}
void AsyncPart::set_piecewise_cubic(const Values& times, const std::vector<Values>& milestones,
                                    const std::vector<Values>& velocities,
                                    const PiecewiseOptions& options) {
  does([&] { part_.set_piecewise_cubic(times, milestones, velocities, options); });
}
void AsyncPart::append_move_to(const Values& q, double speed) {
  does([&] { part_.append_move_to(q, speed); });
}
void AsyncPart::append_piecewise_linear(const Values& times, const std::vector<Values>& milestones,
                                        const PiecewiseOptions& options) {
  does([&] { part_.append_piecewise_linear(times, milestones, options); });
}
void AsyncPart::append_piecewise_cubic(const Values& times, const std::vector<Values>& milestones,
                                       const std::vector<Values>& velocities,
                                       const WatchOptions& options) {
  does([&] { part_.append_piecewise_cubic(times, milestones, velocities, options); });
}
void AsyncPart::append_follow(const std::vector<AskedWaypoint>& waypoints,
                              const FollowOptions& options) {
  does([&] { part_.append_follow(waypoints, options); });
}
void AsyncPart::follow(const std::vector<AskedWaypoint>& waypoints, const FollowOptions& options) {
  does([&] { part_.follow(waypoints, options); });
}
std::optional<double> AsyncPart::planning() const {
  return reads([&] { return part_.planning(); });
}
std::optional<TrajectoryStatus> AsyncPart::trajectory() const {
  return reads([&] { return part_.trajectory(); });
}
void AsyncPart::set_target(const Values& q, const TargetOptions& options) {
  does([&] { part_.set_target(q, options); });
}
void AsyncPart::set_velocity_target(const Values& v, const TargetOptions& options) {
  does([&] { part_.set_velocity_target(v, options); });
}
void AsyncPart::set_filter(FilterOn on, const std::string& filter, FilterPtr f) {
  does([&] { part_.set_filter(on, filter, std::move(f)); });
}
void AsyncPart::remove_filter(FilterOn on, const std::string& filter) {
  does([&] { part_.remove_filter(on, filter); });
}
std::vector<std::string> AsyncPart::filter_names(FilterOn on) const {
  return reads([&] { return part_.filter_names(on); });
}

void AsyncPart::set_joint_limits(const LimitsOfJoints& bounds) {
  does([&] { part_.set_joint_limits(bounds); });
}
void AsyncPart::clear_joint_limits() {
  does([&] { part_.clear_joint_limits(); });
}
LimitsOfJoints AsyncPart::joint_limits() const {
  return reads([&] { return part_.joint_limits(); });
}
void AsyncPart::set_collision_protection(bool on) {
  does([&] { part_.set_collision_protection(on); });
}

// The robot ---------------------------------------------------------------------------------------

AsyncRobot::AsyncRobot(const std::string& robot, const RobotOptions& options)
    : AsyncRobot(std::make_shared<RobotThread>(robot, options)) {}

AsyncRobot::AsyncRobot(const std::shared_ptr<RobotThread>& thread)
    : AsyncPart(thread, thread->robot().all()) {}

AsyncRobot::~AsyncRobot() { thread_->end(); }

void AsyncRobot::initialize(double longest) {
  // A step at a time: a stop comes between.
  const double end = clock() + longest;
  while (!command([&](Robot& robot) { return robot.come_on(end); })) continue;
}

void AsyncRobot::wait(double longest) {
  const std::uint64_t told = seen_.load();
  const double end = clock() + longest;
  while (true) {
    struct Look {
      bool moves;
      double clock;
    };
    const Look look = call([](Robot& robot) {
      robot.check_that_all_ends();
      return Look{robot.is_moving(), robot.clock()};
    });
    if (const RobotThread::Troubles troubles = thread_->troubles(); troubles.count > told) {
      seen_.store(troubles.count);
      throw std::runtime_error(troubles.last);
    }
    if (!look.moves) return;
    if (look.clock > end) {
      throw std::runtime_error(fmt::format("wait(): the robot still moves after {} s", longest));
    }
  }
}

std::string AsyncRobot::status() const {
  if (std::string why = thread_->why_ended(); !why.empty()) return why;
  return call([](Robot& robot) { return robot.status(); });
}

double AsyncRobot::clock() const {
  return call([](Robot& robot) { return robot.clock(); });
}

double AsyncRobot::control_rate() const {
  return call([](Robot& robot) { return robot.control_rate(); });
}

std::string AsyncRobot::backend() const {
  return call([](Robot& robot) { return robot.backend(); });
}

void AsyncRobot::reset() {
  command([](Robot& robot) { robot.reset(); });
}

void AsyncRobot::estop() {
  command([](Robot& robot) { robot.estop(); });
}

std::vector<std::string> AsyncRobot::part_names() const {
  return call([](Robot& robot) { return robot.part_names(); });
}

AsyncPart AsyncRobot::part(std::string_view name) const {
  return {thread_, call([&](Robot& robot) { return robot.part(name); })};
}

AsyncArm AsyncRobot::arm(std::string_view name) const {
  return {thread_, call([&](Robot& robot) { return robot.arm(name); })};
}

AsyncGripper AsyncRobot::gripper(std::string_view name) const {
  return {thread_, call([&](Robot& robot) { return robot.gripper(name); })};
}

std::vector<std::string> AsyncRobot::sensor_names() const {
  return call([](Robot& robot) { return robot.sensor_names(); });
}

SensorReading AsyncRobot::sensor(std::string_view site) const {
  return call([&](Robot& robot) { return robot.sensor(site); });
}

void AsyncRobot::send(const Request& request) {
  command([&](Robot& robot) { robot.send(request); });
}

void AsyncRobot::set_speed_override(double factor) {
  command([&](Robot& robot) { robot.set_speed_override(factor); });
}

double AsyncRobot::speed_override() const {
  return call([](Robot& robot) { return robot.speed_override(); });
}

void AsyncRobot::set_cartesian_velocities(const std::vector<ToolTwist>& twists,
                                          std::optional<double> ttl, ToolFrame frame,
                                          FreeRotation free) {
  command([&](Robot& robot) { robot.set_cartesian_velocities(twists, ttl, frame, free); });
}

void AsyncRobot::set_gravity(const std::array<double, 3>& gravity) {
  command([&](Robot& robot) { robot.set_gravity(gravity); });
}

std::array<double, 3> AsyncRobot::gravity() const {
  return call([](Robot& robot) { return robot.gravity(); });
}

void AsyncRobot::set_obstacle(const SetObstacle& obstacle) {
  command([&](Robot& robot) { robot.set_obstacle(obstacle); });
}

void AsyncRobot::remove_obstacle(std::string_view name) {
  command([&](Robot& robot) { robot.remove_obstacle(name); });
}

KnownObstacles AsyncRobot::obstacles() const {
  return call([](Robot& robot) { return robot.obstacles(); });
}

}  // namespace jointrig
