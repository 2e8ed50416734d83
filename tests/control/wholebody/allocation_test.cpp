#include <gtest/gtest.h>

#include <array>

#include "control/wholebody/feedback.h"
#include "tests/control/wholebody/icub_on_soles.h"
#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

constexpr std::array kModes{CoreMode::kInverseDynamics, CoreMode::kInverseDynamics,
                            CoreMode::kInverseKinematics, CoreMode::kVirtualModel};

TEST(WholeBodyCycle, NeitherAllocatesNorLocksNorThrowsAlsoWhereConstraintsGiveWay) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  soles::Icub icub;
  WholeBodyCore core(icub.model, soles::both_soles(icub.model), icub.bounds);
  std::mt19937 random(3);
  std::vector<soles::BodyState> states;
  std::vector<WholeBodyCommand> commands;
  for (int i = 0; i < 60; ++i) {
    icub.shake(random);
    states.push_back(soles::state_of(icub.plant, *icub.data));
    commands.push_back(soles::stand(icub, random, i % 3 == 0 ? 100.0 : 1.0));
    WholeBodyCommand& command = commands.back();
    command.contacts[0].on = i % 5 != 1;
    command.contacts[1].on = i % 7 != 1;
    command.contacts[0].pressure_weight = i % 2;
    command.contacts[1].wrench_weights.setConstant(1e-3);
    command.spatial[1] = command.spatial[0];
    command.spatial[1].firmness = Firmness::kHard;
    command.spatial[1].acceleration *= i % 4 == 0 ? 1e4 : 1.0;
    command.wrenches[0].on = true;
    command.wrenches[0].frame = icub.model.find_frame("r_palm");
    command.mode = kModes[static_cast<std::size_t>(i / 4) % kModes.size()];
  }
  const BodyFrame palm = icub.model.find_frame("r_palm");
  const ByJoint posture = ByJoint::Zero(icub.model.joint_count());
  int gave_way = 0;
  int solved = 0;

  RealtimeGuard guard;
  for (std::size_t i = 0; i < states.size(); ++i) {
    icub.model.update(states[i].base, states[i].q, states[i].v);
    WholeBodyCommand& command = commands[i];
    command.momentum.rate += momentum_towards(icub.model, icub.model.com(), {1.0, 1.0}, 1.0);
    command.spatial[0].acceleration += towards(icub.model, palm, {}, {1.0, 1.0}, {1.0, 1.0});
    joints_towards(icub.model, posture, {1.0, 1.0}, command.privileged.acceleration);
    const CoreOutcome outcome = core.solve(icub.model, command).outcome;
    gave_way += outcome == CoreOutcome::kGaveWay ? 1 : 0;
    solved += outcome == CoreOutcome::kSolved ? 1 : 0;
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();

  EXPECT_GT(gave_way, 5);
  EXPECT_GT(solved, 5);
}

}  // namespace
}  // namespace jointrig
