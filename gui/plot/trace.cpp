#include "gui/plot/trace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

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
}

}  // namespace jointrig::gui
