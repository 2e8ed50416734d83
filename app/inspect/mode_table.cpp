#include "app/inspect/mode_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "control/core/backend_parts.h"
#include "control/discovery/text_table.h"
#include "control/joint/emulation.h"

namespace jointrig::app {
namespace {

struct Row {
  const char* words;
  ControlMode mode;
  InteractionMode interaction;
  DriveMode own;  ///< the drive mode of a board that closes this loop itself
};

constexpr std::array kRows{
    Row{"position", ControlMode::kPosition, InteractionMode::kStiff, DriveMode::kPosition},
    Row{"position_direct", ControlMode::kPositionDirect, InteractionMode::kStiff,
        DriveMode::kPosition},
    Row{"velocity", ControlMode::kVelocity, InteractionMode::kStiff, DriveMode::kVelocity},
    Row{"mixed", ControlMode::kMixed, InteractionMode::kStiff, DriveMode::kPosition},
    Row{"these four, compliant", ControlMode::kPosition, InteractionMode::kCompliant,
        DriveMode::kImpedance},
    Row{"torque", ControlMode::kTorque, InteractionMode::kStiff, DriveMode::kTorque},
    Row{"cartesian", ControlMode::kCartesian, InteractionMode::kStiff, DriveMode::kTorque},
    Row{"openloop", ControlMode::kOpenloop, InteractionMode::kStiff, DriveMode::kDuty},
    Row{"idle", ControlMode::kIdle, InteractionMode::kStiff, DriveMode::kOff},
};
constexpr const Row& kTorqueRow = kRows[5];
static_assert(kTorqueRow.mode == ControlMode::kTorque);
using Column = std::vector<std::string>;

/// Joints that have a call.
enum class Callers : std::uint8_t { kAll, kArms, kGrippers };

/// Needs of a call beside the loop of its mode.
enum class Needs : std::uint8_t {
  kNothing,
  kStiffLaw,  ///< the stack's, which it changes; elsewhere it is taken, as any parameter
  kWidth,     ///< of the gripper, which robot.yaml tells
  kForce,     ///< the width, and the stack's torque to press with
};

/// A call of jointrig::Robot, by the mode that it enters.
struct Call {
  const char* words;
  ControlMode mode;
  DriveMode own;
  const char* made = "";  ///< what the stack makes of it, on the loop of the mode; empty: nothing
  Callers callers = Callers::kAll;
  Needs needs = Needs::kNothing;
  const char* without = nullptr;  ///< what is left of it without that loop; none: it is refused
};

/// No board makes a path.
constexpr const char* kPlanned = "planned";
/// Positions of joints in place of a tool's: no board knows of tools.
constexpr const char* kEmulated = "emulated";

/// A path of joints, on the loop of mode position.
constexpr Call path(const char* words, Callers callers = Callers::kAll,
                    Needs needs = Needs::kNothing) {
  return {words, ControlMode::kPosition, DriveMode::kPosition, kPlanned, callers, needs};
}
/// A tool that is held by torque.
constexpr Call by_torque(const char* words, const char* made = "") {
  return {words, ControlMode::kCartesian, DriveMode::kTorque, made, Callers::kArms};
}
/// A tool's place or way in positions of its joints.
constexpr Call streamed_tool(const char* words) {
  return {words, ControlMode::kPositionDirect, DriveMode::kPosition, kEmulated, Callers::kArms};
}

/// inspect_program_test holds it to the headers: each call that commands has a row. call_table_test
/// makes each of them on each kind of board.
constexpr std::array kCalls{
    Call{"set_position", ControlMode::kPositionDirect, DriveMode::kPosition},
    Call{"set_velocity", ControlMode::kVelocity, DriveMode::kVelocity},
    Call{"set_torque", ControlMode::kTorque, DriveMode::kTorque},
    Call{"set_pid", ControlMode::kPositionDirect, DriveMode::kPosition},
    Call{"set_pid_gains", ControlMode::kPosition, DriveMode::kPosition, "", Callers::kAll,
         Needs::kStiffLaw},
    path("move_to"),
    path("set_piecewise_linear"),
    path("set_piecewise_cubic"),
    path("follow"),
    path("set_target"),
    path("set_velocity_target"),
    path("append_move_to"),
    path("append_piecewise_linear"),
    path("append_piecewise_cubic"),
    path("append_follow"),
    streamed_tool("set_cartesian_position"),
    Call{"set_cartesian_velocity", ControlMode::kPosition, DriveMode::kPosition, kEmulated,
         Callers::kArms},
    by_torque("set_cartesian_force"),
    Call{"set_gravity_compensation", ControlMode::kCartesian, DriveMode::kTorque, "",
         Callers::kArms, Needs::kNothing, "the load alone"},
    path("move_cartesian", Callers::kArms),
    path("move_linear", Callers::kArms),
    path("move_linear_if", Callers::kArms),
    path("follow_tool", Callers::kArms),
    path("append_move_cartesian", Callers::kArms),
    path("append_move_linear", Callers::kArms),
    path("append_follow_tool", Callers::kArms),
    by_torque("move_linear_with", kPlanned),
    by_torque("follow_with", kPlanned),
    path("open", Callers::kGrippers),
    path("close", Callers::kGrippers),
    path("move", Callers::kGrippers, Needs::kWidth),
    path("move_share", Callers::kGrippers),
    path("grasp", Callers::kGrippers, Needs::kForce),
};
using Boards = std::vector<JointCapabilities>;

bool is_in_an_arm(const RobotConfig& robot, JointIndex joint) {
  return std::any_of(robot.arms.begin(), robot.arms.end(), [&](const ArmConfig& arm) {
    return std::find(arm.joints.begin(), arm.joints.end(), joint) != arm.joints.end();
  });
}

/// @return  none: it is in no gripper
const GripperConfig* gripper_of(const RobotConfig& robot, JointIndex joint) {
  const auto found =
      std::find_if(robot.grippers.begin(), robot.grippers.end(),
                   [&](const auto& gripper) { return joints_of(gripper).test(joint); });
  return found == robot.grippers.end() ? nullptr : &*found;
}

/// The board as robot.yaml describes it, on its bus.
JointCapabilities described_board(const RobotConfig& robot, const JointConfig& joint) {
  JointCapabilities board;
  board.drive_modes = joint.board.drive_modes;
  const BackendKind kind = backend_of(robot, joint);
  if (kind == BackendKind::kSim && joint.cycle_ns > robot.period_ns) {
    board.cycle_ns = joint.cycle_ns;
  }
  if (kind != BackendKind::kHw && kind != BackendKind::kBoards) return board;
  for (const BusConfig& bus : robot.buses) {
    if (bus.name == joint.drive.bus) board.cycle_ns = bus.cycle_ns;
  }
  return board;
}

/// By the backend of each joint.
Boards described_boards(const RobotConfig& robot, const Boards& kinematic_boards) {
  Boards boards;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const JointConfig& joint = robot.joints[i];
    const bool is_kinematic = backend_of(robot, joint) == BackendKind::kKinematic;
    boards.push_back(is_kinematic ? kinematic_boards[i] : described_board(robot, joint));
  }
  return boards;
}

/// By joint, where they differ: the backend that drives it, and its cycle if it has one.
Column backends_of(const RobotConfig& robot) {
  const std::vector<BackendPart> parts = backend_parts(robot);
  if (parts.size() == 1) return {};
  Column words(robot.joints.size());
  for (const BackendPart& part : parts) {
    std::string word{to_string(part.kind)};
    if (part.cycle_ns != robot.period_ns) {
      word += fmt::format(", every {:g} ms", to_seconds(part.cycle_ns) * 1e3);
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (part.joints.test(i)) words[i] = word;
    }
  }
  return words;
}

const char* missing(const Row& row) {
  if (row.mode == ControlMode::kOpenloop) return "no: it has no duty";
  if (row.interaction == InteractionMode::kCompliant) return "no: it has no torque, no impedance";
  return "no: it has no torque";
}

std::string cell(const RobotConfig& robot, const JointCapabilities& board, JointIndex joint,
                 const Row& row) {
  const JointConfig& config = robot.joints[joint];
  if (row.mode == ControlMode::kCartesian && !is_in_an_arm(robot, joint)) return "no: in no arm";
  const auto drive = drive_for(usable_modes(board), config, row.mode, row.interaction);
  if (!drive) {
    const bool waits = drive_for(board.drive_modes, config, row.mode, row.interaction).has_value();
    return waits
               ? fmt::format("no: a cycle of {:g} ms, over {:g}", to_seconds(board.cycle_ns) * 1e3,
                             to_seconds(kLongestTorqueCycle) * 1e3)
               : missing(row);
  }
  if (row.mode == ControlMode::kCartesian) return "by torque";
  if (*drive == row.own) return "native";
  return fmt::format("by {}", to_string(*drive));
}

/// Whether the stack's stiff law closes the loop of a mode; else the reason, as a cell.
std::string why_no_stiff_law(const RobotConfig& robot, const JointCapabilities& board,
                             JointIndex joint, ControlMode mode) {
  const DriveModes has = usable_modes(board);
  const JointConfig& config = robot.joints[joint];
  if (drive_for(has, config, mode, InteractionMode::kStiff) == DriveMode::kTorque) return {};
  if (has.has(DriveMode::kTorque)) return "no: its board closes the loop";
  return cell(robot, board, joint, kTorqueRow);
}

/// Reason why a call can't be made of a joint, as a cell; empty: it can.
std::string why_not(const RobotConfig& robot, const JointCapabilities& board, JointIndex joint,
                    const Call& call) {
  if (call.callers == Callers::kArms && !is_in_an_arm(robot, joint)) return "no: in no arm";
  if (call.callers == Callers::kGrippers) {
    const GripperConfig* const gripper = gripper_of(robot, joint);
    if (gripper == nullptr) return "no: in no gripper";
    const bool is_by_width = call.needs == Needs::kWidth || call.needs == Needs::kForce;
    if (is_by_width && !gripper->knows_width()) return "no: its gripper has no width";
  }
  if (call.needs == Needs::kForce) return why_no_stiff_law(robot, board, joint, call.mode);
  return {};
}

std::string cell(const RobotConfig& robot, const JointCapabilities& board, JointIndex joint,
                 const Call& call) {
  if (std::string why = why_not(robot, board, joint, call); !why.empty()) return why;
  if (call.needs == Needs::kStiffLaw) {
    const bool acts = why_no_stiff_law(robot, board, joint, call.mode).empty();
    return acts ? "native" : "without effect: its board closes the loop";
  }
  const Row row{call.words, call.mode, InteractionMode::kStiff, call.own};
  std::string loop = cell(robot, board, joint, row);
  const bool is_had = !loop.starts_with("no");
  if (!is_had && call.without != nullptr) return call.without;
  const std::string made = call.made;
  if (made.empty() || !is_had) return loop;
  return made + ", " + (loop == "native" ? "by position" : loop);
}

/// Joints whose columns are equal.
struct Group {
  Column column;
  std::vector<JointIndex> joints;
};

/// @param backends  by joint, its first row; empty: none
template <typename Rows>
std::vector<Group> groups_of(const RobotConfig& robot, const Boards& boards, const Rows& rows,
                             const Column& backends) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const auto joint = static_cast<JointIndex>(i);
    Column column;
    if (!backends.empty()) column.push_back(backends[i]);
    for (const auto& row : rows) column.push_back(cell(robot, boards[i], joint, row));
    const auto alike = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& group) { return group.column == column; });
    if (alike != groups.end()) {
      alike->joints.push_back(joint);
    } else {
      groups.push_back({column, {joint}});
    }
  }
  return groups;
}

std::string title(const RobotConfig& robot, const Group& group, bool is_only) {
  if (is_only) return "all joints";
  const std::string& first = robot.joints[group.joints.front()].name;
  if (group.joints.size() == 1) return first;
  return fmt::format("{} and {} more", first, group.joints.size() - 1);
}

template <typename Rows>
std::string table_of(const RobotConfig& robot, const Boards& boards, const Rows& calls,
                     const std::string& corner, const Column& backends = {}) {
  const std::vector<Group> groups = groups_of(robot, boards, calls, backends);
  std::vector<std::vector<std::string>> rows{{corner}};
  for (const Group& group : groups) rows[0].push_back(title(robot, group, groups.size() == 1));
  std::vector<std::string> words;
  if (!backends.empty()) words.emplace_back("backend");
  for (const auto& call : calls) words.emplace_back(call.words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    rows.push_back({words[i]});
    for (const Group& group : groups) rows.back().push_back(group.column[i]);
  }
  return table(rows, std::vector<bool>(rows[0].size(), false));
}

}  // namespace

std::string mode_table(const RobotConfig& robot,
                       const std::vector<JointCapabilities>& kinematic_boards) {
  return table_of(robot, described_boards(robot, kinematic_boards), kRows, "mode",
                  backends_of(robot)) +
         "\nnative: the board closes that loop; by torque, position, velocity: the stack closes it "
         "on "
         "that\ndrive mode of the board (drive_modes); no: it can't be asked for.\n";
}

std::string call_table(const RobotConfig& robot,
                       const std::vector<JointCapabilities>& kinematic_boards) {
  const std::string name = name_of(backend_parts(robot));
  std::string told = "\n" + table_of(robot, described_boards(robot, kinematic_boards), kCalls,
                                     "call on " + name, backends_of(robot));
  if (name != to_string(BackendKind::kKinematic)) {
    told += "\n" + table_of(robot, kinematic_boards, kCalls, "call on kinematic");
  }
  return told +
         "\nCalls of jointrig::Robot (docs/robot.md), as above; planned: the stack makes the "
         "path;\n"
         "emulated: it makes positions of joints of a tool's; the load alone: it counts, but no "
         "torque carries the arm.\nAll joints of an arm or gripper have to have its calls. `send`, "
         "`stop`, `add_arm`, tool coordinates,\nfilters and limits are on every board; "
         "`set_gravity` "
         "is where no board weighs its own joint.\n";
}

}  // namespace jointrig::app
