#include "gui/plot/trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string>

namespace jointrig::gui {
namespace {

constexpr float kNoSample = std::numeric_limits<float>::quiet_NaN();
constexpr double kDegPerRad = 180.0 / std::numbers::pi;

struct TraceUnits {
  std::string_view hinge;
  std::string_view slide;
};
#define JOINTRIG_TRACE_UNITS(member, word, hinge, slide) TraceUnits{hinge, slide},
constexpr std::array kUnits{JOINTRIG_TRACES(JOINTRIG_TRACE_UNITS)};

constexpr std::array<std::string_view, 6> kAxes{"x", "y", "z", "rx", "ry", "rz"};
constexpr std::array<std::string_view, 6> kForces{"fx", "fy", "fz", "tx", "ty", "tz"};

/// Numbers of an arm that are plotted: along, then about the axes.
struct ArmVector {
  std::string_view word;
  std::span<const std::string_view> axes;
  std::array<std::string_view, 2> units;     ///< along, about
  std::array<std::string_view, 2> si_units;  ///< likewise
  std::span<const double> (*of)(const ArmSnapshot& arm);
};
constexpr std::array<std::string_view, 2> kLengths{"mm", "°"}, kMetres{"m", "rad"};
constexpr std::array<std::string_view, 2> kSpeeds{"mm/s", "°/s"}, kMetresPerSecond{"m/s", "rad/s"};
constexpr std::array<std::string_view, 2> kNewtons{"N", "N·m"};
constexpr auto kThree = std::span(kAxes).first<3>();
using Numbers = std::span<const double>;
constexpr std::array<ArmVector, 7> kArmVectors{{
    {"tool", kThree, kLengths, kMetres,
     [](const ArmSnapshot& a) { return Numbers(a.tool.position); }},
    {"target", kThree, kLengths, kMetres,
     [](const ArmSnapshot& a) { return Numbers(a.target.position); }},
    {"error", kAxes, kLengths, kMetres, [](const ArmSnapshot& a) { return Numbers(a.error); }},
    {"twist", kAxes, kSpeeds, kMetresPerSecond,
     [](const ArmSnapshot& a) { return Numbers(a.twist); }},
    {"wrench", kForces, kNewtons, kNewtons, [](const ArmSnapshot& a) { return Numbers(a.wrench); }},
    {"external", kForces, kNewtons, kNewtons,
     [](const ArmSnapshot& a) { return Numbers(a.forces.external); }},
    {"sensed", kForces, kNewtons, kNewtons,
     [](const ArmSnapshot& a) { return Numbers(a.forces.sensed); }},
}};
constexpr double kSmallest = 1e-6;       // of a length, an angle or a speed in SI units: a choice
constexpr double kSmallestForce = 1e-3;  // N or N·m, and in its own unit for a law: a choice

double si_of(JointTrace trace, const JointSnapshot& joint) noexcept {
  const bool is_reference = trace == JointTrace::kReference || trace == JointTrace::kError ||
                            trace == JointTrace::kVelocityReference;
  if (is_reference && !follows_position(joint.mode)) return kNoSample;
  switch (trace) {
    case JointTrace::kPosition:
      return joint.state.q;
    case JointTrace::kReference:
      return joint.reference.q;
    case JointTrace::kError:
      return joint.reference.q - joint.state.q;
    case JointTrace::kVelocity:
      return joint.state.v;
    case JointTrace::kVelocityReference:
      return joint.reference.v;
    case JointTrace::kTorque:
      return joint.state.tau;
    case JointTrace::kTorqueSent:
      return joint.setpoint.tau;
    case JointTrace::kCurrent:
      break;
  }
  return joint.state.current_A;
}

}  // namespace

std::string_view unit_of(JointTrace trace, bool slide) noexcept {
  const TraceUnits& units = kUnits[static_cast<std::size_t>(trace)];
  return slide ? units.slide : units.hinge;
}

double per_si(std::string_view unit) noexcept {
  if (unit.starts_with("°")) return kDegPerRad;
  return unit.starts_with("mm") ? 1e3 : 1.0;
}

TraceTable::TraceTable(const RobotConfig& config) {
  for (const JointConfig& joint : config.joints) slides_.push_back(joint.slide ? 1 : 0);
  for (const ArmConfig& arm : config.arms) add_arm(arm, config);
  for (const LawConfig& law : config.laws) add_law(law);
}

void TraceTable::add_arm(const ArmConfig& arm, const RobotConfig& config) {
  arms_.push_back(arm.joints);
  for (const ArmVector& vector : kArmVectors) {
    for (std::size_t i = 0; i < vector.axes.size(); ++i) {
      const std::size_t turn = i < 3 ? 0 : 1;
      const double scale = gui::per_si(vector.units[turn]);
      const bool is_force = vector.units == kNewtons;
      others_.push_back({fmt::format("{}.{}.{}", arm.name, vector.word, vector.axes[i]),
                         "/arm/" + arm.name, fmt::format("{}_{}", vector.word, vector.axes[i]),
                         std::string(vector.units[turn]), std::string(vector.si_units[turn]), scale,
                         is_force ? kSmallestForce : kSmallest * scale});
    }
  }
  for (const JointIndex index : arm.joints) {
    const JointConfig& joint = config.joints[index];
    const std::string unit(unit_of(JointTrace::kTorque, joint.slide));
    others_.push_back({joint.name + ".tau_external", "/j/" + joint.name, "tau_external", unit, unit,
                       1.0, kSmallestForce});
  }
}

void TraceTable::add_law(const LawConfig& law) {
  for (const LawSignal& signal : law.signals) {
    others_.push_back({fmt::format("law.{}.{}", law.name, signal.name), "/law/" + law.name,
                       signal.name, signal.unit, signal.unit, 1.0, kSmallestForce});
  }
}

void TraceTable::read(const Snapshot& snapshot, std::span<float> values,
                      std::span<JointMode> modes) const noexcept {
  std::fill(values.begin(), values.end(), kNoSample);
  const std::size_t count = std::min(slides_.size(), snapshot.joints.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto joint = static_cast<JointIndex>(i);
    for (const JointTrace trace : kAllJointTrace) {
      const double scale = per_si(unit_of(trace, is_slide(joint)));
      values[index(joint, trace)] = static_cast<float>(si_of(trace, snapshot.joints[i]) * scale);
    }
    modes[i] = snapshot.joints[i].mode;
  }
  const LoopTimes& times = snapshot.times;
  values[index(LoopTrace::kRead)] = times.read_us;
  values[index(LoopTrace::kDecide)] = times.decide_us;
  values[index(LoopTrace::kWrite)] = times.write_us;
  values[index(LoopTrace::kJitter)] = times.jitter_us;
  read_others(snapshot, values.subspan(first_other()));
}

void TraceTable::read_others(const Snapshot& snapshot, std::span<float> values) const noexcept {
  std::size_t next = 0;
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
    const bool is_told = arm < snapshot.arms.size();
    for (const ArmVector& vector : kArmVectors) {
      for (std::size_t i = 0; i < vector.axes.size(); ++i, ++next) {
        if (!is_told) continue;
        values[next] = static_cast<float>(vector.of(snapshot.arms[arm])[i] * others_[next].per_si);
      }
    }
    for (const JointIndex joint : arms_[arm]) {
      const bool is_known = joint < snapshot.joints.size() && snapshot.joints[joint].has_external;
      if (is_known) values[next] = static_cast<float>(snapshot.joints[joint].effort.external);
      ++next;
    }
  }
  for (std::size_t i = 0; next < values.size() && i < snapshot.law_signals.size(); ++i, ++next) {
    values[next] = static_cast<float>(snapshot.law_signals[i]);
  }
}

}  // namespace jointrig::gui
