#include "harness/config/joint_settings.h"

#include "harness/config/apply_settings.h"
#include "harness/config/gain_design.h"
#include "harness/config/units.h"

namespace jointrig::harness {
namespace {

// A value with its unit, if the joint can take it.
class Reader {
 public:
  Reader(const std::vector<JointConfig*>& joints, bool is_group, Problems& problems)
      : joints_(joints), is_group_(is_group), problems_(problems) {}

  /// Calls set(joint, value) for every joint that fits the value. In a group, hinges take values
  /// with a unit of angle and slides those with a unit of length.
  template <typename Set>
  void read(const YamlNode& mapping, std::string_view key, std::string_view units, Set set) {
    const YamlNode* node = mapping.find(key);
    if (node == nullptr) return;
    problems_.collect([&] {
      const Expected expected(units);
      const Quantity found = any_quantity(*node);
      bool fits_one = false;
      for (JointConfig* joint : joints_) {
        const Expected own = expected.only(joint->slide ? 1 : 0);
        if (found.has_unit && !own.takes(found.dimension)) continue;
        fits_one = true;
        set(*joint, found.value);
      }
      if (!fits_one && !joints_.empty()) refuse(*node, key, expected);
    });
  }

 private:
  void refuse(const YamlNode& node, std::string_view key, const Expected& expected) const {
    const JointConfig& joint = *joints_.front();
    const std::string kind = joint.slide ? "slide" : "hinge";
    const std::string unit = expected.only(joint.slide ? 1 : 0).units().front();
    throw node.error(
        std::string(key) + ": " +
        (is_group_ ? "all joints here are " + kind + "s" : joint.name + " is a " + kind) +
        "; expected " + to_string(dimension_of(unit)) + ", got " + node.raw());
  }

  const std::vector<JointConfig*>& joints_;
  bool is_group_;
  Problems& problems_;
};

void apply_gain_design(const YamlNode& settings, Reader& reader, Problems& problems,
                       const std::vector<JointConfig*>& joints) {
  for (const auto& [design, gain] : {std::pair{"bandwidth", "kp"}, {"damping_ratio", "kd"}}) {
    const YamlNode* chosen = settings.find(design);
    if (chosen == nullptr) continue;
    if (settings.find(gain) != nullptr) {
      problems.add(settings.key_spot(design), std::string(design) + " and " + gain + " both set " +
                                                  gain + "; give one of them");
    }
    for (const JointConfig* joint : joints) {
      if (joint->gains.inertia > 0.0) continue;
      problems.add(settings.key_spot(design), std::string(design) + " needs the inertia of " +
                                                  joint->name + ", which isn't known; give it");
      return;
    }
  }
  reader.read(settings, "bandwidth", "Hz", change_bandwidth);
  reader.read(settings, "damping_ratio", "1", change_damping_ratio);
}

/// The stiff law's spring acts through its damper: 2 ζ ω (ω/2ζ e + ė) is nothing at ζ = 0. A PID
/// has a spring of its own.
void check_damping(const YamlNode& settings, Problems& problems,
                   const std::vector<JointConfig*>& joints) {
  if (settings.find("damping_ratio") == nullptr) return;
  for (const JointConfig* joint : joints) {
    if (joint->gains.is_pid || joint->gains.damping_ratio > 0.0) continue;
    problems.add(
        settings.key_spot("damping_ratio"),
        "damping_ratio: 0 leaves " + joint->name +
            " without any feedback; give more than 0, or kp for a spring without a damper");
    return;
  }
}

void apply_board(const YamlNode& board, Reader& reader, const std::vector<JointConfig*>& joints) {
  for (const JointNumber& number : kBoardNumbers) {
    reader.read(board, number.key, number.units,
                [&number](JointConfig& joint, double value) { number.field(joint) = value; });
  }
  for (const BoardOption& option : kBoardOptions) {
    reader.read(board, option.key, option.units,
                [&option](JointConfig& joint, double value) { joint.board.*option.field = value; });
  }
  for (JointConfig* joint : joints) {
    if (const YamlNode* needs = board.find("needs_calibration")) {
      joint->board.needs_calibration = needs->boolean();
    }
    if (const YamlNode* modes = board.find("drive_modes")) {
      joint->board.drive_modes = {};
      for (const YamlNode& word : modes->items()) {
        DriveMode mode = DriveMode::kOff;
        if (parse(word.text(), mode)) joint->board.drive_modes.add(mode);
      }
    }
  }
}

void apply_drive(const YamlNode& keys, Reader& reader, const std::vector<JointConfig*>& joints,
                 Problems& problems) {
  // Keys of the file override its profile.
  if (const YamlNode* profile = keys.find("profile")) {
    problems.collect([&] { apply_drive(load_drive_profile(*profile), reader, joints, problems); });
  }
  for (const JointNumber& number : kDriveNumbers) {
    reader.read(keys, number.key, number.units,
                [&number](JointConfig& joint, double value) { number.field(joint) = value; });
  }
  DriveConfig mapping;
  apply_drive_mapping(keys, mapping, problems);
  for (JointConfig* joint : joints) {
    apply_drive_words(keys, joint->drive);
    if (keys.find("without") != nullptr) joint->drive.without = mapping.without;
    if (keys.find("pdos") != nullptr) joint->drive.pdos = mapping.pdos;
  }
}

}  // namespace

void apply_joint_settings(const YamlNode& settings, const std::vector<JointConfig*>& joints,
                          bool is_group, Problems& problems) {
  Reader reader(joints, is_group, problems);
  reader.read(settings, kInertia.key, kInertia.units, change_inertia);
  apply_gain_design(settings, reader, problems, joints);
  for (const JointNumber& number : kJointNumbers) {
    reader.read(settings, number.key, number.units, [&number](JointConfig& joint, double value) {
      number.field(joint) = value;
      joint.gains.is_pid = joint.gains.is_pid || number.is_pid_gain;
    });
  }
  check_damping(settings, problems, joints);
  reader.read(settings, "cycle", "s",
              [](JointConfig& joint, double value) { joint.cycle_ns = to_ns(value); });
  if (const YamlNode* timeout = settings.find("timeout")) {
    reader.read(*timeout, "after", "s",
                [](JointConfig& joint, double value) { joint.timeout.seconds = value; });
  }
  for (JointConfig* joint : joints) {
    if (const YamlNode* timeout = settings.find("timeout")) {
      const YamlNode* reaction = timeout->find("reaction");
      if (reaction != nullptr) parse(reaction->text(), joint->timeout.reaction);
    }
    if (const YamlNode* backend = settings.find("backend")) {
      parse(backend->text(), joint->backend.emplace());
    }
    if (const YamlNode* gravity = settings.find("gravity_in_torque")) {
      joint->gravity_in_torque = gravity->boolean();
    }
    if (const YamlNode* closes = settings.find("closes_position")) {
      joint->board_closes_position = closes->text() == "board";
    }
  }
  if (const YamlNode* board = settings.find("board")) apply_board(*board, reader, joints);
  if (const YamlNode* brake = settings.find("brake")) {
    for (const JointNumber& number : kBrakeNumbers) {
      reader.read(*brake, number.key, number.units,
                  [&number](JointConfig& joint, double value) { number.field(joint) = value; });
    }
  }
  if (const YamlNode* drive = settings.find("drive")) apply_drive(*drive, reader, joints, problems);
}

}  // namespace jointrig::harness
