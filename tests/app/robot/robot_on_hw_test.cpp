// The same program on sim and on boards over UDP, by one word. The boards are those of `jointrig
// board`, in lockstep: a period of physics for each SYNC.

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

/// The Franka's file with ports of its own.
class FrankaOnFreePorts {
 public:
  FrankaOnFreePorts() {
    folder_ = testing::TempDir() + "jointrig_on_hw_XXXXXX";
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no folder");
    const std::filesystem::path model = std::filesystem::absolute("models/franka");
    std::ifstream file(model / "robot.yaml");
    std::stringstream whole;
    whole << file.rdbuf();
    std::string text = whole.str();
    text = std::regex_replace(text, std::regex("model: franka.xml"),
                              "model: " + (model / "franka.xml").string());
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

}  // namespace
}  // namespace jointrig
