#pragma once
/// MuJoCo's messages turned into one sentence each.

#include <string>
#include <string_view>

namespace jointrig {

/// "arm.xml: unrecognized attribute 'namo' (element 'joint', line 2)" from MuJoCo's several lines.
std::string sentence_of(std::string_view mujoco_message, const std::string& path);

/// Sends MuJoCo's log to CollectWarnings, for the whole process; its errors outside of loading
/// become ModelError. Called by everything that loads; does nothing the second time.
void take_mujoco_log();

}  // namespace jointrig
