/// Links that touch at the start, and which of their contacts are left out.

#include "control/model/overlap.h"

#include <gtest/gtest.h>

#include <string>

#include "control/model/mjcf.h"

namespace jointrig {
namespace {

/// Two fingers of one hand whose faces touch at x = 0, 20 µm deep; the left one moves.
std::vector<Overlap> of_fingers(const std::string& joint) {
  const std::string xml =
      "<mujoco><option gravity='0 0 0'/><default><geom type='box' size='0.01 0.01 0.01'/></default>"
      "<worldbody><body name='palm' pos='0 0 1'><joint name='wrist' axis='0 0 1'/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/>"
      "<body name='left'><joint name='l' " +
      joint +
      "/><geom pos='-0.00999 0 0'/></body>"
      "<body name='right'><joint axis='0 1 0' type='slide'/><geom pos='0.00999 0 "
      "0'/></body></body></worldbody></mujoco>";
  Mjcf mjcf = parse_mjcf(xml, "hand.xml");
  const ModelPtr model = compile(mjcf);
  const DataPtr data = make_data(*model, "hand.xml");
  mj_fwdPosition(model.get(), data.get());
  const std::vector<mjtNum> before(data->qpos, data->qpos + model->nq);
  const int contacts = data->ncon;
  std::vector<Overlap> found = overlaps(*model, *data);
  EXPECT_EQ(std::vector<mjtNum>(data->qpos, data->qpos + model->nq), before);
  EXPECT_EQ(data->ncon, contacts);
  EXPECT_GT(contacts, 0) << "they touch";
  return found;
}

TEST(Overlap, LinksThatShutAJointInAtItsStartAreLeftOut) {
  for (const char* joint :
       {"type='slide' axis='1 0 0' range='0 0.04'", "type='slide' axis='-1 0 0' range='-0.04 0'",
        "type='hinge' axis='0 0 1' pos='-0.02 -0.3 0' range='-30 0'"}) {
    SCOPED_TRACE(joint);
    const std::vector<Overlap> found = of_fingers(joint);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].a + found[0].b, "leftright");
    EXPECT_TRUE(found[0].one_robot);
    EXPECT_NEAR(found[0].depth, 2e-5, 1e-7);
  }
}

TEST(Overlap, LinksThatTouchWhereAWayLeadsOutKeepTheirContact) {
  for (const char* joint :
       {"type='slide' axis='1 0 0' range='-0.04 0'", "type='slide' axis='1 0 0' range='-0.04 0.04'",
        "type='slide' axis='1 0 0'", "type='slide' axis='0 1 0' range='0 0.04'",
        "type='hinge' axis='0 0 1' pos='-0.02 -0.3 0' range='0 30'",
        "type='slide' axis='1 0 0' range='0 0.0005'"}) {
    SCOPED_TRACE(joint);
    EXPECT_TRUE(of_fingers(joint).empty());
  }
}

}  // namespace
}  // namespace jointrig
