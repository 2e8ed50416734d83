#include "app/wiggle/wiggle_verb.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <numbers>

#include "app/file_signals.h"
#include "app/realtime/realtime.h"
#include "app/run/same_robot.h"
#include "app/wiggle/said_lines.h"
#include "app/wiggle/served_wiggle.h"
#include "app/wiggle/wiggle_record.h"
#include "app/wiggle/wiggle_test.h"

namespace jointrig::app {
namespace {

constexpr int kFailed = 1;

/// The backend of the whole robot; none where the file has some of its joints on drives.
std::optional<BackendKind> backend_of(const WiggleVerbOptions& options, const RobotConfig& robot) {
  if (options.backend || runs_on(BackendKind::kHw, robot, {})) return options.backend;
  return BackendKind::kHw;
}

/// @param robot  as the drives' backend has it: joints of others have no drive to look for
std::vector<JointIndex> chosen(const RobotConfig& robot, const std::vector<std::string>& names) {
  std::vector<JointIndex> joints;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (robot.elsewhere.test(i)) continue;
    bool is_chosen = names.empty();
    for (const std::string& name : names) {
      is_chosen = is_chosen || joints_named(robot, name).test(i);
    }
    if (is_chosen) joints.push_back(static_cast<JointIndex>(i));
  }
  return joints;
}

void print_head() {
  std::printf("%-22s %10s %10s %10s %11s %11s  %s\n", "joint", "told", "reported", "truth",
              "torque", "gravity", "");
}

void print_row(const RobotConfig& robot, const WiggleVerdict& verdict) {
  const JointConfig& joint = robot.joints[verdict.joint];
  const double per_si = joint.slide ? 1e3 : 180.0 / std::numbers::pi;
  const char* unit = joint.slide ? "mm" : "deg";
  const std::string truth = verdict.truth ? fmt::format("{:.3f}", per_si * *verdict.truth) : "-";
  std::printf("%-22s %6.3f %-3s %10.3f %10s %11.3f %11.3f  %s\n", joint.name.c_str(),
              per_si * verdict.asked, unit, per_si * verdict.reported, truth.c_str(),
              verdict.torque, verdict.gravity, std::string(to_string(verdict.finding)).c_str());
  std::fflush(stdout);
}

/// Facts that no drive can report by itself.
bool was_seen(const RobotConfig& robot, WiggleVerdict& verdict, WiggleTest& test, SaidLines& said) {
  if (verdict.finding != WiggleFinding::kPassed) return true;
  const JointConfig& joint = robot.joints[verdict.joint];
  const double half = 0.5 * verdict.asked * (joint.slide ? 1e3 : 180.0 / std::numbers::pi);
  std::printf(
      "  did %s, and nothing else, go %.2g %s in its positive direction first, then as far "
      "back beyond? [y/n] ",
      joint.name.c_str(), half, joint.slide ? "mm" : "deg");
  std::fflush(stdout);
  test.hold_until([&] { return said.has_line(); });
  const std::string answer = said.take();
  if (answer == "y" || answer == "yes") return true;
  verdict.finding = WiggleFinding::kSign;
  verdict.sentence = joint.name +
                     " was not seen to move as it was told: look at `bus`, `node`, `reversed` and "
                     "`gear` of its drive";
  return false;
}

WiggleTest::Truth truth_of(harness::World* world, const RobotConfig& robot) {
  if (world == nullptr) return {};
  auto handles = std::make_shared<std::vector<harness::World::Handle>>();
  for (const JointConfig& joint : robot.joints) {
    const auto handle = world->find_truth("truth." + joint.name + ".q");
    if (!handle) return {};
    handles->push_back(*handle);
  }
  return [world, handles](JointIndex joint) {
    if (joint == 0) world->update();
    return world->truth((*handles)[joint]);
  };
}

harness::RobotSource source_of(const WiggleVerbOptions& options) {
  harness::RobotSource source = harness::find_robot(options.robot);
  for (const std::string& setting : options.settings) {
    source.overrides.push_back(
        harness::robot_override_schema().set_path(harness::YamlNode{}, setting));
  }
  return source;
}

std::vector<WiggleVerdict> run_test(WiggleTest& test, const RobotConfig& robot,
                                    const std::vector<JointIndex>& joints, bool asks) {
  print_head();
  SaidLines said(STDIN_FILENO);
  return test.run(joints, [&](WiggleVerdict& verdict) {
    const bool goes_on = !asks || was_seen(robot, verdict, test, said);
    print_row(robot, verdict);
    return goes_on;
  });
}

/// @param kept  where the record stays, for the line of one that passed
/// @returns the exit code
int tell_end(const RobotConfig& robot, const std::vector<WiggleVerdict>& verdicts,
             std::size_t asked, const std::string& kept) {
  const WiggleVerdict& last = verdicts.back();
  if (last.finding == WiggleFinding::kPassed) {
    std::printf("%zu of %zu joints passed%s\n", verdicts.size(), robot.joints.size(), kept.c_str());
    return 0;
  }
  std::printf("%s\n", last.sentence.c_str());
  const std::size_t left = asked - verdicts.size();
  if (left > 0) std::printf("%zu more joints were not tried\n", left);
  return kFailed;
}

int wiggle_served(const WiggleVerbOptions& options) {
  std::unique_ptr<remote::Connection> connection = options.connect("wiggle");
  const remote::RobotFacts& facts = connection->facts();
  const bool is_real = facts.is_real;
  const RobotConfig robot = load_robot(source_of(options), [&](RobotConfig& config) {
                              config.pin_base = facts.config.pin_base;
                            }).config;
  refuse_another(robot, facts);
  const std::vector<JointIndex> joints = chosen(robot, options.joints);
  ServedWiggle served(robot, std::move(connection), options.take_over);
  WiggleTest test(served, options.wiggle);
  const std::vector<WiggleVerdict> verdicts =
      run_test(test, robot, joints, is_real && !options.unattended);
  served.release();
  return tell_end(robot, verdicts, joints.size(),
                  is_real ? "; a run on these drives asks for the record that jointrig wiggle "
                            "keeps where they are"
                          : "");
}

}  // namespace

int wiggle_verb(const WiggleVerbOptions& options) {
  survive_file_signals();
  if (options.connect) return wiggle_served(options);
  const RobotConfig robot = load_robot(source_of(options)).config;
  RigOptions rig_options;
  rig_options.backend = backend_of(options, robot);
  const std::vector<JointIndex> joints =
      chosen(rig_options.backend ? robot : part_on(robot, BackendKind::kHw), options.joints);
  rig_options.wiggle_check = false;
  rig_options.speed_override = 1.0;  // its motions are slow already
  Rig rig(robot, rig_options);
  const bool is_real = rig.is_on_real_drives();
  const auto world = rig.make_world();
  LoopedRobot looped(rig.loop(), rig.stack());
  WiggleTest test(looped, options.wiggle, truth_of(world.get(), robot));
  // Drives have a clock of their own, which the loop must follow from their start on.
  std::optional<RealtimeSetup> realtime;
  if (rig.keeps_the_boards_time()) realtime = enter_realtime({});
  rig.start();
  const std::vector<WiggleVerdict> verdicts =
      run_test(test, robot, joints, is_real && !options.unattended);
  rig.backend().stop();  // at once: the drives would take the time of writing as silence
  if (realtime) leave_realtime(*realtime);
  if (is_real) remember_wiggles(robot, verdicts);
  return tell_end(robot, verdicts, joints.size(),
                  is_real ? ", kept in " + wiggle_record_path(robot).string() : "");
}

}  // namespace jointrig::app
