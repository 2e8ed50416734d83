#include "gui/panel/fault_text.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "control/core/twin_evidence.h"
#include "gui/panel/quantity.h"

namespace jointrig::gui {
namespace {

// In the order of FaultCode.
constexpr std::array<std::string_view, kAllFaultCode.size()> kCauses{{
    "",
    "encoder cable or magnet loose; the joint is blocked while the encoder is fine",
    "encoder connector shakes; a magnet slips; interference from the motor cable",
    "shield of the encoder cable not earthed; encoder at its resolution's end",
    "encoder cable broken; the bus between encoder and drive is disturbed",
    "sensor without power; its cable broken; a wrong address",
    "a slipping coupling; sensor drift, or an offset that was never taken; a wrong torque constant",
    "emergency stop pressed; fuse blown; motor phase or connector open",
    "a load held for long; friction up; ventilation blocked; ambient too warm",
    "a shorted winding; current gains too high; a hard stop hit at speed",
    "power supply switched off or at its current limit; braking energy with nowhere to go",
    "the joint was led, or commanded, to its end; the switch is misplaced",
    "the joint is blocked; gains too low for the load; velocity limit above what the drive can do",
    "an obstacle, or the end stop; friction up; a brake that is still on",
    "the joint was moved while off; a wrong offset in robot.yaml; the index mark was missed",
    "the loop was late or stopped; the bus lost frames",
    "the board has no power, or reset; its bus connector is off; a wrong address",
    "an interlock is open; the supply is too low to enable; the drive is busy with its own check",
    "a sensor or its conversion is broken; look at the last samples in the log",
    "somebody pushes the joint; gains too high; a wrong sign of motor or encoder",
    "a wrong zero (calibrate); limits in robot.yaml that don't fit the robot; the joint was forced",
    "invalid gains or an invalid model; report it with the log",
    "the adapter is unplugged; a short or a missing terminator on the wire; another bit rate on it",
    "two drives have the same number: unplug one, or give it another; one restarts repeatedly",
    "look up the value, its code, in the manual of the drive",
}};
static_assert(!kCauses.back().empty(), "every fault has a line here");

struct Scale {
  std::string_view unit;
  double factor;
};

/// Limits of hinges in degrees, of slides in the linear units.
Scale scale_of(std::string_view unit, bool slide) {
  const auto shown = [slide](JointQuantity quantity) {
    const QuantityUnit u = shown_unit(quantity, slide);
    return Scale{u.text, u.per_si};
  };
  if (unit == "rad") return shown(JointQuantity::kPosition);
  if (unit == "rad/s") return shown(JointQuantity::kVelocity);
  if (unit == "N·m") return shown(JointQuantity::kTorque);
  return {unit, 1.0};
}

std::string number(double value, const Scale& scale) {
  if (!std::isfinite(value)) return "not a number";
  return fmt::format("{:.4g}{}{}", value * scale.factor, scale.unit.empty() ? "" : " ", scale.unit);
}

}  // namespace

std::string_view likely_causes(FaultCode code) noexcept {
  return kCauses[static_cast<std::size_t>(code)];
}

std::string fault_text(const Fault& fault, bool slide) {
  std::string text(describe(fault.code));
  const std::string_view unit = unit_of(fault.code);
  if (unit.empty()) return text;
  if (fault.code == FaultCode::kDuplicateNode) {
    const std::string_view how = describe(twin_evidence_of(fault.limit));
    return fmt::format("{}: node {:.0f}{}{}", text, fault.value, how.empty() ? "" : ", since ",
                       how);
  }
  const Scale scale = scale_of(unit, slide);
  return text + ": " + number(fault.value, scale) + ", limit " + number(fault.limit, scale);
}

std::string ago_text(double seconds) {
  const auto whole = static_cast<long>(seconds < 0.0 ? 0.0 : seconds);
  if (whole < 1) return "just now";
  if (whole < 60) return fmt::format("{} s ago", whole);
  if (whole < 3600) return fmt::format("{} min ago", whole / 60);
  return fmt::format("{} h ago", whole / 3600);
}

}  // namespace jointrig::gui
