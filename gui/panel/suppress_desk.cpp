#include "gui/panel/suppress_desk.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace jointrig::gui {
namespace {

/// The joint with the largest weight relative to its motor's torque.
JointIndex heaviest(const MotorPanel& panel, const std::vector<JointIndex>& joints) {
  const auto share = [&](JointIndex joint) {
    const double most = panel.config().joints[joint].limits.tau_max;
    const double weight = std::abs(panel.snapshot().joints[joint].effort.gravity);
    return most > 0.0 ? weight / most : 0.0;
  };
  return *std::max_element(joints.begin(), joints.end(),
                           [&](JointIndex a, JointIndex b) { return share(a) < share(b); });
}

}  // namespace

std::string words_of(Suppressible what) {
  std::string words(to_string(what));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

SuppressDesk::SuppressDesk(MotorPanel& panel, const ArmDesk& arms) : panel_(&panel), arms_(&arms) {
  panel.add(*this);
}

void SuppressDesk::begin_frame() { button_.begin_frame(); }

void SuppressDesk::end(const std::string& /*why*/) { button_.spend(); }

bool SuppressDesk::wants_patience(Suppressible what) const {
  return panel_->robot().real && what == Suppressible::kGravityCompensation;
}

std::string SuppressDesk::why_not(Suppressible what) const {
  if (!arms_->has_arms()) return "the robot's file has no `arms`";
  if (std::string why = panel_->client.why_not(Access::kArmed); !why.empty()) return why;
  const FewBits<Protection> on = panel_->snapshot().protection.on;
  if (what == Suppressible::kCollisionAvoidance && !on.has(Protection::kCollisionAvoidance)) {
    return "collision avoidance is off";
  }
  if (what == Suppressible::kContactSafety && !on.has(Protection::kCollisionDetection)) {
    return "collision detection is off";
  }
  if (what != Suppressible::kGravityCompensation) return {};
  const auto& joints = panel_->snapshot().joints;
  const std::vector<JointIndex>& mine = arms_->config().joints;
  const bool is_driven = std::any_of(mine.begin(), mine.end(), [&](JointIndex joint) {
    return joint < joints.size() && joints[joint].setpoint.drive != DriveMode::kOff;
  });
  return is_driven ? "" : "its motors are off: nothing carries it";
}

std::string SuppressDesk::forecast(Suppressible what) const {
  if (!arms_->has_arms()) return {};
  const std::string name = arms_->config().name;
  switch (what) {
    case Suppressible::kCollisionAvoidance:
      return "Nothing keeps arm " + name + " off itself and what stands fixed.";
    case Suppressible::kContactSafety:
      return "Arm " + name +
             " doesn't stop for an impact or a squish; a force on its hand that is "
             "too large stops it still.";
    case Suppressible::kCuff:
      return "The cuff of arm " + name + " guides nothing, and ends what it guides.";
    case Suppressible::kGravityCompensation:
      break;
  }
  const JointIndex joint = heaviest(*panel_, arms_->config().joints);
  if (joint >= panel_->snapshot().joints.size()) return {};
  const JointConfig& config = panel_->config().joints[joint];
  const double weight = std::abs(panel_->snapshot().joints[joint].effort.gravity);
  return "Nothing carries arm " + name + ": " + config.name + " bears " +
         show(weight, JointQuantity::kTorque, config.slide) +
         ". In torque, openloop and zero-G it falls; a loop of position or velocity sags until it "
         "has taken that over, a spring for good.";
}

void SuppressDesk::say(const Held& held) {
  panel_->client.ask(Suppress{joints_of(arms_->arms()[held.arm]), held.what});
}

void SuppressDesk::hold(Suppressible what) {
  if (!panel_->frame().focused) return;
  if (button_.spent()) return button_.stay_down();
  if (const std::string why = why_not(what); !why.empty()) return panel_->tell(why);
  const Held held{what, arms_->arm};
  if (button_.hold(held, panel_->frame().now, wants_patience(what))) say(held);
}

double SuppressDesk::progress(Suppressible what) const {
  return held() == what ? button_.progress(panel_->frame().now) : 0.0;
}

bool SuppressDesk::active(Suppressible what) const {
  return panel_->snapshot().protection.suppressed.has(what);
}

std::string SuppressDesk::state(Suppressible what) const {
  if (!active(what)) return {};
  const ProtectionSnapshot& now = panel_->snapshot().protection;
  const auto row = static_cast<std::size_t>(what);
  return fmt::format("{} by {}, {:.2f} s left", words_of(what),
                     panel_->client.name_of(now.suppressed_by[row]), now.suppressed_left[row]);
}

std::string SuppressDesk::alarm() const {
  std::string all;
  for (const Suppressible what : kAllSuppressible) {
    if (active(what)) all += (all.empty() ? "SUPPRESSED: " : " · ") + state(what);
  }
  return all;
}

}  // namespace jointrig::gui
