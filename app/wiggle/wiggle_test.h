#pragma once
/// The wiggle test: joint by joint a small motion forward, back past its position, and home, on
/// paths of least jerk, while all the others hold. In every cycle it watches all other joints and
/// stops all at once if one of them moves. wiggle_judge.h explains the verdicts.
///
/// One thread steps the robot and runs it; it sends commands through the inbox, as every client.

#include <functional>
#include <memory>
#include <vector>

#include "app/wiggle/wiggle_judge.h"
#include "app/wiggle/wiggled_robot.h"
#include "control/exchange/robot_client.h"
#include "control/model/robot_model.h"

namespace jointrig::app {

class WiggleTest {
 public:
  /// Position of a joint by the physics; empty: unknown.
  using Truth = std::function<double(JointIndex)>;

  /// `robot` outlives it. Throws ModelError.
  WiggleTest(WiggledRobot& robot, const WiggleOptions& options, Truth truth = {});

  /// Sets all joints to position mode, then tests these joints until one fails. All joints hold on
  /// return, unless one gave way: stop the backend then.
  /// @param told  called with each verdict; a motion may have been seen by then: false is a person
  /// who says that it was not the right one, and ends the test Throws std::runtime_error with a
  /// sentence: a joint can't be held, the backend ended.
  [[nodiscard]] std::vector<WiggleVerdict> run(
      const std::vector<JointIndex>& joints, const std::function<bool(WiggleVerdict&)>& told = {});

  /// Keeps holding while `told` waits for a person: drives need messages of their host.
  void hold_until(const std::function<bool()>& done) {
    while (!done()) cycle();
  }

 private:
  void cycle();
  [[nodiscard]] WiggleSample now();
  [[nodiscard]] WiggleSample mean_over(double seconds);
  /// @return a joint that did not hold; all motors are then off
  [[nodiscard]] std::optional<WiggleVerdict> hold_all();
  void let_go();
  [[nodiscard]] WiggleVerdict wiggle(JointIndex joint);
  /// @return nothing if the motion was cut short
  [[nodiscard]] std::optional<WiggleVerdict> there_and_back(JointIndex joint);
  [[nodiscard]] WiggleVerdict broken(JointIndex joint, const std::string& why) const;
  /// @return the joint that moved without a command
  [[nodiscard]] std::optional<Mover> go(JointIndex joint, double goal, const WiggleSample& rest);

  WiggledRobot* robot_;
  WiggleOptions options_;
  Truth truth_;
  RobotClient user_;
  RobotModel model_;
  RobotState placed_;
};

}  // namespace jointrig::app
