#include "tests/control/discovery/published_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "control/discovery/discovery.h"
#include "control/discovery/inspection.h"
#include "control/model/mjcf.h"
#include "control/model/mjcf_messages.h"
#include "control/model/robot_model.h"
#include "tests/support/share.h"

namespace jointrig {
namespace {

/// As MuJoCo reads a file without what is only drawn, as we do; null where it can't.
ModelPtr mujocos_own(const std::string& path) {
  take_mujoco_log();
  std::array<char, 1000> error{};
  const SpecPtr spec(
      mj_parseXML(path.c_str(), nullptr, error.data(), static_cast<int>(error.size())));
  if (!spec) return nullptr;
  spec->compiler.discardvisual = 1;
  return ModelPtr(mj_compile(spec.get(), nullptr));
}

/// Controlled, or named in a remark.
std::set<std::string> accounted_for(const Discovery& found) {
  std::set<std::string> names;
  for (const JointConfig& joint : found.config.joints) names.insert(joint.name);
  for (const Remark& remark : found.findings) {
    const bool says_why = remark.text.starts_with("not controlled");
    if (says_why) names.insert(remark.names.begin(), remark.names.end());
  }
  return names;
}

void expect_sound(const JointConfig& joint) {
  SCOPED_TRACE(joint.name);
  EXPECT_GE(joint.q_start, joint.limits.q_min + joint.limits.soft_margin - 1e-12);
  EXPECT_LE(joint.q_start, joint.limits.q_max - joint.limits.soft_margin + 1e-12);
  for (const double value :
       {joint.limits.v_max, joint.limits.a_max, joint.limits.tau_max, joint.limits.tau_rate_max,
        joint.limits.step_max, joint.gains.inertia, joint.gains.kp, joint.gains.ki, joint.gains.kd,
        joint.gains.stiffness, joint.gains.damping}) {
    EXPECT_TRUE(std::isfinite(value) && value > 0.0) << value;
  }
}

/// All of one package; returns how many files had joints to control.
int look_at_all(const std::filesystem::path& folder) {
  int robots = 0;
  for (const std::string& path : testing::mjcf_files(folder)) {
    if (!testing::in_share(std::filesystem::path(path).filename().string())) continue;
    SCOPED_TRACE(path);
    const ModelPtr own = mujocos_own(path);
    try {
      const Discovery found = discover(path);
      EXPECT_TRUE(own) << "found where MuJoCo finds nothing";
      const std::set<std::string> names = accounted_for(found);
      for (int j = 0; own && j < own->njnt; ++j) {
        const std::string name = name_of(*own, mjOBJ_JOINT, j);
        EXPECT_TRUE(name.empty() || names.contains(name)) << name;
      }
      EXPECT_GE(names.size(), own ? static_cast<std::size_t>(own->njnt) : 0U);
      for (const JointConfig& joint : found.config.joints) expect_sound(joint);
      EXPECT_FALSE(describe(found).empty());
      if (found.config.joints.empty()) continue;
      ++robots;
      const RobotModel model(found.config);
      for (std::size_t i = 0; i < model.joint_count(); ++i) {
        const auto index = static_cast<JointIndex>(i);
        EXPECT_NEAR(model.gravity(index), found.origins[i].gravity,
                    1e-9 + 1e-6 * std::abs(found.origins[i].gravity));
      }
    } catch (const ModelError& error) {
      EXPECT_FALSE(own) << error.what();
    }
  }
  return robots;
}

TEST(PublishedModels, OfDmControlAreReadAndEveryJointIsAccountedFor) {
  const std::filesystem::path folder = testing::package_folder("dm_control");
  if (folder.empty()) GTEST_SKIP() << "dm_control is not installed: scripts/test.sh does it";
  const int robots = look_at_all(folder);
  if (!testing::has_shares()) {
    EXPECT_GE(robots, 30);
  }
}

TEST(PublishedModels, OfRobosuiteAreReadAndEveryJointIsAccountedFor) {
  const std::filesystem::path folder = testing::package_folder("robosuite");
  if (folder.empty()) GTEST_SKIP() << "robosuite is not installed: scripts/test.sh does it";
  int robots = 0;
  for (const char* kind : {"robots", "grippers", "bases"}) {
    robots += look_at_all(folder / "models/assets" / kind);
  }
  if (!testing::has_shares()) {
    EXPECT_GE(robots, 20);
  }
}

}  // namespace
}  // namespace jointrig
