#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>

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

/// Its folder and its file: many files are called robot.xml.
std::string name_of_model(const std::string& path) {
  const std::filesystem::path file(path);
  return (file.parent_path().filename() / file.filename()).string();
}

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

/// Bounds of a joint that is held for long, from kSettled on: until then its motor, which comes on
/// a few cycles late, brings back a joint that fell meanwhile.
constexpr double kStays = 10.0;                            // [s]
constexpr double kSettled = 0.3;                           // [s]
constexpr double kHinge = 0.2 * std::numbers::pi / 180.0;  // [rad]
constexpr double kSlide = 0.001;                           // [m]
constexpr double kTornBy = 1e-3;  // [rad or m] beyond its limit by an equality
constexpr double kPulls = 5.0;    // [rad/s² or m/s²] of a joint without a motor

/// Joints of kinematic trees in which each motor can carry its load at the start, by MuJoCo's own
/// inverse dynamics: a waist that is too weak turns the arms with it.
std::vector<bool> can_be_held(const sim::Plant& plant, const RobotConfig& robot) {
  const mjModel& m = plant.model();
  const std::unique_ptr<mjData, void (*)(mjData*)> d(mj_makeData(&m), mj_deleteData);
  std::copy_n(plant.data().qpos, m.nq, d->qpos);
  mj_inverse(&m, d.get());
  std::vector<int> trees;
  std::vector<bool> is_weak(static_cast<std::size_t>(m.ntree), false);
  for (const JointConfig& joint : robot.joints) {
    const int id = mj_name2id(&m, mjOBJ_JOINT, joint.name.c_str());
    const int dof = m.jnt_dofadr[id];
    trees.push_back(m.dof_treeid[dof]);
    if (std::abs(d->qfrc_inverse[dof]) > joint.limits.tau_max) {
      is_weak[static_cast<std::size_t>(trees.back())] = true;
    }
  }
  std::vector<bool> held;
  for (const int tree : trees) held.push_back(!is_weak[static_cast<std::size_t>(tree)]);
  return held;
}

struct Stay {
  int judged = 0;      ///< joints
  double worst = 0.0;  ///< of kHinge or kSlide, from kSettled on
  std::string joint;
  std::string fault;
  Odds odds;
};

/// Holds stiffly for ten seconds.
Stay stay(const RobotConfig& robot) {
  sim::SimOptions options;
  options.end_ns = to_ns(kStays);
  sim::SimBackend backend(robot, options);
  auto model = std::make_unique<RobotModel>(robot);
  Stay result;
  result.odds.beyond = beyond_limits(backend.plant());
  const std::vector<bool> judged = can_be_held(backend.plant(), robot);
  result.judged = static_cast<int>(std::count(judged.begin(), judged.end(), true));
  if (result.judged == 0) return result;
  Stack stack(robot, backend.description().joints, std::move(model));
  backend.start();
  Loop loop(backend, stack);
  RobotClient client(stack.config(), stack.inbox(), "test");
  EventRing::Reader events(stack.events());
  client.set_mode(client.select("all"), ModeRequest::kPosition);
  while (loop.step()) {
    if (backend.plant().cycle() == 2) result.odds.loose = loosest(backend.plant(), robot);
    for (Event event; events.next(event);) {
      const bool counts = event.kind == EventKind::kFault && judged[event.joint];
      if (!counts || !result.fault.empty()) continue;
      result.fault = robot.joints[event.joint].name + " " + std::string(to_string(event.fault));
    }
    if (backend.plant().time_ns() < to_ns(kSettled)) continue;
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      const JointConfig& joint = robot.joints[i];
      const double bound = joint.slide ? kSlide : kHinge;
      const double share = std::abs(backend.truth(i).q - joint.q_start) / bound;
      if (!judged[i] || share <= result.worst) continue;
      result.worst = share;
      result.joint = joint.name;
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
    if (!testing::in_share(name_of_model(path))) continue;
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

/// Holds each model of a package, or a share of them, for ten seconds. One that doesn't stay has a
/// reason among its odds. Returns the joints that stayed.
int stay_all_of(const std::string& package, const std::vector<std::string>& folders) {
  int joints = 0;
  for (const std::string& folder : folders) {
    for (const std::string& path : testing::mjcf_files(testing::package_folder(package) / folder)) {
      if (!testing::in_share(name_of_model(path))) continue;
      SCOPED_TRACE(path);
      Discovery found;
      try {
        found = discover(path, {.keyframe = {}, .pin_base = true});
        rebase_defaults(found, RobotConfig(found.config));
      } catch (const ModelError&) {
        continue;
      }
      if (found.config.joints.empty()) continue;
      const Stay result = stay(found.config);
      if (result.worst <= 1.0 && result.fault.empty()) {
        joints += result.judged;
        continue;
      }
      EXPECT_TRUE(result.odds.beyond > kTornBy || result.odds.loose > kPulls)
          << result.joint << " is " << result.worst << " times as far off as it may be; "
          << result.fault;
    }
  }
  return joints;
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

TEST(PublishedModels, ThoseOfRobosuiteStayWithinTwoTenthsOfADegreeForTenSeconds) {
  if (is_missing("robosuite")) GTEST_SKIP() << "not installed: scripts/test.sh does it";
  const int joints = stay_all_of(
      "robosuite", {"models/assets/robots", "models/assets/grippers", "models/assets/bases"});
  if (!testing::has_shares()) {
    EXPECT_EQ(joints, 191);
  }
}

TEST(PublishedModels, ThoseOfDmControlStayWithinTwoTenthsOfADegreeForTenSeconds) {
  if (is_missing("dm_control")) GTEST_SKIP() << "not installed: scripts/test.sh does it";
  const int joints = stay_all_of("dm_control", {""});
  if (!testing::has_shares()) {
    EXPECT_EQ(joints, 256);
  }
}

}  // namespace
}  // namespace jointrig
