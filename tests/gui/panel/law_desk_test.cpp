#include "gui/panel/law_desk.h"

#include "control/core/user_law.h"
#include "control/stack/law_declaration.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

class Pull final : public UserLaw {
 public:
  void declare(LawDeclaration& d) override {
    pull_ = d.parameter("pull", 1.0, -5.0, 5.0, "N·m");
    place_ = d.target("place", 0.0, -1.0, 1.0, "m");
    twice_ = d.signal("twice", "N·m");
  }
  void torque(LawCycle& c) override {
    c.tau[0] = c.parameter[pull_];
    c.signal[twice_] = 2.0 * c.parameter[pull_];
  }

 private:
  std::size_t pull_ = 0, place_ = 0, twice_ = 0;
};

RobotConfig config_with_law() {
  RobotConfig config = testing::ideal_config(2);
  LawConfig law;
  law.name = "pull";
  law.joints = {0};
  law.maker = maker_of<Pull>();
  config.laws.push_back(law);
  return config;
}

struct LawDeskTest : ::testing::Test {
  testing::RigWithPanel t{config_with_law()};
  LawDesk& desk = t.desks.laws;
};

TEST_F(LawDeskTest, ShowsStateSignalsAndParametersAsTheLawDeclaresThem) {
  t.rig.client.set_mode(t.rig.client.select("all"), ModeRequest::kTorque);
  t.frames(10);
  EXPECT_EQ(desk.state(0), LawState::kRuns);
  EXPECT_EQ(desk.state_text(0).substr(0, 5), "runs,");
  EXPECT_EQ(desk.parameter_text(0, 0), "1 N·m");
  EXPECT_EQ(desk.signal_text(0, 0), "2 N·m");
}

TEST_F(LawDeskTest, SetsAParameterWithinItsRangeAndSwitchesTheLaw) {
  EXPECT_NE(desk.type(0, 0, "2"), "") << "OBSERVE";
  t.panel.set_access(Access::kControl);
  t.commands();
  EXPECT_EQ(desk.type(0, 0, "2.5 N·m"), "");
  EXPECT_EQ(t.only<SetLawParameter>(), (SetLawParameter{0, 0, 2.5}));
  t.frames(2);
  EXPECT_EQ(desk.parameter_text(0, 0), "2.5 N·m");
  EXPECT_NE(desk.type(0, 0, "5.5").find("-5 to 5 N·m"), std::string::npos);
  EXPECT_NE(desk.type(0, 0, "2 kg").find("a number in N·m"), std::string::npos);
  EXPECT_NE(desk.type(0, 0, "much"), "");
  EXPECT_EQ(t.commands().size(), 0U);
  desk.toggle(0);
  EXPECT_EQ(t.only<SwitchLaw>(), (SwitchLaw{0, false}));
  t.frames(2);
  EXPECT_EQ(desk.state(0), LawState::kOff);
  desk.toggle(0);
  EXPECT_EQ(t.only<SwitchLaw>(), (SwitchLaw{0, true}));
}

TEST_F(LawDeskTest, MovesATargetInArmedAlone) {
  constexpr std::size_t kPlace = 1;
  t.panel.set_access(Access::kControl);
  t.commands();
  EXPECT_EQ(desk.why_not(0, 0), "");
  EXPECT_NE(desk.type(0, kPlace, "0.5 m").find("ARMED"), std::string::npos);
  EXPECT_EQ(t.commands().size(), 0U);
  t.panel.set_access(Access::kArmed);
  t.commands();
  EXPECT_EQ(desk.type(0, kPlace, "0.5 m"), "");
  EXPECT_EQ(t.only<SetLawParameter>(), (SetLawParameter{0, kPlace, 0.5}));
}

}  // namespace
}  // namespace jointrig::gui
