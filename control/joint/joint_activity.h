#pragma once

#include <cstdint>

#include "control/core/enumeration.h"

namespace jointrig {

/// The source of a joint's motion, beside its mode. A joint is in exactly one of these:
///
///     mode          its mode drives it, and no stream has begun
///     stream        its mode drives it by a stream: the command timeout runs
///     silent        that stream fell silent: the timeout's reaction is on
///     stands        it was held in a mode without a reference (torque, openloop), and is free
///                   again: it holds where it is until the next command; if the hold cut a stream
///                   off, the command timeout runs
///     link          its part holds while a board is silent or does not follow: moves wait, and
///                   samples of a stream are taken without effect
///     contact       its part holds for a while after a contact
///     squish        its part holds after a squish, until a mode is asked for
///     law           it holds since its law of one's own failed, until a mode is asked for
///     fault         its part holds since a joint of it was lost, until a mode is asked for
///     arm           its arm drives it, in mode cartesian
///     guided        its arm drives it, in any mode: it is guided by hand
///     guide_holds   its arm holds it, in any mode, for the guide
///
///     from            a mode is   a sample    it falls  hold()   free()         its arm's
///                     entered     comes       silent                            claim
///     mode            mode        stream      –         held     –              arm's
///     stands          mode        stream      silent ²  held     –              arm's
///     stream          mode        stream      silent    held     –              arm's
///     silent          mode        stream      –         held     –              arm's
///     held            mode        refused ³   –         graver   mode, stream,  –
///                                                                stands
///     arm's           mode ¹      refused     –         held     –              arm's, mode
///
///     ¹ guided and guide_holds stay until the guide releases the joint
///     ² if a stream was cut off
///     ³ not in link
#define JOINTRIG_JOINT_ACTIVITIES(X) \
  X(kMode, "mode")                   \
  X(kStream, "stream")               \
  X(kSilent, "silent")               \
  X(kStands, "stands")               \
  X(kLink, "link")                   \
  X(kContact, "contact")             \
  X(kSquish, "squish")               \
  X(kLaw, "law")                     \
  X(kFault, "fault")                 \
  X(kArm, "arm")                     \
  X(kGuided, "guided")               \
  X(kGuideHolds, "guide_holds")
JOINTRIG_ENUM(JointActivity, JOINTRIG_JOINT_ACTIVITIES)

/// True if its part holds; the reasons rise in severity from link to fault.
constexpr bool is_held(JointActivity activity) noexcept {
  return activity >= JointActivity::kLink && activity <= JointActivity::kFault;
}
/// True if its part holds for this reason or a graver one.
constexpr bool is_held_for(JointActivity activity, JointActivity why) noexcept {
  return is_held(activity) && activity >= why;
}
/// True if the activity comes from its arm.
constexpr bool is_of_arm(JointActivity activity) noexcept {
  return activity >= JointActivity::kArm;
}
/// True if its arm gives the torque.
constexpr bool is_driven_by_arm(JointActivity activity) noexcept {
  return activity == JointActivity::kArm || activity == JointActivity::kGuided;
}
/// True if the hand guiding of its arm drives or holds it, in any mode.
constexpr bool is_in_hand(JointActivity activity) noexcept {
  return activity >= JointActivity::kGuided;
}

}  // namespace jointrig
