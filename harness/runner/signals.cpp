#include "harness/runner/signals.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <variant>

#include "control/core/nearest_word.h"
#include "harness/config/units.h"
#include "harness/runner/arm_signals.h"
#include "harness/runner/joint_signals.h"
#include "harness/runner/words.h"

namespace jointrig::harness {
namespace {

using ReadSnapshot = double (*)(const Snapshot&);

struct PlainSignal {
  std::string_view name;
  std::string_view unit;
  ReadSnapshot read;
};

double sensor(const Snapshot& s, std::size_t n, std::size_t axis, bool torque) {
  if (n >= s.force_torque.size()) return std::numeric_limits<double>::quiet_NaN();
  return torque ? s.force_torque[n].torque[axis] : s.force_torque[n].force[axis];
}

template <Protection what>
double is_on(const Snapshot& s) {
  return s.protection.on.has(what) ? 1.0 : 0.0;
}

/// Duration of the suppression; 0: not suppressed.
template <Suppressible what>
double suppressed(const Snapshot& s) {
  return s.protection.suppressed_for[static_cast<std::size_t>(what)];
}

constexpr auto kPlain = std::to_array<PlainSignal>({
    {"time", "s", [](const Snapshot& s) { return to_seconds(s.time_ns); }},
    {"cycle", "", [](const Snapshot& s) { return static_cast<double>(s.cycle); }},
    {"overruns", "", [](const Snapshot& s) { return static_cast<double>(s.overruns); }},
    {"speed_override", "", [](const Snapshot& s) { return s.speed_override; }},
    {"protection.distance", "m", [](const Snapshot& s) { return s.protection.distance; }},
    {"protection.overlap", "m", [](const Snapshot& s) { return s.protection.overlap; }},
    {"protection.force", "N", [](const Snapshot& s) { return s.protection.force; }},
    {"protection.impact", "", [](const Snapshot& s) { return s.protection.impact; }},
    {"protection.squish", "", [](const Snapshot& s) { return s.protection.squish; }},
    {"protection.hand_force", "N", [](const Snapshot& s) { return s.protection.hand_force; }},
    {"protection.hand_torque", "N·m", [](const Snapshot& s) { return s.protection.hand_torque; }},
    {"protection.stop_left", "s", [](const Snapshot& s) { return s.protection.stop_left; }},
    {"protection.pushes", "", [](const Snapshot& s) { return s.protection.pushes ? 1.0 : 0.0; }},
    {"protection.squished", "",
     [](const Snapshot& s) { return s.protection.squished ? 1.0 : 0.0; }},
    {"on.collision_avoidance", "", is_on<Protection::kCollisionAvoidance>},
    {"on.collision_detection", "", is_on<Protection::kCollisionDetection>},
    {"suppressed.gravity_compensation", "s", suppressed<Suppressible::kGravityCompensation>},
    {"suppressed.collision_avoidance", "s", suppressed<Suppressible::kCollisionAvoidance>},
    {"suppressed.contact_safety", "s", suppressed<Suppressible::kContactSafety>},
    {"suppressed.cuff", "s", suppressed<Suppressible::kCuff>},
    {"base.x", "m", [](const Snapshot& s) { return s.base.position[0]; }},
    {"base.y", "m", [](const Snapshot& s) { return s.base.position[1]; }},
    {"base.z", "m", [](const Snapshot& s) { return s.base.position[2]; }},
    {"base.vx", "m/s", [](const Snapshot& s) { return s.base.linear_velocity[0]; }},
    {"base.vy", "m/s", [](const Snapshot& s) { return s.base.linear_velocity[1]; }},
    {"base.vz", "m/s", [](const Snapshot& s) { return s.base.linear_velocity[2]; }},
});

struct GripperSignal {
  std::string_view name;
  std::string_view unit;
  double GripperSnapshot::*value;
};
constexpr auto kGripperSignals =
    std::to_array<GripperSignal>({{"width", "m", &GripperSnapshot::width},
                                  {"share", "", &GripperSnapshot::share},
                                  {"force", "N", &GripperSnapshot::force},
                                  {"asked", "N", &GripperSnapshot::asked}});

struct SensorAxis {
  std::string_view name;
  std::size_t axis;
  bool torque;
};
constexpr auto kForceAxes = std::to_array<SensorAxis>({{"fx", 0, false},
                                                       {"fy", 1, false},
                                                       {"fz", 2, false},
                                                       {"tx", 0, true},
                                                       {"ty", 1, true},
                                                       {"tz", 2, true}});

struct FromSnapshot {
  ReadSnapshot read;
};
struct FromSensor {
  std::size_t sensor;
  SensorAxis axis;
};
struct FromJoint {
  double (*read)(const JointSnapshot&);
  JointIndex joint;
};
struct FromArm {
  std::function<double(const Snapshot&)> read;
};
struct FromWorld {
  World::Handle handle;
};
struct Fixed {
  double value;
};

/// Without a unit where expressions don't know it.
std::string known_unit(const std::string& unit) {
  try {
    static_cast<void>(dimension_of(unit));
    return unit;
  } catch (const UnitError&) {
    return {};
  }
}

/// "ft0.fx"
bool is_sensor_name(std::string_view name) {
  return name.size() == 6 && name.starts_with("ft") && name[3] == '.' && name[2] >= '0' &&
         name[2] <= '9';
}

std::string sensors_in_words(std::size_t count) {
  if (count == 0) return "the robot has none here";
  return count == 1 ? "the robot has one, ft0"
                    : fmt::format("the robot has ft0 to ft{}", count - 1);
}

}  // namespace

struct SignalTable::Source {
  std::variant<FromSnapshot, FromSensor, FromJoint, FromArm, FromWorld, Fixed> from;
  std::string unit;
  SignalKind kind = SignalKind::kNumber;
  JointIndex joint = kNoJoint;

  [[nodiscard]] double read(const Snapshot& snapshot, const World* world) const noexcept {
    if (const auto* j = std::get_if<FromJoint>(&from)) return j->read(snapshot.joints[j->joint]);
    if (const auto* s = std::get_if<FromSnapshot>(&from)) return s->read(snapshot);
    if (const auto* w = std::get_if<FromWorld>(&from)) return world->truth(w->handle);
    if (const auto* f = std::get_if<FromSensor>(&from)) {
      return sensor(snapshot, f->sensor, f->axis.axis, f->axis.torque);
    }
    if (const auto* f = std::get_if<FromArm>(&from)) return f->read(snapshot);
    const auto* fixed = std::get_if<Fixed>(&from);
    return fixed != nullptr ? fixed->value : 0.0;
  }
};

std::size_t find_each(std::string_view name) noexcept {
  constexpr std::string_view kTruth = "truth.";
  const std::size_t at = name.starts_with(kTruth) ? kTruth.size() : 0;
  const std::string_view rest = name.substr(at);
  return rest.starts_with(kEach) && rest.substr(kEach.size()).starts_with('.') ? at : name.npos;
}

std::string quoted_where_odd(const std::string& joint) {
  const bool plain = std::all_of(joint.begin(), joint.end(), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  const bool named = plain && !joint.empty() && !(joint[0] >= '0' && joint[0] <= '9');
  return named ? joint : "'" + joint + "'";
}

SignalTable::SignalTable(const RobotConfig& config, World* world, std::size_t force_torque_sensors)
    : config_(&config), world_(world), force_torque_sensors_(force_torque_sensors) {}
SignalTable::~SignalTable() = default;

std::optional<SignalTable::Source> SignalTable::joint_source(std::string_view name) const {
  for (std::size_t i = 0; i < config_->joints.size(); ++i) {
    const JointConfig& joint = config_->joints[i];
    if (!name.starts_with(joint.name) || name.substr(joint.name.size(), 1) != ".") continue;
    const std::string_view quantity = name.substr(joint.name.size() + 1);
    const auto index = static_cast<JointIndex>(i);
    const auto unit = [&](const auto& s) {
      return std::string(joint.slide ? s.slide_unit : s.unit);
    };
    for (const JointSignal& signal : joint_signals()) {
      if (signal.name == quantity) {
        return Source{FromJoint{signal.read, index}, unit(signal), signal.kind, index};
      }
    }
    for (const PlanSignal& signal : plan_signals()) {
      if (signal.name != quantity) continue;
      const auto read = [index, of = signal.read](const Snapshot& s) {
        for (const PlanSnapshot& plan : s.plans) {
          if (plan.joints[index]) return of(plan);
        }
        return 0.0;
      };
      return Source{FromArm{read}, std::string(signal.unit), SignalKind::kNumber, index};
    }
    for (const JointConstant& constant : joint_constants()) {
      if (constant.name == quantity) {
        return Source{Fixed{constant.read(joint)}, unit(constant), SignalKind::kNumber, index};
      }
    }
  }
  return std::nullopt;
}

std::optional<SignalTable::Source> SignalTable::truth_source(std::string_view name) const {
  if (world_ == nullptr) return std::nullopt;
  const std::optional<World::Handle> handle = world_->find_truth(name);
  if (!handle) return std::nullopt;
  std::string unit = "m";
  if (name.ends_with(".force")) unit = "N";
  if (name.starts_with("truth.")) {
    // The unit of the joint's own signal of that name.
    const std::optional<Source> joint =
        joint_source(name.substr(std::string_view("truth.").size()));
    unit = joint ? joint->unit : "";
  }
  return Source{FromWorld{*handle}, unit, SignalKind::kNumber, kNoJoint};
}

std::optional<SignalTable::Source> SignalTable::source_of(std::string_view name) const {
  for (const PlainSignal& plain : kPlain) {
    if (plain.name == name) return Source{FromSnapshot{plain.read}, std::string(plain.unit)};
  }
  if (auto joint = joint_source(name)) return joint;
  for (const ArmSignal& arm : arm_signals(*config_)) {
    if (arm.name != name) continue;
    const SignalKind kind = arm.is_truth ? SignalKind::kTruth : SignalKind::kNumber;
    return Source{FromArm{arm.read}, arm.unit, kind, arm.joint};
  }
  if (auto law = law_source(name)) return law;
  if (auto gripper = gripper_source(name)) return gripper;
  if (auto sensor = sensor_source(name)) return sensor;
  return truth_source(name);
}

std::optional<SignalTable::Source> SignalTable::sensor_source(std::string_view name) const {
  static_assert(kMaxForceTorqueSensors <= 10, "a digit names them");
  if (!is_sensor_name(name)) return std::nullopt;
  const auto number = static_cast<std::size_t>(name[2] - '0');
  if (number >= force_torque_sensors_) {
    throw UnknownSignal("\"" + std::string(name) +
                        "\" is of a force/torque sensor that isn't there: " +
                        sensors_in_words(force_torque_sensors_));
  }
  for (const SensorAxis& axis : kForceAxes) {
    if (axis.name == name.substr(4)) {
      return Source{FromSensor{number, axis}, axis.torque ? "N·m" : "N"};
    }
  }
  return std::nullopt;
}

/// `law.<law>.<name>`
std::optional<SignalTable::Source> SignalTable::law_source(std::string_view name) const {
  constexpr std::string_view kPrefix = "law.";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  for (std::size_t l = 0; l < config_->laws.size(); ++l) {
    const LawConfig& law = config_->laws[l];
    const std::string own = std::string(kPrefix) + law.name + ".";
    if (!name.starts_with(own)) continue;
    const std::string_view what = name.substr(own.size());
    if (what == "state") {
      static const std::vector<double> kCodes = codes_of(kAllLawState);
      return Source{FromArm{[l](const Snapshot& s) {
                      return kCodes[static_cast<std::size_t>(s.laws[l].state)];
                    }},
                    "", SignalKind::kWord};
    }
    if (what == "took_us") {
      return Source{
          FromArm{[l](const Snapshot& s) { return static_cast<double>(s.laws[l].took_us); }}, "us"};
    }
    for (std::size_t i = 0; i < law.signals.size(); ++i) {
      if (law.signals[i].name != what) continue;
      const std::size_t at = first_signal(config_->laws, l) + i;
      return Source{FromArm{[at](const Snapshot& s) { return s.law_signals[at]; }},
                    known_unit(law.signals[i].unit)};
    }
    for (std::size_t i = 0; i < law.parameters.size(); ++i) {
      if (law.parameters[i].name != what) continue;
      return Source{FromArm{[l, i](const Snapshot& s) { return s.laws[l].parameters[i]; }},
                    known_unit(law.parameters[i].unit)};
    }
  }
  return std::nullopt;
}

/// `gripper.<gripper>.<name>`
std::optional<SignalTable::Source> SignalTable::gripper_source(std::string_view name) const {
  for (std::size_t g = 0; g < config_->grippers.size(); ++g) {
    const std::string own = "gripper." + config_->grippers[g].name + ".";
    if (!name.starts_with(own)) continue;
    const std::string_view what = name.substr(own.size());
    if (what == "state") {
      static const std::vector<double> kCodes = codes_of(kAllGripperState);
      return Source{FromArm{[g](const Snapshot& s) {
                      return kCodes[static_cast<std::size_t>(s.grippers[g].state)];
                    }},
                    "", SignalKind::kWord};
    }
    for (const GripperSignal& signal : kGripperSignals) {
      if (signal.name != what) continue;
      return Source{
          FromArm{[g, value = signal.value](const Snapshot& s) { return s.grippers[g].*value; }},
          std::string(signal.unit)};
    }
  }
  return std::nullopt;
}

std::vector<std::string> SignalTable::known_names(std::string_view like) const {
  std::vector<std::string> names;
  for (const PlainSignal& plain : kPlain) names.emplace_back(plain.name);
  for (const ArmSignal& arm : arm_signals(*config_)) names.push_back(arm.name);
  for (const LawConfig& law : config_->laws) {
    const std::string own = "law." + law.name + ".";
    names.push_back(own + "state");
    names.push_back(own + "took_us");
    for (const LawSignal& signal : law.signals) names.push_back(own + signal.name);
    for (const LawParameter& parameter : law.parameters) names.push_back(own + parameter.name);
  }
  for (const GripperConfig& gripper : config_->grippers) {
    const std::string own = "gripper." + gripper.name + ".";
    names.push_back(own + "state");
    for (const GripperSignal& signal : kGripperSignals) {
      names.push_back(own + std::string(signal.name));
    }
  }
  std::vector<std::string> joints;
  for (const JointConfig& joint : config_->joints) joints.push_back(joint.name);
  joints.emplace_back("each");
  for (const std::string& joint : joints) {
    for (const JointSignal& s : joint_signals()) names.push_back(joint + "." + std::string(s.name));
    for (const PlanSignal& s : plan_signals()) names.push_back(joint + "." + std::string(s.name));
    for (const JointConstant& s : joint_constants()) {
      names.push_back(joint + "." + std::string(s.name));
    }
  }
  // If the joint exists and only the quantity is wrong, only its own signals are suggested.
  const auto dot = like.rfind('.');
  if (dot != std::string_view::npos &&
      std::find(joints.begin(), joints.end(), like.substr(0, dot)) != joints.end()) {
    std::erase_if(names, [&](const std::string& name) {
      return !std::string_view(name).starts_with(like.substr(0, dot + 1));
    });
  }
  for (std::size_t i = 0; i < force_torque_sensors_; ++i) {
    for (const SensorAxis& axis : kForceAxes) {
      names.push_back(fmt::format("ft{}.{}", i, axis.name));
    }
  }
  if (world_ != nullptr) {
    for (std::string& name : world_->truth_names()) names.push_back(std::move(name));
    for (const std::string_view what : {"q", "v", "tau"}) {
      names.push_back("truth.each." + std::string(what));
    }
  }
  return names;
}

const Signal& SignalTable::find(std::string_view name, JointIndex each) {
  std::string full(name);
  if (const std::size_t at = find_each(name); at != name.npos) {
    if (each == kNoJoint) {
      throw UnknownSignal(
          "\"each\" stands for the joints of an assertion or a stream: there are "
          "none here, name the joint");
    }
    full.replace(at, kEach.size(), config_->joints[each].name);
  }
  for (const Signal& signal : signals_) {
    if (signal.name == full) return signal;
  }
  std::optional<Source> source = source_of(full);
  if (!source) {
    constexpr std::array<std::string_view, 4> kTruths{"body.", "site.", "contact.", "truth."};
    const bool wants_truth = std::any_of(kTruths.begin(), kTruths.end(),
                                         [&](auto prefix) { return full.starts_with(prefix); });
    if (wants_truth && world_ == nullptr) {
      throw NoTruth("\"" + full + "\" is truth of the simulated world, which this backend " +
                    "doesn't have: give the scenario \"requires: [truth]\"");
    }
    throw UnknownSignal("no signal \"" + std::string(name) + "\"" +
                        did_you_mean(name, known_names(name)));
  }
  const auto* fixed = std::get_if<Fixed>(&source->from);
  values_.push_back(fixed != nullptr ? fixed->value : 0.0);
  signals_.push_back(
      {full, source->unit, source->kind, source->joint, fixed != nullptr, &values_.back()});
  sources_.push_back(std::move(*source));
  return signals_.back();
}

std::vector<std::string> SignalTable::truth_names() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    if (std::holds_alternative<FromWorld>(sources_[i].from)) names.push_back(signals_[i].name);
  }
  return names;
}

void SignalTable::define_mark(std::string name) {
  if (!find_mark(name)) marks_.push_back(std::move(name));
}

std::optional<std::size_t> SignalTable::find_mark(std::string_view name) const noexcept {
  const auto found = std::find(marks_.begin(), marks_.end(), name);
  if (found == marks_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - marks_.begin());
}

void SignalTable::update(const Snapshot& snapshot) noexcept {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    values_[i] = sources_[i].read(snapshot, world_);
  }
  for (const auto& derived : derived_) derived->update();
}

void SignalTable::set_mark(std::size_t mark) noexcept {
  for (const auto& derived : derived_) derived->on_mark(mark);
}

}  // namespace jointrig::harness
