#include "harness/runner/arm_signals.h"

#include <array>
#include <string_view>

#include "control/core/tool_axes.h"

namespace jointrig::harness {
namespace {

using Axes = std::array<std::string_view, 6>;
constexpr Axes kForces{"fx", "fy", "fz", "tx", "ty", "tz"};

class Collector {
 public:
  Collector(const RobotConfig& config, std::size_t arm)
      : config_(&config), arm_(arm), prefix_(config.arms[arm].name + ".") {}

  void pose(const std::string& name, ToolPose ArmSnapshot::*field) {
    constexpr std::array<std::string_view, 3> kPlace{"x", "y", "z"};
    constexpr std::array<std::string_view, 4> kTurn{"qw", "qx", "qy", "qz"};
    for (std::size_t i = 0; i < 3; ++i) {
      number(name + "." + std::string(kPlace[i]), "m",
             [field, i](const ArmSnapshot& arm) { return (arm.*field).position[i]; });
    }
    for (std::size_t i = 0; i < 4; ++i) {
      number(name + "." + std::string(kTurn[i]), "",
             [field, i](const ArmSnapshot& arm) { return (arm.*field).orientation[i]; });
    }
  }

  void six(const std::string& name, Six ArmSnapshot::*field, const Axes& axes, const char* linear,
           const char* angular) {
    for (std::size_t i = 0; i < 6; ++i) {
      number(name + "." + std::string(axes[i]), i < 3 ? linear : angular,
             [field, i](const ArmSnapshot& arm) { return (arm.*field)[i]; });
    }
  }

  void interaction() {
    for (std::size_t i = 0; i < 6; ++i) {
      number("force." + std::string(kForces[i]), i < 3 ? "N" : "N·m",
             [i](const ArmSnapshot& now) { return now.interaction.force[i]; });
      number("stiffness." + std::string(kToolAxisNames[i]), i < 3 ? "N/m" : "N·m/rad",
             [i](const ArmSnapshot& now) {
               return now.interaction.active ? now.interaction.stiffness[i] : now.stiffness[i];
             });
    }
    number("cuff_left", "s", [](const ArmSnapshot& now) { return now.interaction.cuff_left; });
    number("drift", "", [](const ArmSnapshot& now) { return now.interaction.drift; });
    truth("interaction", [](const ArmSnapshot& now) { return now.interaction.active; });
    truth("cuff", [](const ArmSnapshot& now) { return now.interaction.cuff; });
    for (const GuideState state : kAllGuideState) {
      truth("guide." + std::string(to_string(state)),
            [state](const ArmSnapshot& now) { return now.interaction.guide == state; });
    }
  }

  void drive() {
    for (std::size_t i = 0; i < 6; ++i) {
      const char* unit = i < 3 ? "m/s" : "rad/s";
      const std::string axis(kToolAxisNames[i]);
      number("drive_wanted." + axis, unit,
             [i](const ArmSnapshot& now) { return now.drive.wanted[i]; });
      number("drive_had." + axis, unit, [i](const ArmSnapshot& now) { return now.drive.had[i]; });
    }
    number("drive_share", "", [](const ArmSnapshot& now) { return now.drive.share; });
    number("drive_left", "s", [](const ArmSnapshot& now) { return now.drive.left; });
    truth("drives", [](const ArmSnapshot& now) { return now.drive.is_on; });
  }

  void wrench(const std::string& name, Six ArmForces::*field) {
    for (std::size_t i = 0; i < 6; ++i) {
      number(name + "." + std::string(kForces[i]), i < 3 ? "N" : "N·m",
             [field, i](const ArmSnapshot& arm) { return (arm.forces.*field)[i]; });
    }
  }

  template <typename Read>
  void number(const std::string& name, const char* unit, Read read) {
    add({prefix_ + name, unit, false, kNoJoint, {}}, read);
  }

  template <typename Read>
  void truth(const std::string& name, Read read) {
    add({prefix_ + name, "", true, kNoJoint, {}},
        [read](const ArmSnapshot& arm) { return read(arm) ? 1.0 : 0.0; });
  }

  void terms() {
    const std::vector<JointIndex>& joints = config_->arms[arm_].joints;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const JointConfig& joint = config_->joints[joints[i]];
      for (const ArmTerm term : kAllArmTerm) {
        const auto row = static_cast<std::size_t>(term);
        add({joint.name + ".tau_" + std::string(to_string(term)),
             joint.slide ? "N" : "N·m",
             false,
             joints[i],
             {}},
            [row, i](const ArmSnapshot& arm) { return arm.tau[row][i]; });
      }
    }
  }

  std::vector<ArmSignal> signals;

 private:
  template <typename Read>
  void add(ArmSignal signal, Read read) {
    signal.read = [read, arm = arm_](const Snapshot& snapshot) {
      return arm < snapshot.arms.size() ? read(snapshot.arms[arm]) : 0.0;
    };
    signals.push_back(std::move(signal));
  }

  const RobotConfig* config_;
  std::size_t arm_;
  std::string prefix_;
};

}  // namespace

std::vector<ArmSignal> arm_signals(const RobotConfig& config) {
  std::vector<ArmSignal> all;
  for (std::size_t i = 0; i < config.arms.size(); ++i) {
    Collector arm(config, i);
    arm.pose("tool", &ArmSnapshot::tool);
    arm.pose("offset", &ArmSnapshot::offset);
    arm.pose("target", &ArmSnapshot::target);
    arm.pose("goal", &ArmSnapshot::goal);
    arm.six("error", &ArmSnapshot::error, kToolAxisNames, "m", "rad");
    arm.six("twist", &ArmSnapshot::twist, kToolAxisNames, "m/s", "rad/s");
    arm.six("wrench", &ArmSnapshot::wrench, kForces, "N", "N·m");
    arm.interaction();
    arm.drive();
    arm.wrench("sensed", &ArmForces::sensed);
    arm.wrench("sensed_tool", &ArmForces::sensed_tool);
    arm.wrench("external", &ArmForces::external);
    arm.wrench("external_tool", &ArmForces::external_tool);
    arm.wrench("sensor_bias", &ArmForces::bias);
    arm.number("sensor_filter", "Hz", [](const ArmSnapshot& now) { return now.forces.filter_hz; });
    for (const ForceSensorState state : kAllForceSensorState) {
      arm.truth("sensor." + std::string(to_string(state)),
                [state](const ArmSnapshot& now) { return now.forces.sensor == state; });
    }
    arm.truth("taring", [](const ArmSnapshot& now) { return now.forces.taring; });
    arm.truth("knows_external", [](const ArmSnapshot& now) { return now.forces.has_external; });
    arm.number("payload", "kg", [](const ArmSnapshot& now) { return now.payload.mass; });
    arm.truth("runs", [](const ArmSnapshot& now) { return now.runs; });
    arm.truth("moving", [](const ArmSnapshot& now) { return now.moving; });
    arm.truth("timed_out", [](const ArmSnapshot& now) { return now.timed_out; });
    for (const ArmLimit limit : kAllArmLimit) {
      arm.truth("limited." + std::string(to_string(limit)),
                [limit](const ArmSnapshot& now) { return now.limits.has(limit); });
    }
    arm.terms();
    all.insert(all.end(), arm.signals.begin(), arm.signals.end());
  }
  return all;
}

}  // namespace jointrig::harness
