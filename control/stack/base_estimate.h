#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "control/backend.h"
#include "control/core/robot_config.h"
#include "control/model/floating_model.h"
#include "control/stack/event_reporter.h"
#include "control/stack/joints.h"
#include "control/stack/sample_watch.h"
#include "control/wholebody/balance_lead.h"
#include "control/wholebody/base_estimator.h"

namespace jointrig {

/// Where the base of a robot on feet is: its estimate (control/wholebody/base_estimator.h) from the
/// IMU and the force sensors of the feet that its file names, and the encoders. A sensor that gives
/// nothing is told, and what it gave is no longer used:
///
///     IMU           the soles alone tell where the base is
///     foot's force  the foot bears as it is told to, and presses in the middle of its sole
///
/// Functions are for the cycle unless they say otherwise.
class BaseEstimate {
 public:
  /// State that is saved and restored by assignment.
  struct State {
    BaseEstimator estimator;
    SampleWatch imu;
    std::array<SampleWatch, kMaxFeet> feet;
    std::array<double, 3> turned{};  ///< by the soles, in the last cycle [rad]
  };

  /// Throws ConfigError: a frame that the model lacks, an IMU that isn't on the base. Without an
  /// IMU in whole_body, or with a pinned base, nothing is done.
  explicit BaseEstimate(const RobotConfig& config);

  /// For start-up. Finds the sensors of a backend.
  /// @return  why the base can't be estimated there; empty: it can, or need not
  [[nodiscard]] std::string connect(const BackendDescription& backend);
  /// It tells the base, in place of the backend.
  [[nodiscard]] bool is_on() const noexcept { return imu_sample_ >= 0; }

  /// Runs one cycle, after the boards were followed: puts its estimate into `robot`.
  /// @param on_ground  by foot: it stands there, or is to
  void advance(ConstJoints joints, std::span<const bool> on_ground, LawIndex law, RobotState& robot,
               EventReporter& events) noexcept;
  [[nodiscard]] bool is_known() const noexcept { return !is_on() || state_.estimator.is_known(); }
  /// While it isn't known: why.
  [[nodiscard]] BaseDoubt doubt() const noexcept { return state_.estimator.doubt(dt_); }
  /// Where the soles press, as the force sensors of the feet have it in this cycle.
  [[nodiscard]] SolePressure pressure() const noexcept;
  /// After a fall: it is known again when the robot stands still on its feet.
  void lose() noexcept { state_.estimator.lose(); }

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state) noexcept { state_ = state; }

 private:
  struct Foot {
    FootConfig config;
    BodyFrame sole;
    BodyFrame sensor;
    int sample = -1;  ///< in RobotState::force_torque; -1: it has no sensor here
  };
  struct Parts;

  [[nodiscard]] SeenImu see_imu(const RobotState& robot, LawIndex law,
                                EventReporter& events) noexcept;
  [[nodiscard]] SeenSole see_sole(std::size_t foot, bool on_ground, const RobotState& robot,
                                  LawIndex law, EventReporter& events) noexcept;
  [[nodiscard]] bool reads_force(std::size_t foot, const RobotState& robot, LawIndex law,
                                 EventReporter& events) noexcept;
  void tell(EventKind kind, LawIndex law, std::size_t number, const SampleWatch& watch,
            const SampleWatch::Finding& finding, EventReporter& events) const noexcept;

  double dt_;
  WholeBodyConfig config_;
  std::shared_ptr<Parts> parts_;  ///< null: no IMU is named
  int imu_sample_ = -1;           ///< in RobotState::imus; -1: the backend tells the base
  State state_;
};

}  // namespace jointrig
