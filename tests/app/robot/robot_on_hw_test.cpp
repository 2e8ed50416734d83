// The same program on sim and on boards over UDP, by one word, and robots whose arm is on these
// boards while other parts are on other backends. The boards are those of `jointrig board`, in
// lockstep: a period of physics for each SYNC.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/boards/board_host.h"
#include "app/rig/robot_loading.h"
#include "app/robot/robot_arm.h"
#include "app/robot/robot_gripper.h"

namespace jointrig {
namespace {

using Values = std::vector<double>;

/// Ports of this machine that nobody uses just now: all are held until the last is found.
class FreePorts {
 public:
  ~FreePorts() {
    for (const int each : sockets_) close(each);
  }
  int next(int type) {
    const int socket_of_it = socket(AF_INET, type, 0);
    sockets_.push_back(socket_of_it);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    void* const address = &at;
    if (bind(socket_of_it, static_cast<sockaddr*>(address), size) != 0 ||
        getsockname(socket_of_it, static_cast<sockaddr*>(address), &size) != 0) {
      throw std::runtime_error("no free port");
    }
    return ntohs(at.sin_port);
  }

 private:
  std::vector<int> sockets_;
};

/// Texts that stand in a file once each, and what is to stand in their place.
using Changes = std::vector<std::pair<std::string, std::string>>;

std::string text_of(const std::filesystem::path& path, const Changes& changes) {
  std::ifstream file(path);
  std::stringstream whole;
  whole << file.rdbuf();
  std::string text = whole.str();
  for (const auto& [old, fresh] : changes) {
    const std::size_t at = text.find(old);
    if (at == std::string::npos) throw std::runtime_error("no \"" + old + "\" in " + path.string());
    text.replace(at, old.size(), fresh);
  }
  return text;
}

/// The Franka's file with ports of its own, and with what a test changes in it and in its model.
class FrankaOnFreePorts {
 public:
  explicit FrankaOnFreePorts(const Changes& in_file = {}, const Changes& in_model = {}) {
    folder_ = testing::TempDir() + "jointrig_on_hw_XXXXXX";
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no folder");
    const std::filesystem::path model = std::filesystem::absolute("models/franka");
    std::string text = text_of(model / "robot.yaml", in_file);
    std::ofstream(folder_ + "/franka.xml") << text_of(model / "franka.xml", in_model);
    FreePorts ports;
    std::map<std::string, int> given;
    const std::regex port("\\b200[12]\\d\\b");
    for (std::sregex_iterator at(text.begin(), text.end(), port), end; at != end; ++at) {
      const bool is_side_line = at->str() == "20010";
      const auto [entry, is_new] = given.try_emplace(at->str(), 0);
      if (is_new) entry->second = ports.next(is_side_line ? SOCK_STREAM : SOCK_DGRAM);
    }
    for (const auto& [old, fresh] : given) {
      text = std::regex_replace(text, std::regex("\\b" + old + "\\b"), std::to_string(fresh));
    }
    if (given.empty()) throw std::runtime_error("the Franka's file has no ports any more");
    std::ofstream(path()) << text;
  }
  ~FrankaOnFreePorts() { std::filesystem::remove_all(folder_); }
  FrankaOnFreePorts(const FrankaOnFreePorts&) = delete;
  FrankaOnFreePorts& operator=(const FrankaOnFreePorts&) = delete;

  [[nodiscard]] std::string path() const { return folder_ + "/robot.yaml"; }

 private:
  std::string folder_;
};

/// Its boards, on a thread of their own.
class Boards {
 public:
  explicit Boards(const std::string& robot)
      : host_(app::load_robot(harness::find_robot(robot)).config, {}),
        thread_([this] { host_.run(stop_); }) {}
  ~Boards() {
    stop_ = true;
    thread_.join();
  }
  Boards(const Boards&) = delete;
  Boards& operator=(const Boards&) = delete;

 private:
  std::atomic<bool> stop_{false};
  app::BoardHost host_;
  std::thread thread_;
};

/// Where the arm rests after each of its motions.
struct Tour {
  std::string backend;
  std::vector<Values> sensed;
  std::vector<Values> commanded;
  ToolPose tool;
};

Tour program(const std::string& file, const std::string& backend) {
  Robot robot(file, {.backend = backend, .speed_override = 1.0});
  robot.initialize();
  RobotArm arm = robot.arm("arm");
  Tour tour;
  tour.backend = robot.backend();
  const Values home = arm.commanded_position();
  const auto rest = [&] {
    robot.wait();
    tour.commanded.push_back(arm.commanded_position());
    for (int k = 0; k < 300; ++k) robot.step();  // the arm comes up with its reference
    tour.sensed.push_back(arm.sensed_position());
  };
  Values there = home;
  there[0] += 0.2;
  arm.move_to(there);
  rest();
  arm.set_piecewise_linear({0.5}, {home});
  arm.append_follow({{.q = there}, {.q = home}});
  rest();
  Values v(arm.joint_count(), 0.0);
  v[0] = 0.3;
  arm.set_velocity(v, 0.4);
  rest();
  arm.set_target(home);
  rest();
  ToolPose down = arm.commanded_tool_pose();
  down.position[2] -= 0.05;
  arm.move_linear(down);
  rest();
  tour.tool = arm.commanded_tool_pose();
  robot.gripper().move(0.03);
  rest();
  return tour;
}

TEST(RobotOnHw, AProgramDoesTheSameOverTheBusesAsInSimByOneWord) {
  const FrankaOnFreePorts franka;
  const Tour sim = program(franka.path(), "sim");
  const Boards boards(franka.path());
  const Tour hw = program(franka.path(), "hw");
  EXPECT_EQ(sim.backend, "sim");
  EXPECT_EQ(hw.backend, "hw");
  ASSERT_EQ(hw.sensed.size(), sim.sensed.size());
  for (std::size_t k = 0; k < sim.sensed.size(); ++k) {
    for (std::size_t j = 0; j < sim.sensed[k].size(); ++j) {
      EXPECT_NEAR(hw.commanded[k][j], sim.commanded[k][j], 1e-4) << k << ", joint " << j + 1;
      // Friction lets each rest within its own band.
      EXPECT_NEAR(hw.sensed[k][j], sim.sensed[k][j], 4e-3) << k << ", joint " << j + 1;
    }
  }
  EXPECT_NEAR(hw.commanded[2][0] - hw.commanded[1][0], 0.3 * 0.4, 1e-3) << "v T";
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(hw.tool.position[i], sim.tool.position[i], 1e-4);
}

// Parts on other backends -------------------------------------------------------------------------

TEST(RobotOnHw, AnArmOnItsBusesGoesItsWaysWithAHandThatIsNotThereYet) {
  const Changes in_file{
      {"schema: 1\n", "schema: 1\nbackend: hw\n"},
      {"  hand:\n    velocity_max", "  hand:\n    backend: kinematic\n    velocity_max"}};
  const FrankaOnFreePorts franka(in_file);
  const Tour sim = program(franka.path(), "sim");
  const Boards boards(franka.path());
  const Tour joined = program(franka.path(), "");
  EXPECT_EQ(joined.backend, "hw+kinematic");
  ASSERT_EQ(joined.sensed.size(), sim.sensed.size());
  for (std::size_t k = 0; k < sim.sensed.size(); ++k) {
    for (std::size_t j = 0; j < sim.sensed[k].size(); ++j) {
      EXPECT_NEAR(joined.commanded[k][j], sim.commanded[k][j], 1e-4) << k << ", joint " << j + 1;
      EXPECT_NEAR(joined.sensed[k][j], sim.sensed[k][j], 4e-3) << k << ", joint " << j + 1;
    }
  }
}

/// The Franka on a base that rolls along x and turns: the arm on its buses, the hand in physics,
/// the base without dynamics and with a cycle of its own.
FrankaOnFreePorts rolling_franka() {
  return FrankaOnFreePorts(
      {{"schema: 1\n", "schema: 1\nbackend: hw\n"},
       {"parts:\n", "parts:\n  base: [base_x, base_turn]\n"},
       {"  hand:\n    velocity_max", "  hand:\n    backend: sim\n    velocity_max"},
       {"joints:\n", "joints:\n  base: {backend: kinematic, cycle: 4 ms}\n"}},
      {{"<body name=\"panda_link0\" childclass=\"franka\">",
        "<body name=\"panda_link0\" childclass=\"franka\">"
        "<joint name=\"base_x\" type=\"slide\" axis=\"1 0 0\" range=\"-1 1\" armature=\"20\"/>"
        "<joint name=\"base_turn\" axis=\"0 0 1\" range=\"-2 2\" armature=\"5\"/>"},
       {"<actuator>",
        "<actuator><motor name=\"base_x\" joint=\"base_x\" ctrlrange=\"-400 400\"/>"
        "<motor name=\"base_turn\" joint=\"base_turn\" ctrlrange=\"-200 200\"/>"},
       {"name=\"home\" qpos=\"", "name=\"home\" qpos=\"0 0 "},
       {"name=\"ready\" qpos=\"", "name=\"ready\" qpos=\"0 0 "}});
}

TEST(RobotOnHw, AnArmOnItsBusesAHandInPhysicsAndABaseWithoutAreOneRobot) {
  const FrankaOnFreePorts franka = rolling_franka();
  const Boards boards(franka.path());
  Robot robot(franka.path(), {.speed_override = 1.0});
  for (const char* part : {"hw", "sim", "kinematic"}) {
    EXPECT_NE(robot.backend().find(part), std::string::npos) << robot.backend();
  }
  robot.initialize();
  RobotPart base = robot.part("base");
  RobotArm arm = robot.arm("arm");
  RobotGripper hand = robot.gripper();

  // All at once: one clock, each part at its own rate.
  const ToolPose before = arm.commanded_tool_pose(ToolFrame::kBase);
  Values goal = arm.commanded_position();
  goal[0] += 0.2;
  goal[3] -= 0.1;
  const double x = 0.3;
  const double turn = 0.5;
  base.move_to({x, turn});
  arm.move_to(goal);
  hand.move(0.03);
  double off = 0.0;  // of the base from its reference
  do {
    robot.step();
    off = std::max(off, std::abs(base.sensed_position()[0] - base.commanded_position()[0]));
  } while (robot.is_moving());
  robot.wait();
  for (int k = 0; k < 300; ++k) robot.step();
  EXPECT_LT(off, 0.01) << "by what it goes in the cycles of its own";
  EXPECT_NEAR(base.sensed_position()[0], x, 1e-3);
  EXPECT_NEAR(base.sensed_position()[1], turn, 1e-3);
  for (std::size_t i = 0; i < goal.size(); ++i) {
    EXPECT_NEAR(arm.sensed_position()[i], goal[i], 4e-3) << i;
  }
  EXPECT_NEAR(hand.width(), 0.03, 1e-3);

  // The tool in the world is carried by the base: p_W = x + R_z(turn) p_B, by hand.
  const ToolPose in_base = arm.commanded_tool_pose(ToolFrame::kBase);
  const ToolPose in_world = arm.commanded_tool_pose();
  const auto& p = in_base.position;
  EXPECT_NEAR(in_world.position[0], x + std::cos(turn) * p[0] - std::sin(turn) * p[1], 2e-4);
  EXPECT_NEAR(in_world.position[1], std::sin(turn) * p[0] + std::cos(turn) * p[1], 2e-4);
  EXPECT_NEAR(in_world.position[2], p[2], 2e-4);
  EXPECT_GT(std::abs(p[1] - before.position[1]), 0.05) << "the arm moved, too";

  // The tool goes straight in the world, whose axes aren't the base's.
  ToolPose aside = in_world;
  aside.position[1] += 0.05;
  arm.move_linear(aside);
  robot.wait();
  EXPECT_NEAR(arm.commanded_tool_pose().position[0], in_world.position[0], 1e-4);
  EXPECT_NEAR(arm.commanded_tool_pose().position[1], in_world.position[1] + 0.05, 1e-4);

  // Physics has torque for the hand: it presses where the kinematic one would refuse to.
  hand.grasp(20.0);
  robot.wait();
  EXPECT_EQ(hand.state(), GripperState::kMissed) << "there is nothing between the fingers";
  try {
    base.set_torque({0.0, 0.0});
    robot.step();
    ADD_FAILURE() << "the base has no torque";
  } catch (const Refused& refused) {
    EXPECT_NE(std::string(refused.what()).find("base_x"), std::string::npos) << refused.what();
  }

  // A stop reaches every part.
  base.set_velocity({0.1, 0.0});
  Values v(arm.joint_count(), 0.0);
  v[0] = 0.2;
  arm.set_velocity(v);
  for (int k = 0; k < 300; ++k) robot.step();
  EXPECT_GT(base.commanded_velocity()[0], 0.05);
  EXPECT_GT(arm.commanded_velocity()[0], 0.1);
  robot.estop();
  for (int k = 0; k < 700; ++k) robot.step();
  for (const double speed : robot.commanded_velocity()) EXPECT_EQ(speed, 0.0);
}

}  // namespace
}  // namespace jointrig
