#include "app/rig/sim_world.h"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "control/core/nearest_word.h"
#include "control/core/sensor_nodes.h"
#include "control/exchange/robot_client.h"

namespace jointrig::app {
namespace {

constexpr std::string_view kAxes[] = {"x", "y", "z"};
constexpr std::string_view kJointQuantities[] = {"q", "v", "tau"};

/// `body.<name>.x` → name and axis; the name itself may have dots.
bool split(std::string_view text, std::string_view prefix, const std::string_view (&tails)[3],
           std::string& name, int& axis) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return false;
  for (int i = 0; i < 3; ++i) {
    if (text.substr(dot + 1) != tails[i]) continue;
    name = text.substr(0, dot);
    axis = i;
    return true;
  }
  return false;
}

[[noreturn]] void refuse(const std::string& key, const std::string& what) {
  throw harness::BadAction(key, what);
}

sim::BodyId body_named(const sim::Plant& plant, const std::string& name) {
  try {
    return plant.body(name);
  } catch (const ModelError& error) {
    refuse("body", error.what());
  }
}

/// Checks that a fraction is at most 1, and that cycles are whole.
void check_value(sim::SimFault type, double value) {
  if (type == sim::SimFault::kGainLoss && !(value >= 0.0 && value <= 1.0)) {
    refuse("value", "a fraction of the torque lies between 0 and 1");
  }
  if (type == sim::SimFault::kMissedCycles && !(value >= 1.0 && value == std::floor(value))) {
    refuse("value", "cycles are counted: a whole number from 1 on");
  }
}

/// An obstacle may appear at several places one after another; two with one name are refused.
bool is_new(const sim::ObstacleSpec& spec, const std::vector<sim::ObstacleSpec>& known) {
  for (const sim::ObstacleSpec& other : known) {
    if (other.name != spec.name) continue;
    if (other.shape == spec.shape && other.size == spec.size) return false;
    refuse("name", "two obstacles of different shape or size are called \"" + spec.name +
                       "\": name one of them otherwise");
  }
  return true;
}

}  // namespace

SimWorld::SimWorld(const RobotConfig& robot, sim::Plant& plant, std::span<sim::SimBoard> boards,
                   sim::SimSensors* sensors)
    : robot_(&robot), plant_(&plant), boards_(boards), sensors_(sensors) {}

sim::PlantOptions SimWorld::plant_options(const std::vector<harness::ObstacleAction>& obstacles,
                                          const std::vector<std::string>& payload_bodies) {
  sim::PlantOptions options;
  for (const harness::ObstacleAction& o : obstacles) {
    sim::ObstacleSpec spec;
    spec.name = o.name;
    if (!sim::parse(o.shape, spec.shape)) {
      refuse("shape", "no obstacle shape \"" + o.shape + "\"; there are box, sphere and cylinder");
    }
    // A scenario gives half sizes and radii, as in MJCF; the plant takes edges and diameters.
    const double height = spec.shape == sim::ObstacleShape::kCylinder ? o.size[1] : o.size[2];
    spec.size = {2.0 * o.size[0], 2.0 * o.size[1], 2.0 * height};
    if (spec.shape == sim::ObstacleShape::kCylinder) spec.size[1] = 2.0 * height;
    if (is_new(spec, options.obstacles)) options.obstacles.push_back(spec);
  }
  options.payload_bodies = payload_bodies;
  return options;
}

std::vector<std::string> SimWorld::fault_types() const {
  std::vector<std::string> words;
  for (const sim::SimFault fault : sim::kAllSimFault) words.emplace_back(to_string(fault));
  return words;
}

std::string SimWorld::fault_unit(std::string_view type) const {
  sim::SimFault fault{};
  return sim::parse(type, fault) ? std::string(sim::unit_of(fault)) : "";
}

std::vector<std::string> SimWorld::sensor_fault_types() const {
  if (sensors_ == nullptr) return {};
  return {sim::kSimSensorFaultWords.begin(), sim::kSimSensorFaultWords.end()};
}

std::vector<std::string> SimWorld::truth_names() const {
  std::vector<std::string> names;
  const mjModel& model = plant_->model();
  for (int i = 1; i < model.nbody; ++i) {
    const std::string body = model.names + model.name_bodyadr[i];
    for (const std::string_view axis : kAxes) {
      names.push_back("body." + body + "." + std::string(axis));
    }
    names.push_back("contact." + body + ".force");
  }
  for (int i = 0; i < model.nsite; ++i) {
    const std::string site = model.names + model.name_siteadr[i];
    for (const std::string_view axis : kAxes) {
      names.push_back("site." + site + "." + std::string(axis));
    }
  }
  for (const JointConfig& joint : robot_->joints) {
    for (const std::string_view quantity : kJointQuantities) {
      names.push_back("truth." + joint.name + "." + std::string(quantity));
    }
  }
  return names;
}

std::optional<harness::World::Handle> SimWorld::find_truth(std::string_view name) {
  static constexpr std::string_view kForce[] = {"force", "force", "force"};
  std::string of;
  Signal signal;
  try {
    if (split(name, "body.", kAxes, of, signal.axis)) {
      signal.quantity = Quantity::kBody;
      signal.id = static_cast<int>(plant_->body(of));
    } else if (split(name, "site.", kAxes, of, signal.axis)) {
      signal.quantity = Quantity::kSite;
      signal.id = static_cast<int>(plant_->site(of));
    } else if (split(name, "contact.", kForce, of, signal.axis)) {
      signal.quantity = Quantity::kContact;
      signal.id = static_cast<int>(plant_->body(of));
    } else if (split(name, "truth.", kJointQuantities, of, signal.axis)) {
      signal.quantity = Quantity::kJoint;
      signal.id = joint_named(*robot_, of);
    } else {
      return std::nullopt;
    }
  } catch (const std::exception&) {
    return std::nullopt;  // the caller suggests the nearest of truth_names()
  }
  signals_.push_back(signal);
  return static_cast<Handle>(signals_.size()) - 1;
}

double SimWorld::truth(Handle handle) const noexcept {
  const Signal& signal = signals_[static_cast<std::size_t>(handle)];
  const sim::Plant& plant = *plant_;
  const auto axis = static_cast<std::size_t>(signal.axis);
  switch (signal.quantity) {
    case Quantity::kBody:
      return plant.body_pose(static_cast<sim::BodyId>(signal.id)).position[axis];
    case Quantity::kSite:
      return plant.site_pose(static_cast<sim::SiteId>(signal.id)).position[axis];
    case Quantity::kContact: {
      const sim::Vector3 f = plant.contact_force(static_cast<sim::BodyId>(signal.id));
      return std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    }
    case Quantity::kJoint:
      break;
  }
  const auto joint = static_cast<std::size_t>(signal.id);
  const sim::JointTruth truth = plant_->joint(joint);
  return signal.axis == 0 ? truth.q : signal.axis == 1 ? truth.v : plant.torque(joint);
}

harness::World::Handle SimWorld::keep(Prepared action) {
  actions_.push_back(std::move(action));
  return static_cast<Handle>(actions_.size()) - 1;
}

harness::World::Handle SimWorld::prepare_sensor(const harness::FaultAction& action) {
  SensorFault fault;
  if (!sim::parse(action.type, fault.type)) {
    refuse("type", "no fault \"" + action.type + "\" of a sensor" +
                       did_you_mean(action.type, sensor_fault_types()));
  }
  for (const NamedSensor& named : sensors_of(*robot_)) {
    const bool is_it = action.sensor.empty()
                           ? named.arm != kNoArm && robot_->arms[named.arm].name == action.arm
                       : named.is_imu ? action.sensor == "imu"
                                      : named.arm == kNoArm && named.path[2] == action.sensor;
    if (!is_it || sensors_ == nullptr) continue;
    const auto sensor = named.is_imu ? sensors_->find_imu(named.site) : sensors_->find(named.site);
    if (!sensor) break;
    fault.sensor = *sensor;
    return keep(fault);
  }
  if (!action.sensor.empty()) {
    refuse("sensor", "the robot has no sensor \"" + action.sensor + "\" that is simulated here");
  }
  refuse("arm", "arm \"" + action.arm + "\" has no force/torque sensor that is simulated here");
}

harness::World::Handle SimWorld::prepare(const harness::FaultAction& action) {
  if (!action.arm.empty() || !action.sensor.empty()) return prepare_sensor(action);
  Fault fault;
  fault.joint = joint_named(*robot_, action.joint);
  if (robot_->elsewhere.test(fault.joint)) {
    refuse("joint",
           "joint \"" + action.joint + "\" has no simulated board: another backend drives it");
  }
  if (!sim::parse(action.type, fault.type)) {
    refuse("type", "no fault \"" + action.type + "\"" + did_you_mean(action.type, fault_types()));
  }
  if (sim::takes_value(fault.type)) {
    if (!std::isfinite(action.value)) {
      refuse("", "the fault \"" + action.type + "\" needs a value [" +
                     std::string(sim::unit_of(fault.type)) +
                     "]: " + std::string(sim::describe(fault.type)));
    }
    check_value(fault.type, action.value);
    fault.value = action.value;
  } else if (std::isfinite(action.value)) {
    refuse("value", "the fault \"" + action.type +
                        "\" takes no value: " + std::string(sim::describe(fault.type)));
  }
  return keep(fault);
}

harness::World::Handle SimWorld::prepare(const harness::ForceAction& action) {
  sim::Wrench wrench;
  wrench.tag = static_cast<int>(actions_.size()) + 1;
  if (!action.joint.empty()) {
    wrench.joint = static_cast<int>(joint_named(*robot_, action.joint));
    wrench.along = action.along;
    return keep(wrench);
  }
  wrench.body = body_named(*plant_, action.body);
  wrench.force = action.force;
  wrench.torque = action.torque;
  wrench.point = action.point;
  wrench.at_centre = false;
  wrench.in_body_frame = action.in_body_frame;
  return keep(wrench);
}

harness::World::Handle SimWorld::prepare(const harness::PayloadAction& action) {
  if (!(action.mass >= 0.0) || !std::isfinite(action.mass)) {
    refuse("mass", fmt::format("a payload of {:f} kg can't be; it must be 0 or more", action.mass));
  }
  (void)body_named(*plant_, action.body);
  if (const LoadFlaw flaw = find_flaw(action.mass, action.inertia)) {
    refuse("inertia", describe_flaw(flaw.value, flaw.limit));
  }
  return keep(Payload{action.body, action.mass, action.centre, action.inertia});
}

harness::World::Handle SimWorld::prepare(const harness::ObstacleAction& action) {
  try {
    return keep(Obstacle{plant_->obstacle(action.name), {action.position, action.orientation}});
  } catch (const ModelError&) {
    refuse("name", "an obstacle can't be called \"" + action.name +
                       "\": there is a body of that name; name it otherwise");
  }
}

/// All payloads on a body are one there.
void SimWorld::load(const std::string& body) noexcept {
  KnownPayload sum;
  const auto add = [&](const auto& more) {
    KnownPayload one{.mass = more.mass, .centre = {}, .inertia = more.inertia};
    std::copy_n(more.centre.begin(), 3, one.centre.begin());
    sum = sum_of_loads(sum, one);
  };
  for (const PayloadConfig& own : robot_->plant.payloads) {
    if (own.body == body) add(own);
  }
  for (const Prepared& action : actions_) {
    const auto* payload = std::get_if<Payload>(&action);
    if (payload != nullptr && payload->is_on && payload->body == body) add(*payload);
  }
  plant_->set_payload(body, sum.mass, sum.centre, sum.inertia);
}

void SimWorld::begin(Handle handle) noexcept {
  Prepared& action = actions_[static_cast<std::size_t>(handle)];
  sim::Plant& plant = *plant_;
  if (const auto* fault = std::get_if<Fault>(&action)) {
    boards_[fault->joint].inject(fault->type, fault->value);
  } else if (const auto* its = std::get_if<SensorFault>(&action)) {
    sensors_->inject(its->sensor, its->type, true);
  } else if (const auto* wrench = std::get_if<sim::Wrench>(&action)) {
    plant.release(wrench->tag);  // a second begin has no effect
    plant.apply(*wrench);
  } else if (auto* payload = std::get_if<Payload>(&action)) {
    payload->is_on = true;
    load(payload->body);
  } else if (const auto* obstacle = std::get_if<Obstacle>(&action)) {
    plant.place(obstacle->number, obstacle->pose);
  }
}

void SimWorld::end(Handle handle) noexcept {
  Prepared& action = actions_[static_cast<std::size_t>(handle)];
  sim::Plant& plant = *plant_;
  if (const auto* fault = std::get_if<Fault>(&action)) {
    boards_[fault->joint].end(fault->type);
  } else if (const auto* its = std::get_if<SensorFault>(&action)) {
    sensors_->inject(its->sensor, its->type, false);
  } else if (const auto* wrench = std::get_if<sim::Wrench>(&action)) {
    plant.release(wrench->tag);
  } else if (auto* payload = std::get_if<Payload>(&action)) {
    payload->is_on = false;
    load(payload->body);
  } else if (const auto* obstacle = std::get_if<Obstacle>(&action)) {
    plant.park(obstacle->number);
  }
}

}  // namespace jointrig::app
