#include <CLI/CLI.hpp>
#include <memory>
#include <numbers>

#include "app/arguments/arguments.h"
#include "app/arguments/shared_arguments.h"
#include "app/boards/board_verb.h"
#include "app/from_to.h"
#include "app/guarded.h"
#include "app/rig/rig.h"
#include "app/wiggle/wiggle_verb.h"

namespace jointrig::app {

void add_board(CLI::App& program, int& code) {
  auto options = std::make_shared<BoardVerbOptions>();
  CLI::App* board = program.add_subcommand(
      "board", "Run virtual boards, and the physics behind them, on all buses of a robot");
  board->add_option("robot", options->robot, "Robot: name or robot.yaml, with buses and drives");
  board
      ->add_option("--eds", options->eds,
                   "Only print the data sheet (EDS) of a board, or of a sensor: for masters and "
                   "tools of others")
      ->expected(0, 1)
      ->default_str("joint")
      ->check(CLI::IsMember({"joint", "force_torque", "imu"}));
  board->add_flag("--free", options->host.free_running,
                  "Physics by this machine's clock, not a period for each SYNC");
  board
      ->add_option("--drift", options->host.drift_ppm,
                   "With --free: the boards' clock is fast by this [ppm]")
      ->check(from_to(-1000.0, 1000.0))
      ->capture_default_str();
  board->add_flag(
      "--own-drives", options->host.own_drives,
      "Keep this file's drives whatever a run's file says of them: to find its mistakes");
  add_settings(*board, "Set a key of robot.yaml", options->settings);
  board->footer(
      "Runs until it is interrupted. In another terminal:\n\n"
      "  jointrig board franka\n"
      "  jointrig run scenarios/joints --backend hw\n"
      "  jointrig board --eds > joint_board.eds");
  board->callback([=, &code] { code = guarded("board", [&] { return board_verb(*options); }); });
}

void add_wiggle(CLI::App& program, int& code) {
  constexpr double kPerDegree = std::numbers::pi / 180.0;
  constexpr double kPerMillimetre = 1e-3;
  auto options = std::make_shared<WiggleVerbOptions>();
  auto backend = std::make_shared<std::string>();
  auto degrees = std::make_shared<double>(options->wiggle.angle / kPerDegree);
  auto millimetres = std::make_shared<double>(options->wiggle.way / kPerMillimetre);
  CLI::App* wiggle = program.add_subcommand(
      "wiggle", "Check that each drive moves its own joint: order, sign, scale, gravity");
  wiggle->add_option("robot", options->robot, "Robot: name or robot.yaml, with buses and drives")
      ->required();
  wiggle->add_option("--joint", options->joints, "Only this joint or part; may be given again");
  add_backend(*wiggle, *backend,
              "Backend of the robot (default: hw, or as its parts have in its robot.yaml)",
              backend_words());
  wiggle->add_option("--angle", *degrees, "How far a hinge goes, each way [deg]")
      ->check(from_to(0.05, 5.0))
      ->capture_default_str();
  wiggle->add_option("--way", *millimetres, "How far a slide goes, each way [mm]")
      ->check(from_to(0.05, 20.0))
      ->capture_default_str();
  wiggle
      ->add_option("--torque", options->wiggle.torque,
                   "How far the torque at rest may be off the model's, of torque_max")
      ->check(from_to(0.001, 1.0))
      ->capture_default_str();
  wiggle->add_flag("--unattended", options->unattended,
                   "On real drives: ask nobody what was seen; drives alone can't tell a wrong "
                   "polarity, gear or number");
  add_settings(*wiggle, "Set a key of robot.yaml", options->settings);
  auto remote = std::make_shared<RemoteRobot>();
  CLI::Option* connect = add_connect_options(
      *wiggle, *remote,
      "Test the robot that is served at HOST, or HOST:PORT (4600 where none is given), under the "
      "lease; ROBOT tells what it should be");
  add_token_option(*wiggle, *remote, *connect);
  add_take_over(*wiggle, *connect, options->take_over);
  connect->excludes(wiggle->get_option("--backend"));
  wiggle->footer(
      "Joint by joint goes a little forth, back and home while the others hold; any other that\n"
      "moves stops them all at once. Its findings:\n\n"
      "  order   another joint moved: two nodes are exchanged\n"
      "  sign    it went the wrong way: polarity\n"
      "  scale   it went n times as far: gear\n"
      "  torque  at rest it carries another weight than the model's\n\n"
      "A drive that is told wrongly is read wrongly too, so somebody has to look: on virtual\n"
      "boards that is the physics behind them, on real drives you, who are asked after each\n"
      "joint. Real drives are started by `jointrig run` only once every joint has passed with\n"
      "these buses, drives and joints; a test over a connection is kept nowhere.\n"
      "Exit code: 0 passed, 1 one did not, 2 could not run.\n\n"
      "  jointrig wiggle my_robot\n"
      "  jointrig wiggle my_robot --joint elbow --angle 1\n"
      "  jointrig wiggle franka --backend boards\n"
      "  jointrig wiggle franka --connect robot:4600");
  wiggle->callback([=, &code] {
    BackendKind kind{};
    if (parse(*backend, kind)) options->backend = kind;
    options->wiggle.angle = kPerDegree * *degrees;
    options->wiggle.way = kPerMillimetre * *millimetres;
    code = guarded("wiggle", [&] {
      if (wiggle->count("--connect") > 0) connect_to(*options, *remote);
      return wiggle_verb(*options);
    });
  });
}

}  // namespace jointrig::app
