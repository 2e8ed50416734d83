#include "remote/arm_message.h"

#include <string>

#include "remote/state_fields.h"

namespace jointrig::remote {
namespace {

/// Torques are told while the arm runs: they are 0 otherwise.
void write_torques(const ArmSnapshot& arm, std::size_t joints, v1::Arm& message) {
  if (!arm.runs) return;
  for (const auto& term : arm.tau) {
    message.mutable_tau()->Add(term.begin(), term.begin() + static_cast<std::ptrdiff_t>(joints));
  }
}

void read_torques(const v1::Arm& message, std::size_t joints, ArmSnapshot& arm) {
  arm.tau = {};
  if (joints > kMaxArmJoints) return;
  if (static_cast<std::size_t>(message.tau_size()) != joints * arm.tau.size()) return;
  auto from = message.tau().begin();
  for (auto& term : arm.tau) {
    std::copy_n(from, joints, term.begin());
    from += static_cast<std::ptrdiff_t>(joints);
  }
}

void write_interaction(const InteractionSnapshot& now, v1::Arm& message) {
  message.set_free_axes(now.free_axes);
  for (const InteractionAxis axis : now.axes) {
    message.mutable_axes()->push_back(static_cast<char>(axis));
  }
  if (now.note == GuideNote{}) return;
  message.mutable_note()->set_value(now.note.value);
  message.mutable_note()->set_limit(now.note.limit);
  message.mutable_note()->set_joint(now.note.joint);
  message.mutable_note()->set_what(static_cast<std::uint32_t>(now.note.what));
}

void read_interaction(const v1::Arm& message, InteractionSnapshot& now) {
  now.free_axes = static_cast<std::uint8_t>(message.free_axes()) & kAllAxes;
  if (message.axes().size() == now.axes.size()) {
    for (std::size_t i = 0; i < now.axes.size(); ++i) {
      read_word(static_cast<std::uint8_t>(message.axes()[i]), now.axes[i]);
    }
  }
  now.note = {};
  if (!message.has_note()) return;
  now.note.value = message.note().value();
  now.note.limit = message.note().limit();
  now.note.joint = static_cast<JointIndex>(message.note().joint());
  read_word(message.note().what(), now.note.what);
}

}  // namespace

void write_arm(const ArmSnapshot& arm, std::size_t joints, v1::Arm& message) {
#define JOINTRIG_WRITE(name, member) write_array(arm.member, message.mutable_##name());
  JOINTRIG_REMOTE_ARM_NUMBERS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
#define JOINTRIG_WRITE(name, member) message.set_##name(arm.member);
  JOINTRIG_REMOTE_ARM_FLAGS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
#define JOINTRIG_WRITE(name, member) message.set_##name(arm.member.bits());
  JOINTRIG_REMOTE_ARM_BITS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
#define JOINTRIG_WRITE(name, member) message.set_##name(static_cast<std::uint32_t>(arm.member));
  JOINTRIG_REMOTE_ARM_WORDS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
  write_interaction(arm.interaction, message);
  write_torques(arm, joints, message);
}

void read_arm(const v1::Arm& message, std::size_t joints, ArmSnapshot& arm) {
#define JOINTRIG_READ(name, member) read_array(message.name(), arm.member);
  JOINTRIG_REMOTE_ARM_NUMBERS(JOINTRIG_READ)
#undef JOINTRIG_READ
#define JOINTRIG_READ(name, member) arm.member = message.name();
  JOINTRIG_REMOTE_ARM_FLAGS(JOINTRIG_READ)
#undef JOINTRIG_READ
#define JOINTRIG_READ(name, member) read_bits(message.name(), arm.member);
  JOINTRIG_REMOTE_ARM_BITS(JOINTRIG_READ)
#undef JOINTRIG_READ
#define JOINTRIG_READ(name, member) read_word(message.name(), arm.member);
  JOINTRIG_REMOTE_ARM_WORDS(JOINTRIG_READ)
#undef JOINTRIG_READ
  read_interaction(message, arm.interaction);
  read_torques(message, joints, arm);
}

void write_arm_settings(const ArmConfig& arm, v1::ArmSettings& message) {
  message.set_frame(std::string(to_string(arm.frame)));
#define JOINTRIG_WRITE(name, member) write_array(arm.member, message.mutable_##name());
  JOINTRIG_REMOTE_ARM_SIXES(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
#define JOINTRIG_WRITE(name) message.set_##name(arm.name);
  JOINTRIG_REMOTE_ARM_SETTINGS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
}

void read_arm_settings(const v1::ArmSettings& message, ArmConfig& arm) {
  parse(message.frame(), arm.frame);
#define JOINTRIG_READ(name, member) read_array(message.name(), arm.member);
  JOINTRIG_REMOTE_ARM_SIXES(JOINTRIG_READ)
#undef JOINTRIG_READ
#define JOINTRIG_READ(name) arm.name = message.name();
  JOINTRIG_REMOTE_ARM_SETTINGS(JOINTRIG_READ)
#undef JOINTRIG_READ
}

void write_protection(const ProtectionSnapshot& now, v1::Protection& message) {
#define JOINTRIG_WRITE(name) message.set_##name(now.name);
  JOINTRIG_REMOTE_PROTECTION_NUMBERS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
  write_array(now.suppressed_for, message.mutable_suppressed_for());
  write_array(now.suppressed_left, message.mutable_suppressed_left());
  for (const std::uint16_t sender : now.suppressed_by) message.add_suppressed_by(sender);
  message.set_on(now.on.bits());
  message.set_suppressed(now.suppressed.bits());
}

void read_protection(const v1::Protection& message, ProtectionSnapshot& now) {
#define JOINTRIG_READ(name) now.name = message.name();
  JOINTRIG_REMOTE_PROTECTION_NUMBERS(JOINTRIG_READ)
#undef JOINTRIG_READ
  read_array(message.suppressed_for(), now.suppressed_for);
  read_array(message.suppressed_left(), now.suppressed_left);
  now.suppressed_by = {};
  if (message.suppressed_by_size() == static_cast<int>(now.suppressed_by.size())) {
    std::copy(message.suppressed_by().begin(), message.suppressed_by().end(),
              now.suppressed_by.begin());
  }
  read_bits(message.on(), now.on);
  read_bits(message.suppressed(), now.suppressed);
}

}  // namespace jointrig::remote
