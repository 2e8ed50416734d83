// The table of calls of `jointrig inspect` and the robot itself: each call of the table is made on
// a robot with an arm and a gripper, on boards of each kind, and is taken where its cells say so.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/inspect/mode_table.h"
#include "app/robot/robot.h"
#include "app/robot/robot_arm.h"
#include "app/robot/robot_gripper.h"
#include "sim/kinematic_backend.h"
#include "tests/support/told.h"

namespace jointrig::app {
namespace {

using Values = std::vector<double>;

/// The cells of a call, by the first joint of their column.
using Cells = std::map<std::string, std::string>;
/// By the call's name.
using Table = std::map<std::string, Cells>;

std::vector<std::string> split(const std::string& line) {
  static const std::regex gap("  +");
  std::vector<std::string> cells(std::sregex_token_iterator(line.begin(), line.end(), gap, -1), {});
  return cells;
}

/// The first table, of the robot's own backend.
Table table_of(const std::string& printed, const std::string& backend) {
  std::istringstream lines(printed);
  std::string line;
  while (std::getline(lines, line) && !line.starts_with("call on " + backend + "  ")) {
  }
  std::vector<std::string> joints = split(line);
  for (std::string& joint : joints) joint = joint.substr(0, joint.find(' '));
  Table table;
  while (std::getline(lines, line) && !line.empty()) {
    const std::vector<std::string> cells = split(line);
    for (std::size_t i = 1; i < cells.size() && i < joints.size(); ++i) {
      table[cells[0]][joints[i]] = cells[i];
    }
  }
  table.erase("backend");
  return table;
}

bool is_taken(const std::string& cell) { return !cell.starts_with("no: "); }

struct Boards {
  const char* name;
  const char* robot;
  const char* backend;
  const char* settings;
  const char* says;  ///< a cell of the table, so that the kind is the one that is meant
};

// Its file names neither arm nor gripper.
constexpr const char* kSlow = "models/franka/two_wires.yaml";
constexpr const char* kWithWidth =
    "arms: {arm: {part: arm, tool: tool_centre_point}}\ncollision_detection: {on: false}\n"
    "grippers: {hand: {part: hand, open: 0.04 m, closed: 0 m, width: 0.08 m}}";
constexpr const char* kWithoutWidth =
    "arms: {arm: {part: arm, tool: tool_centre_point}}\ncollision_detection: {on: false}\n"
    "grippers: {hand: {part: hand, open: 0.04 m, closed: 0 m}}";

const std::vector<Boards> kBoards{
    {"Sim", "franka", "sim", "", "planned, by torque"},
    {"Kinematic", "franka", "kinematic", "", "the load alone"},
    {"Boards", "franka", "boards", "", "planned, by torque"},
    {"BoardsOnASlowBus", kSlow, "boards", kWithWidth, "no: a cycle of 4 ms, over 2"},
    {"LoopsLeftToTheBoard", "franka", "sim",
     "defaults: {closes_position: board, board: {drive_modes: [off, position, torque]}}",
     "no: its board closes the loop"},
    {"AHandOfPositions", "franka", "sim",
     "joints: {panda_finger_joint1: {board: {drive_modes: [off, position]}}}",
     "no: it has no torque"},
    {"AHandOfVelocities", "franka", "sim",
     "joints: {panda_finger_joint1: {board: {drive_modes: [off, velocity]}}}",
     "planned, by velocity"},
    {"AHandOfImpedance", "franka", "sim",
     "joints: {panda_finger_joint1: {board: {drive_modes: [off, position, impedance]}}}",
     "no: it has no torque"},
    {"AHandOfPositionsOnBoards", "franka", "boards",
     "joints: {panda_finger_joint1: {board: {drive_modes: [off, position]}}}",
     "no: it has no torque"},
    {"AHandThatTellsNoWidth", kSlow, "sim", kWithoutWidth, "no: its gripper has no width"}};

class CallTable : public testing::TestWithParam<Boards> {
 protected:
  CallTable()
      : robot(GetParam().robot, {.backend = GetParam().backend, .settings = GetParam().settings}),
        arm(robot.arm("arm")),
        hand(robot.gripper("hand")) {
    robot.initialize();
    for (const RobotPart* part : {static_cast<RobotPart*>(&arm), static_cast<RobotPart*>(&hand)}) {
      home.push_back(part->commanded_position());
    }
    // Out of its middle, so that it can open and close.
    home[1] = {0.02};
    hand.move_to(home[1]);
    robot.wait();
  }

  /// Sentence that refuses a call, at once or by the loop; empty: it was taken. Comes home again.
  std::string refusal(const std::function<void()>& call) {
    const std::string why = odd::told([&] {
      call();
      for (int i = 0; i < 30; ++i) robot.step();
    });
    robot.soft_stop();
    robot.wait();
    arm.move_to(home[0], 1.0);
    hand.move_to(home[1], 1.0);
    robot.wait();
    return why;
  }

  /// Each call of a part of the robot; `k` is its place in `home`.
  std::map<std::string, std::function<void()>> of_joints(RobotPart& part, std::size_t k) {
    const Values q = home[k];
    Values near = q;
    for (double& x : near) x += 0.002;
    const Values zero(q.size(), 0.0);
    const std::vector<AskedWaypoint> way{{.q = near}};
    Values kp;
    Values ki;
    Values kd;
    for (const JointIndex joint : part.indices()) {
      const JointGains& gains = robot.config().joints[joint].gains;
      kp.push_back(gains.kp);
      ki.push_back(0.0);
      kd.push_back(gains.kd);
    }
    return {
        {"set_position", [=, &part] { part.set_position(near); }},
        {"set_velocity", [=, &part] { part.set_velocity(zero, 0.02); }},
        {"set_torque", [=, &part] { part.set_torque(zero, 0.02); }},
        {"set_pid", [=, &part] { part.set_pid(q, zero); }},
        {"set_pid_gains", [=, &part] { part.set_pid_gains(kp, ki, kd); }},
        {"move_to", [=, &part] { part.move_to(near); }},
        {"set_piecewise_linear", [=, &part] { part.set_piecewise_linear({0.5}, {near}); }},
        {"set_piecewise_cubic", [=, &part] { part.set_piecewise_cubic({0.5}, {near}, {zero}); }},
        {"follow", [=, &part] { part.follow(way); }},
        {"set_target", [=, &part] { part.set_target(near); }},
        {"set_velocity_target", [=, &part] { part.set_velocity_target(zero); }},
        {"append_move_to", [=, &part] { part.append_move_to(near); }},
        {"append_piecewise_linear", [=, &part] { part.append_piecewise_linear({0.5}, {near}); }},
        {"append_piecewise_cubic",
         [=, &part] { part.append_piecewise_cubic({0.5}, {near}, {zero}); }},
        {"append_follow", [=, &part] { part.append_follow(way); }},
    };
  }

  std::map<std::string, std::function<void()>> of_arm() {
    ToolPose near = arm.commanded_tool_pose();
    near.position[2] -= 0.01;
    ArmWaypoint down;
    down.by = {{0.0, 0.0, -0.01}};
    Values q = home[0];
    q[0] += 0.01;
    const std::vector<AskedWaypoint> way{{.q = q}};
    const Six nothing{};
    return {
        {"set_cartesian_position", [=, this] { arm.set_cartesian_position(near); }},
        {"set_cartesian_velocity", [=, this] { arm.set_cartesian_velocity(nothing, 0.02); }},
        {"set_cartesian_force", [=, this] { arm.set_cartesian_force(nothing, 0.02); }},
        {"set_gravity_compensation", [=, this] { arm.set_gravity_compensation(true, {0.5}); }},
        {"move_cartesian", [=, this] { arm.move_cartesian(near); }},
        {"move_linear", [=, this] { arm.move_linear(near); }},
        {"move_linear_if",
         [=, this] { arm.move_linear_if(near, [](const Values&) { return true; }); }},
        {"follow_tool", [=, this] { arm.follow_tool({down}); }},
        {"append_move_cartesian", [=, this] { arm.append_move_cartesian(near); }},
        {"append_move_linear", [=, this] { arm.append_move_linear(near); }},
        {"append_follow_tool", [=, this] { arm.append_follow_tool({down}); }},
        {"move_linear_with", [=, this] { arm.move_linear_with({}, near); }},
        {"follow_with", [=, this] { arm.follow_with({}, way); }},
    };
  }

  std::map<std::string, std::function<void()>> of_hand() {
    return {
        {"open", [this] { hand.open(); }},       {"close", [this] { hand.close(); }},
        {"move", [this] { hand.move(0.05); }},   {"move_share", [this] { hand.move_share(0.6); }},
        {"grasp", [this] { hand.grasp(20.0); }},
    };
  }

  /// Makes each call, and holds its cells in the columns of a part's joints to what came of it.
  void compare(const Table& table, const RobotPart& part,
               const std::map<std::string, std::function<void()>>& calls) {
    for (const auto& [name, call] : calls) {
      SCOPED_TRACE(part.name() + "." + name);
      const auto row = table.find(name);
      ASSERT_NE(row, table.end()) << "it has no row";
      bool is_foretold = true;
      std::string cells;
      for (const std::string& joint : part.joint_names()) {
        const auto cell = row->second.find(joint);
        if (cell == row->second.end()) continue;  // as the column of another joint
        is_foretold = is_foretold && is_taken(cell->second);
        cells += joint + ": " + cell->second + "; ";
      }
      ASSERT_NE(cells, "") << "no column is of " << part.name();
      const std::string why = refusal(call);
      EXPECT_EQ(why.empty(), is_foretold) << cells << "told: " << why;
      made.insert(name);
    }
  }

  Robot robot;
  RobotArm arm;
  RobotGripper hand;
  std::vector<Values> home;  ///< of arm and hand
  std::set<std::string> made;
};
INSTANTIATE_TEST_SUITE_P(Inspect, CallTable, testing::ValuesIn(kBoards),
                         [](const auto& boards) { return std::string(boards.param.name); });

TEST_P(CallTable, TellsOfEachCallWhatTheRobotDoesWithIt) {
  const std::vector<JointCapabilities> kinematic =
      sim::KinematicBackend(robot.config()).description().joints;
  const std::string printed = call_table(robot.config(), kinematic);
  ASSERT_NE(printed.find(GetParam().says), std::string::npos) << printed;
  const Table table = table_of(printed, GetParam().backend);
  compare(table, arm, of_joints(arm, 0));
  compare(table, hand, of_joints(hand, 1));
  compare(table, arm, of_arm());
  compare(table, hand, of_hand());
  for (const auto& [name, cells] : table) EXPECT_TRUE(made.contains(name)) << name;
  EXPECT_EQ(made.size(), table.size());
}

// A load alone is taken without torque, and counts.
TEST(LoadAlone, IsTheRobotsThoughNoTorqueCarriesTheArm) {
  Robot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  robot.arm("arm").set_gravity_compensation(true, {.mass = 0.5});
  robot.step();
  EXPECT_EQ(robot.snapshot().arms[0].payload.mass, 0.5);
}

}  // namespace
}  // namespace jointrig::app
