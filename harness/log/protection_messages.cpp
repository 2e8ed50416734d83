// Messages of collision avoidance, collision detection and suppression for the log.

#include "harness/log/log_messages.h"
#include "harness/log/message_fields.h"

namespace jointrig::harness {
namespace {

template <typename Field>
void for_each_field_of_protection(Field&& field) {
  using M = ProtectionMessage;
  using From = ProtectionSnapshot;
  field("distance", &M::distance, &From::distance, "m",
        "of the nearest two surfaces, as far as was looked");
  field("overlap", &M::overlap, &From::overlap, "m", "margin less distance");
  field("force", &M::force, &From::force, "N",
        "that pushes the deepest pair apart, before the cap");
  field("impact", &M::impact, &From::impact, "",
        "largest sudden torque as a part of its threshold");
  field("squish", &M::squish, &From::squish, "",
        "largest external torque as a part of its threshold");
  field("hand_force", &M::hand_force, &From::hand_force, "N", "largest of all arms");
  field("hand_torque", &M::hand_torque, &From::hand_torque, "N·m");
  field("stop_left", &M::stop_left, &From::stop_left, "s", "of the stop after a contact");
  field("suppressed_for", &M::suppressed_for, &From::suppressed_for, "s",
        "in the order of SUPPRESS_*; 0: isn't");
  field(
      "on", &M::on, [](const From& from) { return from.on.bits(); }, "",
      "PROTECTION_*, a bit each");
  field("pushes", &M::pushes, &From::pushes, "", "collision avoidance");
  field("squished", &M::squished, &From::squished, "", "a part holds until a mode is asked for");
}

template <typename Field>
void for_each_field_of_joint_protection(const char* unit, Field&& field) {
  using M = JointProtectionMessage;
  using From = JointSnapshot;
  field("tau_repulsion", &M::tau_repulsion, &From::repulsion, unit,
        "that collision avoidance adds");
  field("tau_contact", &M::tau_contact, &From::contact_torque, unit,
        "external, as collision detection sees it");
  field(
      "suppressed", &M::suppressed, [](const From& from) { return from.suppressed.bits(); }, "",
      "SUPPRESS_*, a bit each");
}

const auto kProtectionFields = [](const auto& field) { for_each_field_of_protection(field); };

}  // namespace

ProtectionMessage protection_message(TimeStamp stamp, const ProtectionSnapshot& now) noexcept {
  return message_of<ProtectionMessage>(stamp, now, kProtectionFields);
}

JointProtectionMessage joint_protection_message(TimeStamp stamp,
                                                const JointSnapshot& joint) noexcept {
  return message_of<JointProtectionMessage>(
      stamp, joint, [](const auto& field) { for_each_field_of_joint_protection("N·m", field); });
}

StructSchema<ProtectionMessage> protection_message_schema() {
  StructSchema<ProtectionMessage> s("jointrig_msgs/msg/Protection");
  add_fields(s, kProtectionFields);
  s.constants(constants_of("SUPPRESS", kAllSuppressible));
  s.constants(constants_of("PROTECTION", kAllProtection));
  return s;
}

StructSchema<JointProtectionMessage> joint_protection_message_schema(bool slide) {
  const std::string name = slide ? "SlideJointProtection" : "JointProtection";
  StructSchema<JointProtectionMessage> s("jointrig_msgs/msg/" + name);
  add_fields(s, [slide](const auto& field) {
    for_each_field_of_joint_protection(slide ? "N" : "N·m", field);
  });
  s.constants(constants_of("SUPPRESS", kAllSuppressible));
  return s;
}

}  // namespace jointrig::harness
