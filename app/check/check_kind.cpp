#include "app/check/check_kind.h"

#include <algorithm>

namespace jointrig::app {

bool needs_pushes(CheckKind kind) noexcept {
  return kind == CheckKind::kPush || kind == CheckKind::kLoad || kind == CheckKind::kGuide ||
         kind == CheckKind::kCartesian;
}

bool asks_groups(CheckKind kind) noexcept {
  return kind != CheckKind::kHold && kind != CheckKind::kIdle && kind != CheckKind::kGuide &&
         kind != CheckKind::kCartesian;
}

std::string_view about(CheckKind kind) noexcept {
  switch (kind) {
    case CheckKind::kHold:
      return "Holds its start pose in POSITION for 10 s: no joint drifts by more than 0.2 deg (1 "
             "mm).";
    case CheckKind::kMove:
      return "Each joint goes 10 deg (20 mm) and back in POSITION: it overshoots by 5 % at most, "
             "and is "
             "within 0.2 deg (1 mm) 0.3 s after the reference's end.";
    case CheckKind::kDirect:
      return "Each joint gets one sample of POSITION_DIRECT, as far away as its step limit allows, "
             "and "
             "holds it: 5 % overshoot at most, never over 105 % of its velocity limit.";
    case CheckKind::kVelocity:
      return "Each joint is streamed a VELOCITY: its speed, over 0.1 s, is within 10 % of the "
             "reference's, "
             "and at a velocity of 0 it rests within 0.2 deg (1 mm).";
    case CheckKind::kMixed:
      return "Each joint follows a velocity in MIXED, then a goal: it is within 0.2 deg (1 mm) of "
             "the "
             "goal 0.3 s after the reference's end.";
    case CheckKind::kTorque:
      return "All joints float in TORQUE for 1 s: none drifts by more than 2 deg (10 mm). Then "
             "each "
             "is accelerated by a torque for 0.1 s, to a speed between half of what its inertia "
             "and "
             "friction say with the other joints held, and twice of that with them free.";
    case CheckKind::kOpenloop:
      return "Each joint is driven by a duty in OPENLOOP for up to 0.3 s: it goes the duty's way, "
             "by 5 % "
             "at least "
             "of what its voltage and inertia say, never over 105 % of its velocity limit, and is "
             "held "
             "within 0.2 deg (1 mm) by POSITION 0.5 s later.";
    case CheckKind::kIdle:
      return "All motors are off for 50 ms, and the arm falls; POSITION catches it: within 0.2 deg "
             "(1 mm) "
             "of the reference after 1 s, on the way no faster than 110 % of the velocity limit or "
             "of "
             "the speed of the fall.";
    case CheckKind::kTimeout:
      return "A stream of velocities to all joints ends, then one of torque, and of duty, to each "
             "in turn: they brake and are in POSITION, and from 0.8 s after the timeout on none "
             "moves by more than 0.2 deg (1 mm) in 1 s.";
    case CheckKind::kStop:
      return "STOP half-way of a move of all joints, of a VELOCITY of all, and of each joint that "
             "a torque drives in TORQUE and a duty in OPENLOOP: each stands within 1 deg (5 mm) of "
             "what its acceleration limit needs, in POSITION (after VELOCITY still in VELOCITY), "
             "and "
             "stays within 0.2 deg (1 mm).";
    case CheckKind::kPush:
      return "Each joint is pushed with half of its torque for 0.3 s (less where its weight leaves "
             "less): never over 110 % of its velocity limit, and back within 0.2 deg (1 mm) 1 s "
             "later.";
    case CheckKind::kLoad:
      return "Each joint is loaded up to 90 % of its torque in 0.4 s, and unloaded likewise: it "
             "gives way by 5 deg (5 mm) at most, and is within 0.2 deg (1 mm) of its reference 1 s "
             "later.";
    case CheckKind::kGuide:
      return "Each arm is let go by its cuff within 2 s: it stays where it is within 2 deg (10 mm) "
             "for 2 s, "
             "follows a hand, and without the cuff stands within 0.2 deg (1 mm).";
    case CheckKind::kCartesian:
      return "Each arm's tool goes 40 mm and back in CARTESIAN: it overshoots by 10 % at most, and "
             "is within 2 mm (and what friction holds) of its target as soon as its springs and "
             "its joints' viscous friction allow. A force F moves "
             "it by F/K within 10 %; let go it is back, and no joint swings.";
  }
  return "";
}

std::string help_of_kinds() {
  constexpr std::size_t kColumn = 12;
  constexpr std::size_t kWidth = 100;
  std::string help;
  for (const CheckKind kind : kAllCheckKind) {
    std::string line = "  ";
    line += to_string(kind);
    std::string_view words = about(kind);
    line.resize(kColumn, ' ');
    while (!words.empty()) {
      std::size_t end = words.size();
      if (end > kWidth - kColumn) end = words.rfind(' ', kWidth - kColumn);
      line += words.substr(0, end);
      help += line;
      help += '\n';
      line.assign(kColumn, ' ');
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
  return help;
}

}  // namespace jointrig::app
