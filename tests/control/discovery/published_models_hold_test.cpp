#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "control/discovery/discovery.h"
#include "control/discovery/rebase.h"
#include "control/exchange/robot_client.h"
#include "control/stack/loop.h"
#include "control/stack/stack.h"
#include "sim/sim_backend.h"
#include "tests/control/discovery/published_models.h"
#include "tests/support/share.h"

namespace jointrig {
namespace {

constexpr double kSeconds = 0.4;
constexpr double kHeld = 0.05;  // [rad or m] from the start, at any time

/// Reasons in a model's own numbers why it can't hold; measured in the simulated robot.
struct Odds {
  double overload = 0.0;  ///< torque that holds the start over tau_max, of the weakest joint
  double beyond = 0.0;    ///< how far an equality puts a joint beyond its own limit [rad or m]
  double loose = 0.0;     ///< acceleration of a joint that no board drives [rad/s² or m/s²]
};

struct Hold {
  double farthest = 0.0;
  std::string joint;
  std::string fault;
  Odds odds;

  [[nodiscard]] bool held() const { return farthest < kHeld && fault.empty(); }
};

double overload(const RobotConfig& robot, const RobotModel& model) {
  double worst = 0.0;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const double share =
        std::abs(model.gravity(static_cast<JointIndex>(i))) / robot.joints[i].limits.tau_max;
    worst = std::max(worst, share);
  }
  return worst;
}

double beyond_limits(const sim::Plant& plant) {
  const mjData& d = plant.data();
  double worst = 0.0;
  for (int i = 0; i < d.nefc; ++i) {
    if (d.efc_type[i] == mjCNSTR_LIMIT_JOINT) worst = std::max(worst, -d.efc_pos[i]);
  }
  return worst;
}

double loosest(const sim::Plant& plant, const RobotConfig& robot) {
  const mjModel& m = plant.model();
  double worst = 0.0;
  for (int j = 0; j < m.njnt; ++j) {
    const std::string name = name_of(m, mjOBJ_JOINT, j);
    const bool driven = std::any_of(robot.joints.begin(), robot.joints.end(),
                                    [&](const JointConfig& joint) { return joint.name == name; });
    const bool turns = m.jnt_type[j] == mjJNT_HINGE || m.jnt_type[j] == mjJNT_SLIDE;
    if (turns && !driven) worst = std::max(worst, std::abs(plant.data().qacc[m.jnt_dofadr[j]]));
  }
  return worst;
}

/// Asks for POSITION in the first cycle and watches the true positions.
Hold hold(const RobotConfig& robot, InteractionMode interaction) {
  sim::SimOptions options;
  options.end_ns = to_ns(kSeconds);
  sim::SimBackend backend(robot, options);
  auto model = std::make_unique<RobotModel>(robot);
  Hold result;
  result.odds.overload = overload(robot, *model);
  result.odds.beyond = beyond_limits(backend.plant());
  Stack stack(robot, backend.description().joints, std::move(model));
  backend.start();
  Loop loop(backend, stack);
  RobotClient client(stack.config(), stack.inbox(), "test");
  EventRing::Reader events(stack.events());
  client.set_interaction(client.select("all"), interaction);
  client.set_mode(client.select("all"), ModeRequest::kPosition);
  while (loop.step()) {
    // In the first period in which it isn't held any more: the motors carry what they can.
    if (backend.plant().cycle() == 2) result.odds.loose = loosest(backend.plant(), robot);
    for (Event event; events.next(event);) {
      if (event.kind != EventKind::kFault || !result.fault.empty()) continue;
      result.fault = robot.joints[event.joint].name + " " + std::string(to_string(event.fault));
    }
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      const double away = std::abs(backend.truth(i).q - robot.joints[i].q_start);
      if (away <= result.farthest) continue;
      result.farthest = away;
      result.joint = robot.joints[i].name;
    }
  }
  if (backend.end() != sim::SimEnd::kTimeOver) result.fault = "the physics broke down";
  return result;
}

/// Reason why a model can't hold its start, with the number that proves it.
struct Excuse {
  const char* why;
  double Odds::*number;
  double least;
};

const Excuse kTooWeak{"a motor is weaker than gravity at the start", &Odds::overload, 1.0};
const Excuse kTorn{"an equality holds a follower beyond its limit: both pull at the motor",
                   &Odds::beyond, 1e-3};
const Excuse kLoose{"joints that no board drives, and whose tendons can't hold them, give way",
                    &Odds::loose, 5.0};

const std::map<std::string, Excuse> kExcused{
    {"humanoid_CMU_V2019.xml", kTooWeak},
    {"humanoid_CMU_V2020.xml", kTooWeak},
    {"jaco_three_finger_gripper.xml", kTorn},
    {"dog.xml", kLoose},
};

/// Returns how many held in both interaction modes.
int hold_all(const std::vector<std::string>& files) {
  int held = 0;
  for (const std::string& path : files) {
    if (!testing::in_share(std::filesystem::path(path).filename().string())) continue;
    SCOPED_TRACE(path);
    Discovery found;
    try {
      found = discover(path, {.keyframe = {}, .pin_base = true});
      rebase_defaults(found, RobotConfig(found.config));  // as the program does for any robot
    } catch (const ModelError&) {
      continue;  // published_models_test looks at those
    }
    if (found.config.joints.empty()) continue;
    const auto excuse = kExcused.find(std::filesystem::path(path).filename().string());
    bool both = true;
    for (const InteractionMode interaction : kAllInteractionMode) {
      SCOPED_TRACE(to_string(interaction));
      const Hold result = hold(found.config, interaction);
      both = both && result.held();
      if (result.held()) continue;
      if (excuse == kExcused.end()) {
        ADD_FAILURE() << result.joint << " went " << result.farthest << "; " << result.fault;
      } else {
        EXPECT_GT(result.odds.*excuse->second.number, excuse->second.least) << excuse->second.why;
      }
    }
    held += both ? 1 : 0;
  }
  return held;
}

/// All of one package, or a share of them: `expected` held of all.
void hold_all_of(const std::string& package, const std::vector<std::string>& folders,
                 int expected) {
  int held = 0;
  for (const std::string& folder : folders) {
    held += hold_all(testing::mjcf_files(testing::package_folder(package) / folder));
  }
  if (!testing::has_shares()) {
    EXPECT_EQ(held, expected);
  }
}

bool is_missing(const std::string& package) { return testing::package_folder(package).empty(); }

TEST(PublishedModels, RobotsOfRobosuiteHoldTheirPoseStiffAndCompliantFromTheFirstStep) {
  if (is_missing("robosuite")) GTEST_SKIP() << "not installed: scripts/test.sh does it";
  hold_all_of("robosuite", {"models/assets/robots"}, 12);
}

TEST(PublishedModels, GrippersOfRobosuiteHoldTheirPoseStiffAndCompliantFromTheFirstStep) {
  if (is_missing("robosuite")) GTEST_SKIP() << "not installed: scripts/test.sh does it";
  hold_all_of("robosuite", {"models/assets/grippers", "models/assets/bases"}, 12);
}

TEST(PublishedModels, WalkersAndModelsOfDmControlHoldTheirPoseStiffAndCompliantFromTheFirstStep) {
  if (is_missing("dm_control")) GTEST_SKIP() << "not installed: scripts/test.sh does it";
  hold_all_of("dm_control", {""}, 26);
}

}  // namespace
}  // namespace jointrig
