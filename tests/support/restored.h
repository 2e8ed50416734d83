#pragma once
/// A stack that is restored goes on as the one whose state was saved, to the bit.

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/ideal_rig.h"

namespace jointrig::testing {

/// Runs the rig on, and gives another stack, restored to its present state, the same inputs: it has
/// the same references and gives the same commands.
inline void expect_a_restored_stack_goes_on(IdealRig& rig, int cycles) {
  struct Cycle {
    RobotState input;
    RobotCommand output;
    std::vector<JointReference> references;
  };
  const auto references_of = [](const Stack& stack) {
    std::vector<JointReference> references;
    for (const JointSnapshot& joint : stack.snapshot().joints) {
      references.push_back(joint.reference);
    }
    return references;
  };
  const Stack::State saved = rig.stack.state();
  std::vector<Cycle> expected;
  for (int i = 0; i < cycles; ++i) {
    rig.run(1);
    expected.push_back({rig.loop.state(), rig.loop.command(), references_of(rig.stack)});
  }
  Stack other(rig.stack.config(), rig.robot.capabilities, nullptr);
  other.restore(saved);
  RobotCommand command;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    other.cycle(expected[i].input, command);
    ASSERT_EQ(command, expected[i].output) << "cycle " << i;
    ASSERT_EQ(references_of(other), expected[i].references) << "cycle " << i;
  }
}

}  // namespace jointrig::testing
