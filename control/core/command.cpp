#include "control/core/command.h"

namespace jointrig {

// Here and not in the header: a visit of all kinds costs each file that reads it 0.1 s of compile
// time.

JointSet joints_of(const Request& request) noexcept {
  return std::visit(
      []<typename C>(const C& c) {
        if constexpr (NamesJoints<C>) return c.joints;
        return JointSet{};
      },
      request);
}

ArmIndex arm_of(const Request& request) noexcept {
  return std::visit(
      []<typename C>(const C& c) -> ArmIndex {
        if constexpr (IsForArm<C>) return c.arm;
        return kNoArm;
      },
      request);
}

MessageId message_of(const Request& request) noexcept {
  return std::visit(
      []<typename C>(const C& c) -> MessageId {
        if constexpr (IsMessage<C>) return c.id;
        return 0;
      },
      request);
}

LawIndex law_of(const Request& request) noexcept {
  return std::visit(
      []<typename C>(const C& c) -> LawIndex {
        if constexpr (IsForLaw<C>) return c.law;
        return kNoLaw;
      },
      request);
}

GripperIndex gripper_of(const Request& request) noexcept {
  return std::visit(
      []<typename C>(const C& c) -> GripperIndex {
        if constexpr (IsForGripper<C>) return c.gripper;
        return kNoGripper;
      },
      request);
}

ObstacleName obstacle_of(const Request& request) noexcept {
  return std::visit(
      []<typename C>(const C& c) -> ObstacleName {
        if constexpr (IsOfObstacle<C>) return c.name;
        return {};
      },
      request);
}

}  // namespace jointrig
