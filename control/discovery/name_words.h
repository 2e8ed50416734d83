#pragma once
/// Words in names of joints and bodies, as people give them.

#include <string>
#include <vector>

namespace jointrig {

/// "LeftHip_yaw2" -> left hip yaw: at separators, digits, and where a capital begins a word.
std::vector<std::string> words_of(const std::string& name);

/// left, right or "": by either word, or by l or r at the start or the end.
std::string side_of(const std::vector<std::string>& words);

/// hand, leg, arm, torso, head or "".
std::string limb_of(const std::vector<std::string>& words);

}  // namespace jointrig
