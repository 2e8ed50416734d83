/// Prints docs/mode-switches.md: `mode_switch_table > docs/mode-switches.md`, from the top of the
/// tree.

#include <cstdio>

#include "tests/loop/mode_switches.h"

using namespace jointrig;
using namespace jointrig::testing;

int main() {
  std::printf(
      "# Mode switches, measured\n\n"
      "Every switch from mode to mode of one joint of the Franka arm in MuJoCo, in five "
      "situations.\n"
      "Each cell: largest step of the motor's torque from one cycle to the next in the half "
      "second\n"
      "after the switch [N·m], and the furthest that the joint went from where it was [mrad]. The\n"
      "torque step is bounded by the joint's torque rate, 1 N·m in 1 ms. A switch to idle takes "
      "the\n"
      "torque away at once by definition; idle and openloop hold nothing, so the joint may fall "
      "or\n"
      "coast. A dash: the situation can't be had in that mode. "
      "`tests/loop/mode_switches_test.cpp`\n"
      "holds every cell to its bound; this page is written by `scripts/docs.sh`.\n");
  for (const Situation situation : kAllSituation) {
    std::printf("\n## %s\n\n| from \\ to |", std::string(to_string(situation)).c_str());
    for (const Stand& to : all_stands()) std::printf(" %s |", to.name().c_str());
    std::printf("\n|---|");
    for (std::size_t i = 0; i < all_stands().size(); ++i) std::printf("---|");
    std::printf("\n");
    for (const Stand& from : all_stands()) {
      std::printf("| **%s** |", from.name().c_str());
      for (const Stand& to : all_stands()) {
        const Switch s = run_switch(situation, from, to);
        if (!s.was_reached)
          std::printf(" – |");
        else
          std::printf(" %.2f / %.0f |", s.torque_step, s.travel * 1e3);
      }
      std::printf("\n");
    }
  }
  return 0;
}
