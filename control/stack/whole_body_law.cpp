// The whole-body controller as one of the robot's laws: its name, parameters and signals.

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "control/core/user_law.h"
#include "control/stack/config_error.h"
#include "control/stack/whole_body.h"
#include "control/stack/whole_body_signals.h"

namespace jointrig {
namespace {

constexpr double kNoBudget = 0.01;  ///< [s]: the law's own work is a copy

/// Declares; the torques come from WholeBody, which UserLaws asks in its place.
class WholeBodyLaw final : public UserLaw {
 public:
  explicit WholeBodyLaw(WholeBodyConfig config) : config_(std::move(config)) {}

  void declare(LawDeclaration& d) override {
    for (const LawWord& shift : kBodyParameters) {
      d.target(shift.name, 0.0, -kLargestShift, kLargestShift, shift.unit);
    }
    for (const LawWord& signal : kBodySignals) d.signal(signal.name, signal.unit);
    for (const FootConfig& foot : config_.feet) d.signal((foot.name + "_force").c_str(), "N");
    for (const BodyManagers::Signal& signal : BodyManagers::signals_of(config_)) {
      d.signal(signal.name.c_str(), signal.unit);
    }
  }
  void torque(LawCycle& /*cycle*/) override {}

 private:
  WholeBodyConfig config_;
};

[[noreturn]] void refuse(const WholeBodyConfig& body, const std::string& what) {
  throw ConfigError(body.place + "whole_body: " + what);
}

void check(const WholeBodyConfig& body) {
  if (body.feet.empty()) refuse(body, "it has no feet; give the frame and size of each sole");
  if (body.feet.size() > kMaxFeet) {
    refuse(body, fmt::format("it has {} feet, more than {}", body.feet.size(), kMaxFeet));
  }
  if (body.hands.size() > kMaxHands) {
    refuse(body, fmt::format("it has {} hands, more than {}", body.hands.size(), kMaxHands));
  }
  const std::size_t frames = body.upright.size() + BodyManagers::tasks_of(body);
  if (frames > kMaxUpright) {
    refuse(body, fmt::format("upright, chest, head, pelvis and hands name {} frames, more than {}",
                             frames, kMaxUpright));
  }
  for (const std::string& frame : body.upright) {
    if (frame != body.chest && frame != body.head && frame != body.pelvis) continue;
    refuse(body, "\"" + frame +
                     "\" is in upright, and a part that messages turn: leave it out of upright");
  }
}

}  // namespace

void add_whole_body_law(RobotConfig& robot) {
  if (!robot.whole_body || robot.pin_base) return;
  check(*robot.whole_body);
  const auto is_it = [](const LawConfig& law) { return law.is_whole_body; };
  if (std::any_of(robot.laws.begin(), robot.laws.end(), is_it)) return;
  LawConfig law;
  law.name = kWholeBodyLaw;
  law.place = robot.whole_body->place;
  law.joints.resize(robot.joints.size());
  std::iota(law.joints.begin(), law.joints.end(), JointIndex{0});
  law.budget = kNoBudget;
  law.is_whole_body = true;
  law.maker = std::make_shared<const UserLawMaker>(
      [config = *robot.whole_body] { return std::make_shared<WholeBodyLaw>(config); });
  robot.laws.push_back(std::move(law));
}

}  // namespace jointrig
