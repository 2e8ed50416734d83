#pragma once

#include <array>
#include <span>
#include <vector>

#include "control/joint/joint_control.h"
#include "control/model/collision_geometry.h"
#include "control/model/robot_model.h"
#include "control/safety/suppression.h"

namespace jointrig {

/// A robot in a cycle.
struct RobotNow {
  RobotModel& model;  ///< at its pose
  std::span<const JointSetup> setups;
  std::span<const JointControl> joints;
};

/// How each reference comes to rest if it goes on for a cycle and all of them brake then, and the
/// places of a robot's shapes meanwhile. With v of the next cycle:
///
///     way  = v²/(2 a_max) + kLag |v|        time = |v|/a_max + kLag
///     q(t) = q_ref ± (1 − (1 − t/time)²) way        until time
///
/// One that brakes for a goal by itself goes no further than to it. Joints without a reference stay
/// where they are. Nothing here allocates, locks or throws after construction.
class StoppingWay {
 public:
  static constexpr double kLag = 0.01;  ///< s: delay of joints behind their references; a choice
  /// Times at which the shapes are placed, beside now: a choice, by
  /// tests/control/stack/avoidance_among_posts_test.cpp.
  static constexpr int kPlaces = 8;

  /// @param geometry  outlives it
  StoppingWay(const CollisionGeometry& geometry, const RobotModel& model);
  ~StoppingWay() = default;
  StoppingWay(const StoppingWay&) = delete;
  StoppingWay& operator=(const StoppingWay&) = delete;

  /// Starts a cycle: bounds alone.
  void plan(const RobotNow& robot, const Suppression& suppression) noexcept;

  /// Joints that follow a reference, which may be halted.
  [[nodiscard]] const JointSet& following() const noexcept { return following_; }
  /// Bound of the time until every reference rests [s]
  [[nodiscard]] double longest() const noexcept { return longest_; }
  /// A joint's way to rest, from its present speed [rad or m]
  [[nodiscard]] double way(std::size_t joint) const noexcept { return motions_[joint].way; }
  /// No point of a shape moves by more until all references rest [m].
  [[nodiscard]] double most(std::size_t shape) const noexcept { return most_[shape]; }
  /// Joints that move a shape, alone or against another one; themselves or by a follower.
  [[nodiscard]] JointSet moving(std::size_t shape) const noexcept;
  [[nodiscard]] JointSet moving(std::size_t a, std::size_t b) const noexcept;

  /// Looks closely, once in a cycle. False if a reference is not a number, so that nobody knows
  /// where it leads.
  [[nodiscard]] bool look(const RobotNow& robot) noexcept;
  /// Takes these references for halted in this cycle, in what look() finds from now on.
  void halt(const JointSet& joints) noexcept;
  // After look():
  /// Speed of a joint's reference, 0 without one [rad/s or m/s]
  [[nodiscard]] double speed(std::size_t joint) const noexcept { return motions_[joint].v; }
  /// Time of a place: 0 is now, at kPlaces every reference rests [s]
  [[nodiscard]] double time_of(int place) const noexcept { return time_ * place / kPlaces; }
  /// The shapes at that time, if each joint were at its reference. The first call of a cycle for a
  /// place costs kinematics of the whole robot.
  [[nodiscard]] std::span<const Placed> at(int place, const RobotNow& robot) noexcept;

 private:
  struct Motion {
    double way = 0.0;
    double v = 0.0;
    double time = 0.0;
  };
  [[nodiscard]] static double way_to_rest(const JointControl& joint, double v,
                                          double a_max) noexcept;
  struct Place {
    std::vector<Placed> shapes;
    bool is_placed = false;  ///< in this cycle
  };
  void place_shapes(Place& place, double time, const RobotNow& robot) noexcept;

  const CollisionGeometry* geometry_;
  std::vector<std::vector<RobotModel::Lever>> levers_;  ///< by shape
  // Likewise, as a cycle takes them: one after another, those that are infinite apart.
  struct Arm {
    double most = 0.0;  ///< [m/rad or 1]
    JointIndex joint = kNoJoint;
  };
  struct Endless {
    std::size_t shape = 0;
    JointIndex joint = kNoJoint;
  };
  std::vector<Arm> arms_;
  std::vector<std::size_t> ends_;  ///< of each shape's in `arms_`
  std::vector<Endless> endless_;
  std::vector<Motion> motions_;  ///< by joint
  std::vector<double> ways_;     ///< by joint: bound of its own way to rest [rad or m]
  JointSet following_;
  std::vector<double> most_;  ///< by shape
  double longest_ = 0.0;
  JointSet halted_;
  bool has_looked_ = false;
  bool is_known_ = true;
  double time_ = 0.0;
  std::array<Place, kPlaces + 1> places_;
  // Joints that follow, and where they are; room for all of them.
  std::vector<JointIndex> joints_;
  std::vector<double> q_;
};

}  // namespace jointrig
