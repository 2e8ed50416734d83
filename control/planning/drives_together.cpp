#include "control/planning/drives_together.h"

#include <algorithm>

namespace jointrig {

DriveTurn turn_for(CartesianDrive& drive, const DriveTool& command, const Eigen::Matrix3d& base,
                   double share) noexcept {
  drive.set_world(base);
  drive.set_free(drive.led(command.free_rotation), command.frame);
  DriveTurn turn;
  turn.drive = &drive;
  turn.is_own = command.frame == ToolFrame::kTool;
  turn.is_together = command.together;
  const Vector6 wish = share * Eigen::Map<const Vector6>(command.velocity.data());
  const bool is_of_world = command.frame == ToolFrame::kWorld;
  turn.wish = is_of_world ? turned(Eigen::Matrix3d(base.transpose()), wish) : wish;
  turn.wish = drive.held(turn.wish, turn.is_own);
  return turn;
}

void look_together(std::span<DriveTurn> turns, double dt) noexcept {
  double ramp = 1.0;
  for (DriveTurn& turn : turns) {
    if (turn.drive == nullptr) continue;
    turn.ramp = turn.drive->ramp(turn.wish, turn.is_own, dt);
    if (turn.is_together) ramp = std::min(ramp, turn.ramp);
  }
  double share = 1.0;
  for (DriveTurn& turn : turns) {
    if (turn.drive == nullptr) continue;
    if (turn.is_together) turn.ramp = ramp;
    turn.share = turn.drive->look(turn.wish, turn.ramp, 1.0, dt);
    if (turn.is_together) share = std::min(share, turn.share);
  }
  for (DriveTurn& turn : turns) {
    if (turn.drive == nullptr || !turn.is_together || turn.share <= share) continue;
    turn.share = turn.drive->look(turn.wish, turn.ramp, share, dt);
  }
}

}  // namespace jointrig
