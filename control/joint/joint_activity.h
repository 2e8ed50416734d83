#pragma once

#include <cstdint>

#include "control/core/enumeration.h"

namespace jointrig {

/// Who has the word on a joint, beside its mode. A joint is in just one of these:
///
///     mode          its mode drives it, and no stream has begun
///     stream        its mode drives it by a stream: the command timeout runs
///     silent        that stream fell silent: the timeout's reaction is on
///     stands        it was held in a mode without a reference (torque, openloop), and is free
///                   again: it holds where it is until the next command
///     link          its part holds while a board is silent
///     contact       its part holds after it has met something, for a while
///     squish        its part holds since something is caught, until a mode is asked for
///     fault         its part holds since a joint of it was lost, until a mode is asked for
///     arm           its arm has it, in mode cartesian
///     guided        its arm has it, in whatever mode: it is guided by hand
///     guide_holds   its arm makes it stand, in whatever mode, for the guide
///
///     from            a mode is   a sample    it falls  hold()   free()         its arm's
///                     entered     comes       silent                            claim
///     mode, stands    mode        stream      –         held     –              arm's
///     stream          mode        stream      silent    held     –              arm's
///     silent          mode        stream      –         held     –              arm's
///     held            mode        refused     –         graver   mode, stands   –
///     arm's           mode ¹      refused     –         held     –              arm's, mode
///
///     ¹ guided and guide_holds stay until the guide lets go
#define JOINTRIG_JOINT_ACTIVITIES(X) \
  X(kMode, "mode")                   \
  X(kStream, "stream")               \
  X(kSilent, "silent")               \
  X(kStands, "stands")               \
  X(kLink, "link")                   \
  X(kContact, "contact")             \
  X(kSquish, "squish")               \
  X(kFault, "fault")                 \
  X(kArm, "arm")                     \
  X(kGuided, "guided")               \
  X(kGuideHolds, "guide_holds")
JOINTRIG_ENUM(JointActivity, JOINTRIG_JOINT_ACTIVITIES)

/// Its part holds, graver from link to fault.
constexpr bool is_held(JointActivity activity) noexcept {
  return activity >= JointActivity::kLink && activity <= JointActivity::kFault;
}
/// Its part holds, for this reason or a graver one.
constexpr bool is_held_for(JointActivity activity, JointActivity why) noexcept {
  return is_held(activity) && activity >= why;
}
/// Its arm says what it does.
constexpr bool is_of_arm(JointActivity activity) noexcept {
  return activity >= JointActivity::kArm;
}
/// Its arm gives the torque.
constexpr bool is_driven_by_arm(JointActivity activity) noexcept {
  return activity == JointActivity::kArm || activity == JointActivity::kGuided;
}
/// The hand that guides its arm has it, in whatever mode.
constexpr bool is_in_hand(JointActivity activity) noexcept {
  return activity >= JointActivity::kGuided;
}

}  // namespace jointrig
