#include "tests/loop/mode_switches.h"

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
      // A fifth of a newton metre: back-EMF changes between the sample and the duty computed from it.
      EXPECT_LE(s.torque_step, s.torque_step_max + 0.2);
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
