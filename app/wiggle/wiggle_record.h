#pragma once
/// That the drives of a robot passed the wiggle test, remembered on this machine, for exactly the
/// buses, drives, joints and model that were tested: in
/// $XDG_STATE_HOME/jointrig/wiggle/<robot>-<configuration>.json, or under ~/.local/state.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "app/wiggle/wiggle_judge.h"

namespace jointrig::app {

/// Of all that says which drive is which joint and what its numbers mean: buses, drives, names and
/// order of the joints, and the model's file. Limits and gains are not in it.
/// Throws std::runtime_error where the model can't be read.
[[nodiscard]] std::uint64_t wiggle_configuration(const RobotConfig& robot);

/// Empty where there is neither a state nor a home folder.
[[nodiscard]] std::filesystem::path wiggle_record_path(const RobotConfig& robot);

/// Joints that have no passed wiggle on record, by index.
[[nodiscard]] std::vector<JointIndex> not_wiggled(const RobotConfig& robot);

/// Adds these to what is on record: a joint that failed is one that has not passed. Throws
/// std::runtime_error with a sentence where it can't be written.
void remember_wiggles(const RobotConfig& robot, std::span<const WiggleVerdict> verdicts);

/// What is missing and what to run, in a sentence; empty: every joint has passed.
[[nodiscard]] std::string why_not_wiggled(const RobotConfig& robot);

}  // namespace jointrig::app
