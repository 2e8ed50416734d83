#pragma once
/// Steps that send commands and wait for their effects.

#include <memory>

#include "harness/runner/step_run.h"

namespace jointrig::harness {

std::unique_ptr<StepRun> make_command_step(const SetStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const MoveStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const TargetStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const TrajectoryStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const MoveToolStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const DriveToolStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const ReachStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const ExpectUnreachableStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const SetArmStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const CalibrateStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const SetParameterStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const StopStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const SpeedStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const GravityStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const SetProtectionStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const SetLawStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const ToldObstacleStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const GripperStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const MessageStep& step, const Binder& binder,
                                           StepNeeds& needs);
std::unique_ptr<StepRun> make_command_step(const ExpectRejectedStep& step, const Binder& binder,
                                           StepNeeds& needs);

}  // namespace jointrig::harness
