#pragma once
/// Poses one after another, each reached at a speed or in a time, then held: plain data, and what
/// is wrong with it.

#include <optional>
#include <string>
#include <vector>

#include "control/core/robot_config.h"

namespace jointrig::gui {

struct SequencePose {
  std::string name;
  std::vector<std::optional<double>> q;  ///< one per joint of the robot [rad or m]; absent: stays
  bool timed = false;                    ///< `time` counts, else `speed`
  double speed = 0.3;                    ///< peak, of each joint's v_max
  double time = 2.0;                     ///< to get there [s]
  double hold = 0.0;                     ///< once there [s]
  bool operator==(const SequencePose&) const = default;
};

struct Sequence {
  std::string name = "sequence";
  std::vector<SequencePose> poses;
  bool operator==(const Sequence&) const = default;
};

/// The way to one pose.
struct PoseCheck {
  double seconds = 0.0;  ///< it takes
  double share = 0.0;    ///< of v_max, that the fastest joint reaches
  std::string problem;   ///< why it can't be; empty: it can
};

/// Checks every pose, each from where the ones before it lead, on paths of least jerk
/// (control/motion/minimum_jerk.h).
/// @param from  where the joints are [rad or m]
/// @param most  of v_max that any joint may reach; a timed pose takes longer where it has to
std::vector<PoseCheck> check_sequence(const Sequence& sequence, const RobotConfig& config,
                                      const std::vector<double>& from, double most);

/// The joints that a pose, or any pose of it, names.
JointSet joints_of(const SequencePose& pose);
JointSet joints_of(const Sequence& sequence);

/// To a hundredth of a degree or millimetre, and inside the soft limits: what is shown is what is
/// sent, and what a file says.
double tidy(double q, const JointConfig& joint);

}  // namespace jointrig::gui
