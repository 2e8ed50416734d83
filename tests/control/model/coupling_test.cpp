#include "control/model/coupling.h"

#include <gtest/gtest.h>

#include "control/model/mjcf.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

// b = 2 a + 3 a², c = -0.5 b, d is on its own. The follower c stands before its leader.
constexpr const char* kTrain = R"(
  <mujoco><worldbody>
    <body><joint name="c"/><geom size="0.1"/></body>
    <body><joint name="a"/><geom size="0.1"/></body>
    <body><joint name="b"/><geom size="0.1"/></body>
    <body><joint name="d"/><geom size="0.1"/></body>
  </worldbody><equality>
    <joint joint1="c" joint2="b" polycoef="0 -0.5 0 0 0"/>
    <joint joint1="b" joint2="a" polycoef="0 2 3 0 0"/>
  </equality></mujoco>)";

TEST(Coupling, AFollowersSpeedIsTheProductOfTheSlopesOnItsWayToTheLeader) {
  const odd::TempModel file(kTrain);
  Mjcf mjcf = load_mjcf(file.path());
  const ModelPtr model = compile(mjcf);
  const int a = mj_name2id(model.get(), mjOBJ_JOINT, "a");
  std::vector<bool> known(4, false);
  known[static_cast<std::size_t>(a)] = true;
  const std::vector<Coupling> couplings = couplings_of(*model, known);
  const auto speed = [&](const std::vector<double>& speeds, const char* name) {
    return speeds[static_cast<std::size_t>(mj_name2id(model.get(), mjOBJ_JOINT, name))];
  };
  const auto qpos_of = [&](double q) {
    std::vector<mjtNum> qpos(static_cast<std::size_t>(model->nq), 0.0);
    qpos[static_cast<std::size_t>(model->jnt_qposadr[a])] = q;
    place_followers(*model, couplings, qpos.data());
    return qpos;
  };
  constexpr double kAt = 0.4;
  const std::vector<double> speeds = speeds_with(a, *model, couplings, qpos_of(kAt).data());
  EXPECT_DOUBLE_EQ(speed(speeds, "a"), 1.0);
  EXPECT_DOUBLE_EQ(speed(speeds, "d"), 0.0);
  // By finite differences of the positions.
  constexpr double kStep = 1e-6;
  const std::vector<mjtNum> before = qpos_of(kAt - kStep);
  const std::vector<mjtNum> after = qpos_of(kAt + kStep);
  for (const char* name : {"b", "c"}) {
    const int at = model->jnt_qposadr[mj_name2id(model.get(), mjOBJ_JOINT, name)];
    const auto i = static_cast<std::size_t>(at);
    EXPECT_NEAR(speed(speeds, name), (after[i] - before[i]) / (2.0 * kStep), 1e-6) << name;
  }
}

}  // namespace
}  // namespace jointrig
