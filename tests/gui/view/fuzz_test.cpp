/// Random hands on the whole view, in every state of a joint: no crash, and no command without an
/// action.

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "app/rig/rig.h"
#include "tests/gui/scene3d/two_links.h"
#include "tests/gui/view/headless_view.h"

namespace jointrig::gui {
namespace {

constexpr int kFrames = 500;

/// Clicks, drags, wheel turns, keys and text, mostly on existing items.
class RandomHands {
 public:
  RandomHands(testing::HeadlessView& view, unsigned seed) : view_(&view), random_(seed) {}

  /// Goes on by a frame. Returns false without an input or a held button.
  bool act() {
    ImGuiIO& io = ImGui::GetIO();
    bool touched = false;
    if (held_for_ > 0) {
      if (--held_for_ == 0) io.MouseDown[button_] = false;
      if (below(15) == 0) point_somewhere();  // a drag
      touched = true;
    } else if (rest_for_ > 0) {
      --rest_for_;
    } else {
      touched = true;
      begin_something();
    }
    return touched || io.KeysDown[300 + ImGuiKey_Enter];  // a key that is held repeats
  }

 private:
  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  void point_somewhere() {
    ImGuiIO& io = ImGui::GetIO();
    if (view_->items.empty() || below(4) == 0) {
      io.MousePos = {static_cast<float>(below(1920)), static_cast<float>(below(1080))};
      return;
    }
    auto item = view_->items.begin();
    std::advance(item, below(static_cast<int>(view_->items.size())));
    // A few buttons among many items, to be held: by chance they are hardly ever hit.
    const auto suppress = view_->items.lower_bound("suppress/");
    if (below(12) == 0 && suppress != view_->items.end()) {
      item = std::next(suppress, below(kAllSuppressible.size()));
    }
    const ImVec4 at = item->second;
    io.MousePos = {at.x + (at.z - at.x) * static_cast<float>(below(100)) / 100.0F,
                   at.y + (at.w - at.y) * static_cast<float>(below(100)) / 100.0F};
  }
  void begin_something() {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyShift = below(6) == 0;
    io.KeyCtrl = below(6) == 0;
    switch (below(14)) {
      case 0:
        view_->keys.pressed.push_back(
            {kAllKey[static_cast<std::size_t>(below(kAllKey.size()))], io.KeyCtrl, io.KeyShift});
        break;
      case 1:
        for (const char c : std::string("12.5 deg")) io.AddInputCharacter(static_cast<unsigned>(c));
        break;
      case 5:
        view_->keys.jog = below(3) - 1;
        break;
      case 2:
        io.KeysDown[300 + ImGuiKey_Enter] = !io.KeysDown[300 + ImGuiKey_Enter];
        break;
      case 3:
        io.MouseWheel = static_cast<float>(below(7) - 3);
        point_somewhere();
        break;
      case 4:
        rest_for_ = below(15);
        view_->keys.a_is_down = below(2) == 0;
        view_->keys.jog = 0;
        break;
      default:
        point_somewhere();
        button_ = below(5) == 0 ? 1 : 0;
        io.MouseDown[button_] = true;
        held_for_ = below(12) == 0 ? 60 : 1 + below(3);  // sometimes long enough for a hold button
        break;
    }
  }

  testing::HeadlessView* view_;
  std::mt19937 random_;
  int button_ = 0;
  int held_for_ = 0;
  int rest_for_ = 0;
};

bool anything_is_live(const testing::RigWithPanel& t) {
  const bool is_piloted =
      t.desks.sequence.playing() || t.desks.motion.running() || t.desks.scenario.running();
  if (is_piloted) return true;
  for (std::size_t i = 0; i < t.panel.config().joints.size(); ++i) {
    if (t.panel.sliders.is_live(static_cast<JointIndex>(i))) return true;
  }
  return false;
}

bool moves_something(const Command& command) {
  switch (kind_of(command)) {
    case CommandKind::kMove:
    case CommandKind::kTimedMove:
    case CommandKind::kStreamPosition:
    case CommandKind::kStreamVelocity:
    case CommandKind::kStreamTorque:
    case CommandKind::kStreamDuty:
    case CommandKind::kCalibrate:
    case CommandKind::kSetPosture:
    case CommandKind::kSetToolTarget:
    case CommandKind::kStreamToolTarget:
    case CommandKind::kDriveTool:
    case CommandKind::kSetArmTerm:
    case CommandKind::kSetPayload:
    case CommandKind::kSetInteractionControl:
    case CommandKind::kSetFreeAxes:
    case CommandKind::kSuppress:
      return true;
    case CommandKind::kSetCuff:
      return testing::as<SetCuff>(command).duration > 0.0;  // to let go of it moves nothing
    default:
      return message_of(command.request) != 0 && starts_motion(kind_of(command));
  }
}

RobotConfig a_robot_with_parts() {
  RobotConfig config = testing::ideal_config(6);
  config.joints[4].slide = true;
  config.joints[5].limits.q_min = -std::numeric_limits<double>::infinity();
  config.joints[5].limits.q_max = std::numeric_limits<double>::infinity();
  config.parts = {{"arm", {0, 1, 2}}, {"hand", {3, 4}}};
  config.poses = {{"home", {0.1, 0.1, 0.1, 0.1, 0.1, std::nullopt}}};
  return config;
}

/// Brings every joint into a state; board statuses by the board's report.
void bring_into(testing::RigWithPanel& t, JointMode mode) {
  if (mode == JointMode::kCartesian && !t.panel.config().arms.empty()) {
    t.rig.enter(ModeRequest::kPosition);
    t.rig.client.set_mode(t.rig.client.select("arm"), ModeRequest::kCartesian);
    t.rig.run(5);
    return;
  }
  const auto index = static_cast<std::size_t>(mode);
  if (index < kAllModeRequest.size() && index < kAllControlMode.size() &&
      mode != JointMode::kCartesian) {
    t.rig.enter(kAllModeRequest[index]);
    return;
  }
  for (auto& joint : t.rig.robot.joint) {
    joint.silent = mode == JointMode::kNotConfigured;
    if (mode == JointMode::kHwFault) joint.fault = FaultCode::kOverTemperature;
    if (mode == JointMode::kConfigured) joint.status = BoardStatus::kConfigured;
    if (mode == JointMode::kCalibrating) joint.status = BoardStatus::kCalibrating;
    if (mode == JointMode::kCalibDone) joint.status = BoardStatus::kCalibDone;
  }
  t.rig.run(30);
}

/// A panel in random hands, with checks of its commands.
class PanelInRandomHands {
 public:
  PanelInRandomHands(const RobotConfig& config, JointMode mode, Access access, bool real,
                     unsigned seed)
      : t_(config, real), view_((bring_into(t_, mode), t_)), hands_(view_, seed) {
    if (config.whole_body) {
      view_.state.side = SideTab::kBody;
    } else if (config.arms.empty()) {
      scene_.emplace(testing::tower(config.joints.size()), t_.panel.config(), &pushes_);
      view_.scene = &*scene_;
    } else {
      view_.state.side = SideTab::kCartesian;
    }
    t_.panel.set_access(access);
    view_.look(2);
    t_.commands();
  }

  void frame() {
    const bool was_armed = t_.panel.access() == Access::kArmed;
    const bool touched = hands_.act();
    view_.draw(touched);
    ImGui::GetIO().MouseWheel = 0.0F;
    t_.now += 0.016;
    const bool live = anything_is_live(t_);
    check_pushes(touched, was_armed && t_.panel.access() == Access::kArmed);
    check(touched || touched_before_ || live_before_ || live,
          was_armed || t_.panel.access() == Access::kArmed);
    touched_before_ = touched;
    live_before_ = live;
    // Between two frames the loop runs, and the panel sends nothing.
    for (int i = 0; i < 15; ++i) t_.cycle();
    view_.history.push(t_.rig.stack.snapshot());
    EXPECT_EQ(t_.commands().size(), 0U);
  }
  [[nodiscard]] std::size_t sent() const { return sent_; }
  [[nodiscard]] std::size_t suppressions() const { return suppressions_; }
  [[nodiscard]] std::size_t messages() const { return messages_; }

 private:
  void check_pushes(bool asked, bool armed) {
    if (pushes_.pushes.empty()) return;
    EXPECT_TRUE(asked && armed && !t_.panel.robot().real);
    pushes_.pushes.clear();
  }
  void check(bool asked, bool armed) {
    for (const Command& command : t_.commands()) {
      ++sent_;
      if (testing::is<Suppress>(command)) ++suppressions_;
      if (message_of(command.request) != 0) ++messages_;
      EXPECT_TRUE(asked) << to_string(kind_of(command));
      if (moves_something(command)) {
        EXPECT_TRUE(armed) << to_string(kind_of(command));
      }
    }
  }

  testing::RigWithPanel t_;
  testing::HeadlessView view_;
  testing::ToldPushes pushes_;
  std::optional<Scene3d> scene_;
  RandomHands hands_;
  bool touched_before_ = false;
  bool live_before_ = false;
  std::size_t sent_ = 0;
  std::size_t suppressions_ = 0;
  std::size_t messages_ = 0;
};

class Fuzz : public ::testing::TestWithParam<JointMode> {};

TEST_P(Fuzz, SendsNothingThatNobodyAskedFor) {
  std::size_t sent = 0;
  auto seed = static_cast<unsigned>(GetParam()) * 100U;
  for (const Access access : kAllAccess) {
    for (const bool real : {false, true}) {
      SCOPED_TRACE(std::string(to_string(access)) + (real ? ", real" : ", simulated"));
      PanelInRandomHands panel(a_robot_with_parts(), GetParam(), access, real, ++seed);
      for (int frame = 0; frame < kFrames && !HasFailure(); ++frame) panel.frame();
      sent += panel.sent();
    }
  }
  // A hand that never reaches a button would prove nothing.
  EXPECT_GT(sent, 0U);
}

INSTANTIATE_TEST_SUITE_P(EveryState, Fuzz, ::testing::ValuesIn(kAllJointMode),
                         [](const auto& state) { return std::string(to_string(state.param)); });

TEST(Fuzz, OnTheCartesianPageNothingIsSentThatNobodyAskedFor) {
  const RobotConfig franka = app::load_robot(harness::find_robot("franka")).config;
  std::size_t sent = 0;
  std::size_t suppressions = 0;
  unsigned seed = 5000;
  for (const JointMode mode : {JointMode::kPosition, JointMode::kCartesian}) {
    for (const Access access : kAllAccess) {
      for (const bool real : {false, true}) {
        SCOPED_TRACE(std::string(to_string(mode)) + ", " + std::string(to_string(access)));
        PanelInRandomHands panel(franka, mode, access, real, ++seed);
        for (int frame = 0; frame < kFrames && !::testing::Test::HasFailure(); ++frame) {
          panel.frame();
        }
        sent += panel.sent();
        suppressions += panel.suppressions();
      }
    }
  }
  EXPECT_GT(sent, 0U);
  EXPECT_GT(suppressions, 0U) << "its buttons were hit";
}

TEST(Fuzz, OnThePageOfTheBodyNothingIsSentThatNobodyAskedFor) {
  RobotConfig icub = app::load_robot(harness::find_robot("icub")).config;
  icub.pin_base = false;
  icub.avoidance.reset();  // it needs a model
  icub.detection.reset();
  std::size_t messages = 0;
  unsigned seed = 7000;
  for (const Access access : kAllAccess) {
    for (const bool real : {false, true}) {
      SCOPED_TRACE(std::string(to_string(access)) + (real ? ", real" : ", simulated"));
      PanelInRandomHands panel(icub, JointMode::kPosition, access, real, ++seed);
      for (int frame = 0; frame < kFrames && !::testing::Test::HasFailure(); ++frame) panel.frame();
      messages += panel.messages();
    }
  }
  EXPECT_GT(messages, 0U) << "its buttons were hit";
}

TEST(HeadlessView, ShowsNothingMovingWithoutHands) {
  testing::RigWithPanel t(a_robot_with_parts());
  t.panel.set_access(Access::kArmed);
  bring_into(t, JointMode::kPosition);
  testing::HeadlessView view(t);
  t.commands();
  view.look(300);
  EXPECT_EQ(t.commands().size(), 0U);
}

}  // namespace
}  // namespace jointrig::gui
