#include "gui/scene3d/ghost.h"

#include <cmath>

#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

constexpr SliderKind kGoal{JointQuantity::kPosition, CommandKind::kMove};

TEST(Ghost, StandsAtTheReferenceOfAModeThatFollowsAPosition) {
  testing::RigWithPanel t(3);
  t.panel.set_access(Access::kArmed);
  t.panel.acts.set_mode(0, ModeRequest::kPosition);
  t.frames(3);
  std::vector<double> q;
  ghost_of(t.panel, q);
  ASSERT_EQ(q.size(), 3U);
  EXPECT_EQ(q[0], t.panel.snapshot().joints[0].reference.q);
  EXPECT_TRUE(std::isnan(q[1])) << "idle: asked for nothing";
}

TEST(Ghost, FollowsTheHandBeforeAnythingIsSent) {
  testing::RigWithPanel t(3);
  t.arm_and_run();
  t.panel.sliders.drag(1, kGoal, 0.25);
  std::vector<double> q;
  ghost_of(t.panel, q);
  EXPECT_EQ(q[1], 0.25);
  EXPECT_EQ(t.commands().size(), 0U);
}

}  // namespace
}  // namespace jointrig::gui
