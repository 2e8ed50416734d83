// What collision avoidance, collision detection and suppression leave in the log.

#include "harness/log/log_messages.h"

namespace jointrig {

ProtectionMessage protection_message(TimeStamp stamp, const ProtectionSnapshot& now) noexcept {
  return {stamp,
          now.distance,
          now.overlap,
          now.force,
          now.impact,
          now.squish,
          now.hand_force,
          now.hand_torque,
          now.stop_left,
          now.suppressed_for,
          static_cast<std::uint8_t>(now.on.bits()),
          now.pushes,
          now.squished};
}

JointProtectionMessage joint_protection_message(TimeStamp stamp,
                                                const JointSnapshot& joint) noexcept {
  return {stamp, joint.repulsion, joint.contact_torque,
          static_cast<std::uint8_t>(joint.suppressed.bits())};
}

StructSchema<ProtectionMessage> protection_message_schema() {
  using M = ProtectionMessage;
  StructSchema<M> s("jointrig_msgs/msg/Protection");
  s.field("stamp", &M::stamp, "", "robot time of the cycle");
  s.field("distance", &M::distance, "m", "of the nearest two surfaces, as far as was looked");
  s.field("overlap", &M::overlap, "m", "margin less distance");
  s.field("force", &M::force, "N", "that pushes the deepest pair apart, before the cap");
  s.field("impact", &M::impact, "", "largest sudden torque as a part of its threshold");
  s.field("squish", &M::squish, "", "largest external torque as a part of its threshold");
  s.field("hand_force", &M::hand_force, "N", "largest of all arms");
  s.field("hand_torque", &M::hand_torque, "N·m");
  s.field("stop_left", &M::stop_left, "s", "of the stop after a contact");
  s.field("suppressed_for", &M::suppressed_for, "s", "in the order of SUPPRESS_*; 0: isn't");
  s.field("on", &M::on, "", "PROTECTION_*, a bit each");
  s.field("pushes", &M::pushes, "", "collision avoidance");
  s.field("squished", &M::squished, "", "a part holds until a mode is asked for");
  s.constants(constants_of("SUPPRESS", kAllSuppressible));
  s.constants(constants_of("PROTECTION", kAllProtection));
  return s;
}

StructSchema<JointProtectionMessage> joint_protection_message_schema(bool slide) {
  using M = JointProtectionMessage;
  const std::string name = slide ? "SlideJointProtection" : "JointProtection";
  StructSchema<M> s("jointrig_msgs/msg/" + name);
  const char* unit = slide ? "N" : "N·m";
  s.field("stamp", &M::stamp, "", "robot time of the cycle");
  s.field("tau_repulsion", &M::tau_repulsion, unit, "that collision avoidance adds");
  s.field("tau_contact", &M::tau_contact, unit, "external, as collision detection sees it");
  s.field("suppressed", &M::suppressed, "", "SUPPRESS_*, a bit each");
  s.constants(constants_of("SUPPRESS", kAllSuppressible));
  return s;
}

}  // namespace jointrig
