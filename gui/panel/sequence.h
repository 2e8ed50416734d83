#pragma once
/// A sequence of poses, each reached at a speed or in a time, then held: plain data, with checks.

#include <optional>
#include <string>
#include <vector>

#include "control/core/robot_config.h"

namespace jointrig::gui {

struct SequencePose {
  std::string name;
  std::vector<std::optional<double>> q;  ///< one per joint of the robot [rad or m]; absent: stays
  bool timed = false;                    ///< `time` counts, else `speed`
  double speed = 0.3;                    ///< peak speed as a share of each joint's v_max
  double time = 2.0;                     ///< duration of the move [s]
  double hold = 0.0;                     ///< hold after arrival [s]
  bool operator==(const SequencePose&) const = default;
};

struct Sequence {
  std::string name = "sequence";
  std::vector<SequencePose> poses;
  bool operator==(const Sequence&) const = default;
};

/// Check of the move to one pose.
struct PoseCheck {
  double seconds = 0.0;  ///< duration of the move
  double share = 0.0;    ///< share of v_max that the fastest joint reaches
  std::string problem;   ///< reason why it is impossible; empty: possible
};

/// Checks the move to every pose from the one before it, on paths of least jerk
/// (control/motion/minimum_jerk.h).
/// @param from  present positions [rad or m]
/// @param most  largest share of v_max for any joint; a timed pose takes longer if needed
std::vector<PoseCheck> check_sequence(const Sequence& sequence, const RobotConfig& config,
                                      const std::vector<double>& from, double most);

/// The joints of a pose, or of all poses of a sequence.
JointSet joints_of(const SequencePose& pose);
JointSet joints_of(const Sequence& sequence);

/// Rounds to a hundredth of a degree or millimetre, within the soft limits, so that screen, command
/// and file agree.
double tidy(double q, const JointConfig& joint);

}  // namespace jointrig::gui
