#include "control/stack/base_estimate.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "control/model/robot_mjcf.h"
#include "control/stack/config_error.h"

namespace jointrig {
namespace {

using Vector3d = Eigen::Vector3d;

/// Share of a sole's length and width that is its rim (a choice: 4 mm of 72 on each side).
constexpr double kRim = 0.1;

Vector3d three_of(const std::array<double, 3>& numbers) { return Vector3d(numbers.data()); }

std::array<double, 6> six_axes_of(const std::array<double, 3>& first,
                                  const std::array<double, 3>& second) noexcept {
  return {first[0], first[1], first[2], second[0], second[1], second[2]};
}

int number_of_site(const std::string& site, const std::vector<std::string>& sites) {
  const auto at = std::find(sites.begin(), sites.end(), site);
  return at == sites.end() ? -1 : static_cast<int>(at - sites.begin());
}

BaseGains base_gains_of(const WholeBodyConfig& body) {
  return {.speed = body.base_speed_gain,
          .tilt = body.base_tilt_gain,
          .turn = body.base_turn_gain,
          .bias = body.base_bias_gain,
          .place = body.base_place_gain};
}

/// Point of a sole's plane about which a wrench has no torque along the plane, within the sole.
///
///     x = (z F_x − τ_y) / F_z     y = (τ_x + z F_y) / F_z
///
/// F, τ the wrench at the origin of the sole's frame, z the plane's height in it.
Vector3d pressure_point(const FootConfig& foot, const Vector3d& force,
                        const Vector3d& torque) noexcept {
  const Vector3d centre = three_of(foot.centre);
  const double z = centre.z();
  const double x = (z * force.x() - torque.y()) / force.z();
  const double y = (torque.x() + z * force.y()) / force.z();
  return {std::clamp(x, centre.x() - 0.5 * foot.size[0], centre.x() + 0.5 * foot.size[0]),
          std::clamp(y, centre.y() - 0.5 * foot.size[1], centre.y() + 0.5 * foot.size[1]), z};
}

/// A sole that tips is pressed at its edge, to within what its sensor errs.
bool is_inside_rim(const FootConfig& foot, const Vector3d& point) noexcept {
  const Vector3d aside = (point - three_of(foot.centre)).cwiseAbs();
  const double share = 0.5 * (1.0 - kRim);
  return aside.x() < share * foot.size[0] && aside.y() < share * foot.size[1];
}

}  // namespace

/// The model with its base at rest in the origin, and what doesn't change.
struct BaseEstimate::Parts {
  explicit Parts(const Mjcf& mjcf) : model(mjcf) {}

  [[nodiscard]] bool is_imu_on_base() const { return imu.body == model.base_body(); }
  /// In the base frame, from the start pose on [m].
  [[nodiscard]] Vector3d imu_place() const {
    if (is_imu_on_base()) return imu.position;
    const BaseState base = model.base();
    const Eigen::Quaterniond turn(base.orientation[0], base.orientation[1], base.orientation[2],
                                  base.orientation[3]);
    return turn.conjugate() * (model.position(imu) - three_of(base.position));
  }

  FloatingModel model;
  std::vector<JointIndex> joint_of;  ///< of each joint of the model its number in the robot
  BodyFrame imu;
  std::vector<Foot> feet;
  std::vector<double> q;
  std::vector<double> v;
  std::array<SeenSole, kMaxFeet> soles;
};

BaseEstimate::BaseEstimate(const RobotConfig& config) : dt_(to_seconds(config.period_ns)) {
  if (!config.whole_body || config.pin_base || config.whole_body->imu.site.empty()) return;
  config_ = *config.whole_body;
  try {
    parts_ = std::make_shared<Parts>(robot_mjcf(config));
    Parts& parts = *parts_;
    for (const FloatingModel::Joint& joint : parts.model.joints()) {
      const auto at = std::find_if(config.joints.begin(), config.joints.end(),
                                   [&](const JointConfig& one) { return one.name == joint.name; });
      parts.joint_of.push_back(static_cast<JointIndex>(at - config.joints.begin()));
    }
    parts.q.resize(parts.joint_of.size());
    parts.v.resize(parts.joint_of.size());
    parts.imu = parts.model.find_frame(config_.imu.site);
    for (const FootConfig& foot : config_.feet) {
      Foot& its = parts.feet.emplace_back(Foot{foot, parts.model.find_frame(foot.frame), {}});
      const std::string& site = foot.force_sensor.site;
      if (!site.empty()) its.sensor = parts.model.find_frame(site);
    }
  } catch (const ModelError& e) {
    throw ConfigError(config_.place + "whole_body: " + e.what());
  }
  const BaseState start = parts_->model.base();
  std::vector<Vector3d> soles;
  for (const Foot& foot : parts_->feet) {
    soles.emplace_back(parts_->model.position(foot.sole) +
                       parts_->model.rotation(foot.sole) * three_of(foot.config.centre));
  }
  state_.estimator = BaseEstimator(base_gains_of(config_), start, parts_->imu_place(),
                                   parts_->model.gravity(), soles);
}

std::string BaseEstimate::connect(const BackendDescription& backend) {
  if (parts_ == nullptr) return {};
  imu_sample_ = number_of_site(config_.imu.site, backend.imu_sites);
  for (Foot& foot : parts_->feet) {
    const std::string& site = foot.config.force_sensor.site;
    foot.sample = site.empty() ? -1 : number_of_site(site, backend.force_torque_sites);
    if (site.empty() || foot.sample >= 0 || imu_sample_ < 0) continue;
    imu_sample_ = -1;
    return "backend " + backend.name + " doesn't read the force sensor of foot \"" +
           foot.config.name + "\", \"" + site + "\"; give it a `device`, or leave force_sensor out";
  }
  if (imu_sample_ >= 0) return {};
  return "backend " + backend.name + " doesn't read its imu \"" + config_.imu.site +
         "\"; give it a `device` with bus and node";
}

void BaseEstimate::advance(ConstJoints joints, std::span<const bool> on_ground, LawIndex law,
                           RobotState& robot, EventReporter& events) noexcept {
  if (!is_on()) return;
  Parts& parts = *parts_;
  for (std::size_t k = 0; k < parts.joint_of.size(); ++k) {
    const JointState& joint = joints.controls[parts.joint_of[k]].state();
    parts.q[k] = joint.q;
    parts.v[k] = joint.v;
  }
  // Encoders that tell nonsense: the last pose of the legs stays.
  static_cast<void>(parts.model.place(BaseState{}, parts.q, parts.v));
  double load = 0.0;
  Vector3d spin = Vector3d::Zero();
  for (std::size_t i = 0; i < parts.feet.size(); ++i) {
    parts.soles[i] = see_sole(i, on_ground[i], robot, law, events);
    load += parts.soles[i].load;
    spin += parts.soles[i].load * parts.soles[i].spin;
  }
  const Vector3d turned = load > 0.0 ? Vector3d(-dt_ / load * spin) : Vector3d::Zero();
  state_.turned = {turned.x(), turned.y(), turned.z()};
  state_.estimator.advance(see_imu(robot, law, events),
                           std::span(parts.soles).first(parts.feet.size()), dt_);
  robot.base = state_.estimator.base();
}

SolePressure BaseEstimate::pressure() const noexcept {
  SolePressure seen;
  if (!is_on() || !is_known()) return seen;
  double load = 0.0;
  bool all_good = true;
  for (std::size_t i = 0; i < parts_->feet.size(); ++i) {
    seen.is_sensed[i] = parts_->feet[i].sample >= 0 && state_.feet[i].is_good();
    all_good = all_good && seen.is_sensed[i];
    seen.load[i] = parts_->soles[i].load;
    seen.centre += parts_->soles[i].load * parts_->soles[i].contact;
    load += parts_->soles[i].load;
  }
  seen.is_known = all_good && load > 0.0;
  if (load > 0.0) seen.centre /= load;
  return seen;
}

/// One on another link moves in the base as the joints do: what it feels of that is taken off.
SeenImu BaseEstimate::see_imu(const RobotState& robot, LawIndex law,
                              EventReporter& events) noexcept {
  const auto number = static_cast<std::size_t>(imu_sample_);
  const ImuState sample = number < robot.imus.size() ? robot.imus[number] : ImuState{};
  const SampleWatch::Ranges ranges{config_.imu.acceleration_max, config_.imu.angular_velocity_max};
  SeenImu seen;
  seen.place = parts_->imu.position;
  Eigen::Matrix3d axes = parts_->imu.rotation;
  Vector3d spin = Vector3d::Zero();
  if (!parts_->is_imu_on_base()) {
    FloatingModel& model = parts_->model;
    const auto twist = model.twist(parts_->imu);
    axes = model.rotation(parts_->imu);
    seen.place = model.position(parts_->imu);
    seen.speed = twist.head<3>();
    spin = twist.tail<3>();
    for (std::size_t i = 0; i < 3; ++i) {
      state_.turned[i] += dt_ * spin[static_cast<Eigen::Index>(i)];
    }
  }
  const auto finding = state_.imu.advance(six_axes_of(sample.acceleration, sample.angular_velocity),
                                          sample.missed, ranges, state_.turned);
  tell(EventKind::kImu, law, 0, state_.imu, finding, events);
  seen.is_good = state_.imu.is_good();
  if (!seen.is_good) return seen;
  seen.acceleration = axes * three_of(sample.acceleration);
  seen.turn = axes * three_of(sample.angular_velocity) - spin;
  return seen;
}

bool BaseEstimate::reads_force(std::size_t foot, const RobotState& robot, LawIndex law,
                               EventReporter& events) noexcept {
  const Foot& its = parts_->feet[foot];
  const auto number = static_cast<std::size_t>(its.sample);
  if (its.sample < 0 || number >= robot.force_torque.size()) return false;
  const ForceTorqueState& sample = robot.force_torque[number];
  const ForceSensorConfig& sensor = its.config.force_sensor;
  SampleWatch& watch = state_.feet[foot];
  const auto finding = watch.advance(six_axes_of(sample.force, sample.torque), sample.missed,
                                     {sensor.force_max, sensor.torque_max}, {});
  tell(EventKind::kFootSensor, law, foot, watch, finding, events);
  return watch.is_good();
}

/// The ground's wrench on a foot is what the leg takes away from it: its own weight is left out.
SeenSole BaseEstimate::see_sole(std::size_t foot, bool on_ground, const RobotState& robot,
                                LawIndex law, EventReporter& events) noexcept {
  FloatingModel& model = parts_->model;
  const Foot& its = parts_->feet[foot];
  const Eigen::Matrix3d axes = model.rotation(its.sole);
  const Vector3d origin = model.position(its.sole);
  Vector3d contact = three_of(its.config.centre);
  SeenSole sole;
  sole.load = on_ground ? 1.0 : 0.0;
  if (reads_force(foot, robot, law, events)) {
    const ForceTorqueState& sample = robot.force_torque[static_cast<std::size_t>(its.sample)];
    const Eigen::Matrix3d turn = axes.transpose() * model.rotation(its.sensor);
    const Vector3d arm = axes.transpose() * (model.position(its.sensor) - origin);
    const Vector3d force = -(turn * three_of(sample.force));
    const Vector3d torque = arm.cross(force) - turn * three_of(sample.torque);
    sole.load = force.z() >= config_.contact_force ? force.z() : 0.0;
    if (sole.load > 0.0) contact = pressure_point(its.config, force, torque);
    sole.is_flat = is_inside_rim(its.config, contact);
  }
  const auto twist = model.twist(its.sole);
  sole.axes = axes;
  sole.place = origin + axes * three_of(its.config.centre);
  sole.contact = origin + axes * contact;
  sole.spin = twist.tail<3>();
  sole.speed = twist.head<3>() + sole.spin.cross(axes * contact);
  return sole;
}

void BaseEstimate::tell(EventKind kind, LawIndex law, std::size_t number, const SampleWatch& watch,
                        const SampleWatch::Finding& finding, EventReporter& events) const noexcept {
  if (!finding.changed) return;
  Event e = events.event(kind, kNoJoint);
  e.law = law;
  e.detail = static_cast<std::uint8_t>(watch.state());
  e.number = kSensorAxes * number + static_cast<std::uint64_t>(finding.axis);
  e.value = finding.value;
  e.limit = finding.limit;
  events.publish(e);
}

}  // namespace jointrig
