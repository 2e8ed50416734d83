#pragma once
/// Converts each of MuJoCo's messages to one sentence.

#include <string>
#include <string_view>

namespace jointrig {

/// "arm.xml: unrecognized attribute 'namo' (element 'joint', line 2)" from MuJoCo's several lines.
std::string sentence_of(std::string_view mujoco_message, const std::string& path);

/// Redirects MuJoCo's log to CollectWarnings, for the whole process; its errors outside of loading
/// become ModelError. Every loading function calls it; later calls have no effect.
void take_mujoco_log();

}  // namespace jointrig
