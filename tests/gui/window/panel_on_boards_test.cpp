/// The panel on virtual boards in another program: the view of a person, and the state after either
/// side is killed. JOINTRIG names the program.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "app/boards/side_line_client.h"
#include "app/gui/board_search.h"
#include "control/core/backend_parts.h"
#include "harness/runner/scenario_reader.h"
#include "tests/gui/window/robot_hand.h"

namespace jointrig::gui {
namespace {

constexpr const char* kPanelMarker = "panel-runs";  ///< written by the panel that is to be killed
constexpr const char* kRobotOfPanel = "JOINTRIG_TEST_ROBOT";

/// Free ports of this machine. They are taken until the last one is found: else the same port may
/// come twice.
class FreePorts {
 public:
  FreePorts() = default;
  ~FreePorts() {
    for (const int socket : sockets_) ::close(socket);
  }
  FreePorts(const FreePorts&) = delete;
  FreePorts& operator=(const FreePorts&) = delete;

  int next(int kind) {
    const int socket = sockets_.emplace_back(::socket(AF_INET, kind, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size), 0);
    return ntohs(address.sin_port);
  }

 private:
  std::vector<int> sockets_;
};

void replace_all(std::string& text, const std::string& old, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += with.size()) {
    text.replace(at, old.size(), with);
  }
}

/// The franka on ports of its own, with cycles that a busy machine has time for.
std::string robot_on_free_ports() {
  const std::filesystem::path models = std::getenv("JOINTRIG_MODELS");
  std::ifstream file(models / "franka/robot.yaml");
  std::ostringstream read;
  read << file.rdbuf();
  std::string text = read.str();
  replace_all(text, "model: franka.xml", "model: " + (models / "franka/franka.xml").string());
  FreePorts ports;
  replace_all(text, "127.0.0.1:20010", "127.0.0.1:" + std::to_string(ports.next(SOCK_STREAM)));
  for (int old = 20011; old < 20030; ++old) {
    if (text.find(std::to_string(old)) == std::string::npos) continue;
    replace_all(text, std::to_string(old), std::to_string(ports.next(SOCK_DGRAM)));
  }
  // The longest period at which the stack closes the position loop: idle joints swing, and a
  // drive's own loop would catch them hard.
  std::ofstream("on_boards.yaml") << text << "period: 2 ms\n";
  return std::filesystem::absolute("on_boards.yaml").string();
}

/// A program that ends with the test.
class Program {
 public:
  Program(const std::vector<std::string>& words, const char* output) : id_(fork_without(output)) {
    if (id_ != 0) return;
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    // It runs the test that it is told, whatever this one's share.
    ::unsetenv("GTEST_TOTAL_SHARDS");
    ::unsetenv("GTEST_SHARD_INDEX");
    if (std::freopen(output, "w", stdout) != nullptr) ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~Program() { kill(); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  void kill() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
    id_ = 0;
  }

 private:
  /// A test that waits for a line of the program doesn't find that of the program before.
  static pid_t fork_without(const char* output) {
    std::filesystem::remove(output);
    return ::fork();
  }

  pid_t id_;
};

bool comes_true(double seconds, const std::function<bool()>& is_so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

bool has_line(const std::string& path, const std::string& begin) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(begin)) return true;
  }
  return false;
}

app::GuiRobot on_buses(const std::string& path) {
  app::GuiRobot robot = app::robot_called(path);
  robot.backend = BackendKind::kHw;
  return robot;
}

struct PanelOnBoards : ::testing::Test {
  PanelOnBoards()
      : robot(robot_on_free_ports()),
        boards({std::getenv("JOINTRIG"), "board", robot, "--free"}, "boards.txt") {
    EXPECT_TRUE(comes_true(60.0, [] { return has_line("boards.txt", "ready"); }));
  }
  std::string robot;
  Program boards;
};

std::string modes_of(const Snapshot& snapshot) {
  std::string modes;
  for (const JointSnapshot& joint : snapshot.joints) {
    modes += " " + std::string(to_string(joint.mode));
    if (joint.fault) modes += " (" + std::string(to_string(joint.fault.code)) + ")";
  }
  return modes;
}

void run_all(app::GuiSession& session, testing::RobotHand& hand) {
  hand.click("access/ARMED");
  hand.hold("group/RunAll", 1.1);
  ASSERT_TRUE(hand.wait_for(10.0,
                            [&] {
                              for (const JointSnapshot& joint : session.panel().snapshot().joints) {
                                if (joint.mode != JointMode::kPosition) return false;
                              }
                              return true;
                            }))
      << session.panel().notice() << modes_of(session.panel().snapshot());
}

TEST_F(PanelOnBoards, AJointIsRunAndMovedAndOfBoardsThatDieTheFaultIsRead) {
  app::GuiSession session(on_buses(robot), 1920, 1080);
  testing::RobotHand hand(session);
  EXPECT_FALSE(session.panel().robot().real) << "the boards said that they are virtual";
  EXPECT_EQ(session.panel().robot().simulation, nullptr) << "boards can't be paused";
  EXPECT_TRUE(hand.sees("bus"));
  EXPECT_FALSE(hand.sees("sim/pause"));
  ASSERT_NO_FATAL_FAILURE(run_all(session, hand));
  const auto joint = [&]() -> const JointSnapshot& { return session.panel().snapshot().joints[0]; };
  const double before = joint().state.q;
  hand.click("size/full");
  hand.drag("joint/panda_joint1/position/slider", 0.5, 0.6);
  EXPECT_TRUE(hand.wait_for(8.0, [&] { return std::abs(joint().state.q - before) > 0.2; }))
      << joint().state.q << ": " << session.panel().notice();
  EXPECT_EQ(session.panel().watch.bus().silent, 0U);
  hand.picture("virtual-boards");

  boards.kill();
  ASSERT_TRUE(hand.wait_for(10.0, [&] { return joint().mode == JointMode::kHwFault; }));
  EXPECT_EQ(joint().fault.code, FaultCode::kBoardLost);
  EXPECT_EQ(session.panel().watch.bus().silent, session.panel().watch.bus().boards);
  hand.click("side/Faults");
  hand.look(0.3);
  EXPECT_TRUE(hand.sees("silent/panda_joint1/force_idle")) << "one card for a cause";
  EXPECT_FALSE(hand.sees("fault/panda_joint1/force_idle"));
  EXPECT_TRUE(session.panel().watch.status(0).silent);
  const std::uint64_t cycle = session.panel().snapshot().cycle;
  EXPECT_TRUE(hand.wait_for(5.0, [&] { return session.panel().snapshot().cycle > cycle + 50; }))
      << "the loop goes on";
  hand.picture("boards-are-gone");
}

TEST_F(PanelOnBoards, BoardsThatDieAndAreStartedAgainAreTakenBackByTheSamePanel) {
  app::GuiSession session(on_buses(robot), 1920, 1080);
  testing::RobotHand hand(session);
  ASSERT_NO_FATAL_FAILURE(run_all(session, hand));
  const auto all_are = [&](JointMode mode) {
    for (const JointSnapshot& joint : session.panel().snapshot().joints) {
      if (joint.mode != mode) return false;
    }
    return true;
  };
  const auto all_are_silent = [&] {
    return session.panel().watch.bus().silent == session.panel().watch.bus().boards;
  };
  boards.kill();
  ASSERT_TRUE(
      hand.wait_for(10.0, [&] { return all_are(JointMode::kHwFault) && all_are_silent(); }));
  Program again({std::getenv("JOINTRIG"), "board", robot, "--free"}, "boards-again.txt");
  ASSERT_TRUE(hand.wait_for(60.0, [&] { return session.panel().watch.silent_groups().empty(); }));
  hand.look(0.5);
  EXPECT_TRUE(all_are(JointMode::kHwFault))
      << "back, and off" << modes_of(session.panel().snapshot());
  JointSet all;
  for (std::size_t i = 0; i < session.panel().snapshot().joints.size(); ++i) all.set(i);
  session.panel().acts.act(PanelAct::kForceIdle, all);
  ASSERT_TRUE(hand.wait_for(5.0, [&] { return all_are(JointMode::kIdle); }))
      << modes_of(session.panel().snapshot());
  ASSERT_NO_FATAL_FAILURE(run_all(session, hand));
}

using Waits = app::WaitRoom::Result;

Waits wait_in(app::WaitRoom& room, double seconds, const std::function<bool()>& is_so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    const Waits now = room.frame();
    if (now != Waits::kWaits || is_so()) return now;
  }
  return Waits::kWaits;
}

void press_in(app::WaitRoom& room, const std::string& item) {
  ASSERT_EQ(room.items().count(item), 1U) << item;
  const ImVec4 at = room.items().at(item);
  const std::string to = "xdotool mousemove " + std::to_string(static_cast<int>(at.x + 5)) + " " +
                         std::to_string(static_cast<int>(at.y + 5));
  ASSERT_EQ(std::system(to.c_str()), 0);
  wait_in(room, 0.3, [] { return false; });
  ASSERT_EQ(std::system("xdotool mousedown 1"), 0);
  wait_in(room, 0.2, [] { return false; });
  ASSERT_EQ(std::system("xdotool mouseup 1"), 0);
}

TEST(WaitingForBoards, APageNamesEachBoardUntilTheyAreStartedAndThenThePanelOpens) {
  const std::string robot = robot_on_free_ports();
  const auto screen = app::GuiApp::screen_for(1280, 800, {});
  {
    app::WaitRoom room(screen, on_buses(robot));
    ASSERT_EQ(wait_in(room, 60.0, [&] { return room.wait().tries() > 0; }), Waits::kWaits);
    room.frame();
    for (int i = 1; i <= 7; ++i) {
      const std::string number = std::to_string(i);
      EXPECT_EQ(room.items().count("wait/panda_joint" + number), 1U);
      EXPECT_EQ(room.items().count("wait/bus/wire" + number), 1U);
      EXPECT_EQ(room.wait().buses()[0].boards[0].heard, Heard::kNothing);
    }
    EXPECT_EQ(room.wait().ready(), 0U);
    room.screenshot("waiting-for-boards.png");

    Program boards({std::getenv("JOINTRIG"), "board", robot, "--free"}, "boards-late.txt");
    ASSERT_TRUE(comes_true(60.0, [] { return has_line("boards-late.txt", "ready"); }));
    press_in(room, "wait/try_now");
    ASSERT_EQ(wait_in(room, 60.0, [] { return false; }), Waits::kFound);
    app::GuiApp app(on_buses(robot), screen, {});
    testing::RobotHand hand(app);
    EXPECT_TRUE(hand.sees("bus"));
    EXPECT_FALSE(hand.sees("sim/pause"));
  }
  app::WaitRoom room(screen, on_buses(robot));
  wait_in(room, 0.5, [] { return false; });
  ASSERT_NO_FATAL_FAILURE(press_in(room, "wait/simulation"));
  EXPECT_EQ(wait_in(room, 10.0, [] { return false; }), Waits::kSimulation);
}

TEST(WaitingForBoards, DoesNotWaitForWhatWaitingCannotMend) {
  app::GuiRobot robot = app::robot_called("icub");
  robot.backend = BackendKind::kHw;
  const auto screen = app::GuiApp::screen_for(640, 480, {});
  app::WaitRoom room(screen, robot);
  EXPECT_THROW(wait_in(room, 60.0, [] { return false; }), std::invalid_argument)
      << "it names no buses";
}

std::string scenario_for(const std::string& robot, const std::string& more = "") {
  return "schema: 1\nscenario: on_boards\nabout: Bends the elbow, and bends it again.\nrobot: " +
         robot + "\n" + more +
         "steps:\n"
         "  - set_mode: {joints: arm, mode: position}\n"
         "  - move: {joints: {panda_joint4: -110 deg}, speed: 60 deg/s}\n"
         "  - move: {joints: {panda_joint4: -90 deg}, speed: 60 deg/s}\n"
         "assert:\n"
         "  at_end:\n"
         "    - {expr: abs(truth.panda_joint4.q + 90 deg) < 1 deg}\n";
}

TEST_F(PanelOnBoards, AScenarioRunsOnTheRobotAsItStandsAndABreakpointHoldsItsStepsAlone) {
  std::ofstream("on_boards_scenario.yaml") << scenario_for(robot);
  const harness::Scenario scenario = harness::read_scenarios("on_boards_scenario.yaml").front();
  app::GuiSession session(app::robot_for(scenario, on_buses(robot), false), 1920, 1080);
  testing::RobotHand hand(session);
  const auto desk = [&]() -> ScenarioDesk& { return session.desks().scenario; };
  ASSERT_NO_FATAL_FAILURE(run_all(session, hand));
  const std::uint64_t began = session.panel().snapshot().cycle;
  hand.click("side/Scenario");
  hand.look(0.5);
  ASSERT_NE(desk().chosen(), nullptr);
  for (const bool again : {false, true}) {
    hand.click("scenario/break/2");
    hand.click("scenario/run");
    if (again) break;
    ASSERT_TRUE(hand.wait_for(10.0, [&] { return desk().held(); })) << session.panel().notice();
    const std::uint64_t cycle = session.panel().snapshot().cycle;
    EXPECT_TRUE(hand.wait_for(5.0, [&] { return session.panel().snapshot().cycle > cycle + 50; }))
        << "boards wait for nobody";
    EXPECT_TRUE(desk().held());
    hand.picture("scenario-on-boards");
    hand.click("scenario/go_on");
    ASSERT_TRUE(hand.wait_for(15.0, [&] { return desk().outcome() != nullptr; }));
    EXPECT_TRUE(desk().outcome()->passed) << desk().outcome()->reason;
  }
  ASSERT_TRUE(hand.wait_for(15.0, [&] { return desk().outcome() != nullptr; }));
  EXPECT_TRUE(desk().outcome()->passed) << "a second time: " << desk().outcome()->reason;
  EXPECT_GT(session.panel().snapshot().cycle, began) << "the robot was not opened anew";
  for (const JointSnapshot& joint : session.panel().snapshot().joints) {
    EXPECT_EQ(joint.mode, JointMode::kPosition);
  }

  hand.click("scenario/run");
  ASSERT_TRUE(hand.wait_for(5.0, [&] { return desk().running(); }));
  boards.kill();
  ASSERT_TRUE(hand.wait_for(15.0, [&] { return desk().outcome() != nullptr; }));
  EXPECT_FALSE(desk().outcome()->passed) << "boards that die under it";
}

TEST_F(PanelOnBoards, AScenarioThatWantsAnotherRobotOrOtherSettingsIsRefused) {
  std::ofstream("on_boards_scenario.yaml")
      << scenario_for(robot, "config: {speed_override: 0.3}\n");
  const app::GuiRobot opened = on_buses(robot);
  const RobotConfig running = as_asked(app::config_of(opened), opened.backend);
  const auto why = [&](const std::string& file) {
    return app::why_not_as_it_stands(harness::read_scenarios(file).front(), opened, running, true);
  };
  EXPECT_NE(why("on_boards_scenario.yaml")
                .find("on_boards_scenario.yaml:5:9: on_boards changes the "
                      "robot's settings, and boards that run keep theirs; "
                      "close the panel, then: jointrig run"),
            std::string::npos)
      << why("on_boards_scenario.yaml");
  std::ofstream("on_boards_scenario.yaml")
      << scenario_for(robot, "config: {plant: {friction_scale: 0}}\n");
  EXPECT_EQ(why("on_boards_scenario.yaml"), "") << "real drives have a physics of their own";
  std::ofstream("on_boards_scenario.yaml") << scenario_for("sawyer");
  EXPECT_EQ(why("on_boards_scenario.yaml"),
            "on_boards is for sawyer, and these are the boards of franka");
}

TEST_F(PanelOnBoards, APanelThatIsKilledLeavesNoMotorFollowingItsLastOrder) {
  std::filesystem::remove(kPanelMarker);
  ::setenv(kRobotOfPanel, robot.c_str(), 1);
  Program panel({std::filesystem::read_symlink("/proc/self/exe").string(),
                 "--gtest_filter=*PanelToBeKilled*", "--gtest_also_run_disabled_tests"},
                "killed-panel.txt");
  ASSERT_TRUE(comes_true(90.0, [] { return std::filesystem::exists(kPanelMarker); }));
  panel.kill();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto line =
      app::SideLineClient::find(app::load_robot(harness::find_robot(robot)).config.virtual_boards);
  ASSERT_TRUE(line);
  app::RemoteWorld world(*line);
  std::vector<harness::World::Handle> torques;
  for (int i = 1; i <= 7; ++i) {
    const auto torque = world.find_truth("truth.panda_joint" + std::to_string(i) + ".tau");
    ASSERT_TRUE(torque);
    torques.push_back(*torque);
  }
  world.update();
  for (const harness::World::Handle torque : torques) {
    EXPECT_EQ(world.truth(torque), 0.0) << "a drive that hears no SYNC is off";
  }
}

/// The other side of the test above, in a program of its own.
TEST(PanelProcess, DISABLED_PanelToBeKilled) {
  const char* const robot = std::getenv(kRobotOfPanel);
  ASSERT_NE(robot, nullptr);
  app::GuiSession session(on_buses(robot), 1920, 1080);
  testing::RobotHand hand(session);
  ASSERT_NO_FATAL_FAILURE(run_all(session, hand));
  hand.hold("group/HomeAll", 1.1);
  std::ofstream(kPanelMarker) << "in motion\n";
  hand.look(120.0);
  FAIL() << "nobody killed it";
}

}  // namespace
}  // namespace jointrig::gui
