#pragma once
/// A record on this machine that the drives of a robot passed the wiggle test, for exactly the
/// tested buses, drives, joints and model: in
/// $XDG_STATE_HOME/jointrig/wiggle/<robot>-<configuration>.json, or under ~/.local/state.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "app/wiggle/wiggle_judge.h"

namespace jointrig::app {

/// Hash of all settings that assign drives to joints and give their numbers a meaning: buses,
/// drives, names and order of the joints, and the model's file. Limits and gains are not included.
/// Throws std::runtime_error if the model can't be read.
[[nodiscard]] std::uint64_t wiggle_configuration(const RobotConfig& robot);

/// Empty if there is neither a state nor a home folder.
[[nodiscard]] std::filesystem::path wiggle_record_path(const RobotConfig& robot);

/// Joints without a recorded, passed wiggle, by index; those of other backends need none.
[[nodiscard]] std::vector<JointIndex> not_wiggled(const RobotConfig& robot);

/// Adds these to the record: a joint that failed counts as not passed. Throws std::runtime_error
/// with a sentence if it can't be written.
void remember_wiggles(const RobotConfig& robot, std::span<const WiggleVerdict> verdicts);

/// A sentence with the missing joints and the command to run; empty: every joint has passed.
[[nodiscard]] std::string why_not_wiggled(const RobotConfig& robot);

}  // namespace jointrig::app
