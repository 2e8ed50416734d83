/// Prints docs/mode-switches.md: `mode_switch_table > docs/mode-switches.md`, from the top of the
/// tree.

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/control/stack/mode_switches.h"

namespace jointrig::testing {
namespace {

constexpr const char* kHead =
    R"(# Mode switches, measured

Every switch from mode to mode of one joint of the Franka arm in MuJoCo, in five situations.
`tests/control/stack/mode_switches_test.cpp` holds every cell to its bound; `scripts/docs.sh` writes this page.

- **at rest**: joint 1, which carries nothing.
- **moving**: joint 1, driven at up to 0.5 rad/s by the mode's own command. Idle coasts.
- **gravity-loaded**: joint 4, which holds the forearm of the stretched arm, 23 N·m. Idle and openloop
  are left 40 ms after they let go.
- **saturated**: joint 4, pressed against a wall at its torque limit (40 N·m here).
- **just recovered**: joint 4, faulted in the mode of the row, falling, and in idle by force_idle since.

A cell has the largest step of the motor's torque from one cycle to the next in the half second after the
switch [N·m], and the furthest that the joint went from where it was [mrad]; a dot stands for nothing
(under 0.005 N·m and half a mrad), a dash for a situation that the mode can't have.

The table says:

- The torque may change by the joint's torque rate, 1 N·m in a cycle. Openloop may be 0.3 above: its
  back-EMF changes between a sample and the duty cycle computed from it.
- Out of a motor that was off (idle, just recovered) the joint's weight may come on at once, 23 N·m: that is
  no jump but what was missing. Without it the joint would fall on.
- A switch to idle takes the torque away by definition (not counted); idle and openloop hold nothing, so
  the joint falls or coasts.
- A moving joint brakes within its acceleration, or coasts in torque and openloop. On the diagonal nothing
  is switched: the move, or the last velocity until its time-out, goes on.
)";

std::string two_lines(const Stand& stand) {
  std::string name = stand.name();
  std::replace(name.begin(), name.end(), ' ', '\n');
  const std::size_t at = name.find('\n');
  if (at != std::string::npos) name.replace(at, 1, "<br>");
  return name;
}

std::string cell(const Switch& s) {
  if (!s.was_reached) return "–";
  if (s.torque_step < 0.005 && s.travel < 0.5e-3) return "·";
  return fmt::format("{:.2f} / {:.0f}", s.torque_step, s.travel * 1e3);
}

void print_summary(const std::vector<Switch>& all) {
  std::printf(
      "\n| situation | switches | largest torque step, of what is allowed | largest step of the "
      "position reference beyond its velocity | faults |\n| --- | --- | --- | --- | --- |\n");
  for (const Situation situation : kAllSituation) {
    int switches = 0;
    int faults = 0;
    double part = 0.0;
    double reference = 0.0;
    for (const Switch& s : all) {
      if (s.situation != situation || !s.was_reached) continue;
      ++switches;
      faults += s.faults;
      part = std::max(part, s.torque_step / s.torque_step_max);
      reference = std::max(reference, s.reference_step);
    }
    std::printf("| %s | %d | %.0f %% | %.0e rad | %d |\n",
                std::string(to_string(situation)).c_str(), switches, 100.0 * part, reference,
                faults);
  }
}

void print_table(Situation situation, const std::vector<Switch>& all) {
  const std::vector<Stand> stands = all_stands();
  std::printf("\n## %s\n\n| from \\ to |", std::string(to_string(situation)).c_str());
  for (const Stand& to : stands) std::printf(" %s |", two_lines(to).c_str());
  std::printf("\n| --- |");
  for (std::size_t i = 0; i < stands.size(); ++i) std::printf(" --- |");
  std::printf("\n");
  auto next = std::find_if(all.begin(), all.end(),
                           [&](const Switch& s) { return s.situation == situation; });
  for (const Stand& from : stands) {
    std::printf("| **%s** |", two_lines(from).c_str());
    for (std::size_t i = 0; i < stands.size(); ++i) std::printf(" %s |", cell(*next++).c_str());
    std::printf("\n");
  }
}

}  // namespace
}  // namespace jointrig::testing

int main() {
  using namespace jointrig::testing;
  const std::vector<Switch> all = run_all_switches();
  std::fputs(kHead, stdout);
  print_summary(all);
  for (const Situation situation : kAllSituation) print_table(situation, all);
  return 0;
}
