#include "tests/control/stack/mode_switches.h"

#include <gtest/gtest.h>

namespace jointrig::testing {
namespace {

class ModeSwitch : public ::testing::TestWithParam<Situation> {};

TEST_P(ModeSwitch, NeverJumpsInTorqueNorPosition) {
  int reached = 0;
  for (const Stand& from : all_stands()) {
    for (const Stand& to : all_stands()) {
      SCOPED_TRACE(from.name() + " to " + to.name() + ", " + std::string(to_string(GetParam())));
      const Switch s = run_switch(GetParam(), from, to);
      if (!s.was_reached) continue;
      ++reached;
      // Back-EMF (150 N·m·s/rad here) changes between a sample and the duty computed from it: at
      // 1 N·m on 0.8 kg·m² by a good 0.2 N·m in a cycle.
      const double emf_slack = to.mode == ControlMode::kOpenloop ? 0.35 : 1e-6;
      EXPECT_LE(s.torque_step, s.torque_step_max + emf_slack);
      EXPECT_LE(s.reference_step, 1e-6) << "the reference moves by its own velocity and no more";
      EXPECT_LE(s.travel, s.travel_max);
      EXPECT_EQ(s.faults, 0);
    }
  }
  const int stands = static_cast<int>(all_stands().size());
  const bool pressing = GetParam() == Situation::kSaturated;  // idle and openloop can't press
  EXPECT_GE(reached, (pressing ? stands - 2 : stands) * stands) << "the situation was reached";
}

INSTANTIATE_TEST_SUITE_P(Situations, ModeSwitch, ::testing::ValuesIn(kAllSituation),
                         [](const auto& param) {
                           std::string name(to_string(param.param));
                           for (char& c : name) {
                             if (c == ' ' || c == '-') c = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace jointrig::testing
