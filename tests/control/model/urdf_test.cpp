#include "control/model/urdf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "control/model/mesh_search.h"
#include "control/model/mjcf.h"
#include "tests/support/urdf_arm.h"

namespace jointrig {
namespace {

using odd::mesh_text;
using odd::TempFolder;
using odd::urdf_text;

/// A sentence has these words.
void expect_words(const std::string& sentence, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    EXPECT_NE(sentence.find(word), std::string::npos) << word << "\nin\n" << sentence;
  }
}

/// Sets an environment variable for the time of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  }
  ~Variable() { ::unsetenv(name_); }  // NOLINT(concurrency-mt-unsafe): one thread
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

std::string error_of(const std::string& path, const std::vector<std::string>& packages = {}) {
  try {
    load_mjcf(path, {}, packages);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

/// Sizes as given to mesh_text: they tell which files were taken.
std::vector<double> sizes_of(const mjModel& m) {
  std::vector<double> sizes;
  for (int mesh = 0; mesh < m.nmesh; ++mesh) {
    const float* first = m.mesh_vert + 3 * m.mesh_vertadr[mesh];
    double longest = 0.0;
    for (int a = 0; a < m.mesh_vertnum[mesh]; ++a) {
      for (int b = 0; b < a; ++b) {
        const float* p = first + 3 * a;
        const float* q = first + 3 * b;
        longest = std::max<double>(longest, std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
      }
    }
    sizes.push_back(longest / std::sqrt(2.0));
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

TEST(Urdf, IsToldFromMjcfByItsFirstElement) {
  EXPECT_TRUE(is_urdf("<robot name='a'/>"));
  EXPECT_TRUE(is_urdf("<?xml version='1.0'?>\n<!-- a <mujoco> -->\n<robot>"));
  EXPECT_FALSE(is_urdf("<mujoco><robot/></mujoco>"));
  EXPECT_FALSE(is_urdf("<robots/>"));
  EXPECT_FALSE(is_urdf(""));
  EXPECT_FALSE(is_urdf("<!-- never closed"));
}

TEST(Urdf, KeepsLinksBehindFixedJointsAndLimitsOfSpeedAndEffort) {
  const TempFolder folder;
  const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", urdf_text("", "")));
  const mjModel& m = *mjcf.as_written;

  EXPECT_GE(mj_name2id(&m, mjOBJ_BODY, "tool"), 0);
  EXPECT_EQ(mjcf.speeds.at("shoulder"), 1.5);
  EXPECT_EQ(mjcf.speeds.at("grip"), 0.1);
  EXPECT_FALSE(mjcf.speeds.contains("elbow")) << "0 is no limit";
  const int shoulder = mj_name2id(&m, mjOBJ_JOINT, "shoulder");
  EXPECT_EQ(m.jnt_actfrcrange[2 * shoulder + 1], 30.0);
  EXPECT_EQ(m.neq, 1) << "the mimic joint follows";
  EXPECT_TRUE(mjcf.notes.empty());
}

/// A level link that follows an upright one by a gear, a kilogram at 0.1 m: free it would fall with
/// 9.81 · 0.1 / (0.1² + 0.001) = 89 rad/s². With MuJoCo's default it hangs 3.6 mrad lower.
TEST(Urdf, AMimicJointIsAGearThatDoesNotGive) {
  const TempFolder folder;
  const std::string inertial =
      "<inertial><mass value='1'/><origin xyz='0.1 0 0'/><inertia ixx='0.001' iyy='0.001' "
      "izz='0.001' ixy='0' ixz='0' iyz='0'/></inertial>";
  const Mjcf mjcf = load_mjcf(folder.write(
      "geared.urdf",
      "<robot name='geared'><link name='base'/><link name='upright'>"
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
      "</inertial></link><link name='level'>" +
          inertial +
          "</link><joint name='leader' type='continuous'><parent link='base'/><child "
          "link='upright'/><axis xyz='0 0 1'/></joint><joint name='follower' type='continuous'>"
          "<parent link='upright'/><child link='level'/><axis xyz='0 1 0'/><mimic joint='leader' "
          "multiplier='1'/></joint></robot>"));
  const mjModel& m = *mjcf.as_written;
  ASSERT_EQ(m.neq, 1);
  const DataPtr d = make_data(m, "geared.urdf");
  const int leader = m.jnt_dofadr[mj_name2id(&m, mjOBJ_JOINT, "leader")];
  const int follower = m.jnt_dofadr[mj_name2id(&m, mjOBJ_JOINT, "follower")];
  for (int step = 0; step < 1000; ++step) {
    d->qfrc_applied[leader] = -0.981 - 1e4 * d->qpos[leader] - 200.0 * d->qvel[leader];
    mj_step(&m, d.get());
  }
  EXPECT_NEAR(d->qvel[follower], 0.0, 1e-6);
  EXPECT_NEAR(d->qpos[follower] - d->qpos[leader], 0.0, 1e-5);
}

TEST(Urdf, AMeshWithoutATriangleIsNoShapeAndIsNamed) {
  const TempFolder folder;
  const std::string counted = std::string(84, '\0');  // 80 bytes of header, a count of 0
  for (const std::string& bytes : {std::string(80, ' '), counted}) {
    folder.write("empty.stl", bytes);
    const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", urdf_text("empty.stl", "empty.stl")));
    EXPECT_EQ(mjcf.as_written->nmesh, 0);
    ASSERT_EQ(mjcf.notes.size(), 1U);
    EXPECT_EQ(mjcf.notes[0], "the mesh empty.stl has no triangle: taken as no shape");
  }
}

TEST(Urdf, AShapeWithoutASizeIsNoShapeAndItsLinkIsNamed) {
  const TempFolder folder;
  for (const char* shape : {"<sphere radius='0.0'/>", "<cylinder radius='.1' length='0'/>",
                            "<cylinder radius='0' length='1'/>", "<box size='.1 .1 0'/>"}) {
    const std::string collision =
        "<collision><geometry>" + std::string(shape) + "</geometry></collision>";
    std::string text = urdf_text("", "");
    const int shapes = load_mjcf(folder.write("arm.urdf", text)).as_written->ngeom;
    text.insert(text.find("</inertial>") + 11, collision);
    const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", text));
    EXPECT_EQ(mjcf.as_written->ngeom, shapes) << shape;
    ASSERT_EQ(mjcf.notes.size(), 1U) << shape;
    expect_words(mjcf.notes[0], {"has a size of 0", "no shape"});
  }
}

TEST(Urdf, WhatXacroLeftUnexpandedIsTakenOutAndNamed) {
  const TempFolder folder;
  std::string text = urdf_text("", "");
  text.insert(text.find("</inertial>") + 11,
              "<visual><geometry><sphere radius='1'/></geometry>"
              "<xacro:grey/></visual><xacro:sphere_inertial/>");
  const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", text));
  ASSERT_EQ(mjcf.notes.size(), 1U);
  expect_words(mjcf.notes[0], {"xacro:grey, xacro:sphere_inertial", "nothing defines"});
}

TEST(Urdf, AFrictionThatNoMotorOvercomesIsNoneAndIsNamed) {
  const TempFolder folder;
  const auto with_friction = [&](const char* friction) {
    std::string text = urdf_text("", "");
    const std::string effort = "effort='30'";
    const std::size_t limit = text.rfind("<limit", text.find(effort));
    text.insert(limit, "<dynamics damping='0.1' friction='" + std::string(friction) + "'/>");
    return load_mjcf(folder.write("arm.urdf", text));
  };
  const Mjcf stuck = with_friction("31");
  const int joint = mj_name2id(stuck.as_written.get(), mjOBJ_JOINT, "shoulder");
  const int dof = stuck.as_written->jnt_dofadr[joint];
  EXPECT_EQ(stuck.as_written->dof_frictionloss[dof], 0.0);
  EXPECT_EQ(stuck.as_written->dof_damping[dof], 0.1);
  ASSERT_EQ(stuck.notes.size(), 1U);
  expect_words(stuck.notes[0], {"shoulder (31 of 30)", "board: {friction: ...}"});

  const Mjcf moves = with_friction("29");
  EXPECT_EQ(moves.as_written->dof_frictionloss[dof], 29.0);
  EXPECT_TRUE(moves.notes.empty());
}

TEST(Urdf, FindsThePackageThatItsFileLiesIn) {
  const TempFolder folder;
  folder.write("my_arm/meshes/a.obj", mesh_text());
  const std::string path =
      folder.write("my_arm/urdf/deep/arm.urdf", urdf_text("", "package://my_arm/meshes/a.obj"));
  EXPECT_EQ(load_mjcf(path).as_written->nmesh, 1);
}

TEST(Urdf, FindsAPackageBesideTheOneThatItsFileLiesIn) {
  const TempFolder folder;
  folder.write("shapes/meshes/a.obj", mesh_text());
  const std::string path =
      folder.write("my_arm/urdf/arm.urdf", urdf_text("", "package://shapes/meshes/a.obj"));
  EXPECT_EQ(load_mjcf(path).as_written->nmesh, 1);
}

TEST(Urdf, FindsAPackageWhoseFolderWasRenamed) {
  const TempFolder folder;
  folder.write("clone-main/meshes/a.obj", mesh_text());
  const std::string path =
      folder.write("clone-main/urdf/arm.urdf", urdf_text("", "package://my_arm/meshes/a.obj"));
  EXPECT_EQ(load_mjcf(path).as_written->nmesh, 1);
}

TEST(Urdf, FindsRelativePathsFromTheFoldersAboveIt) {
  const TempFolder folder;
  folder.write("meshes/a.obj", mesh_text());
  EXPECT_EQ(load_mjcf(folder.write("arm.urdf", urdf_text("", "meshes/a.obj"))).as_written->nmesh,
            1);
  EXPECT_EQ(
      load_mjcf(folder.write("urdf/arm.urdf", urdf_text("", "meshes/a.obj"))).as_written->nmesh, 1);
  EXPECT_EQ(
      load_mjcf(folder.write("urdf/b.urdf", urdf_text("", "../meshes/a.obj"))).as_written->nmesh,
      1);
}

TEST(Urdf, FindsAbsolutePaths) {
  const TempFolder folder;
  const std::string mesh = folder.write("elsewhere/a.obj", mesh_text());
  const std::string path = folder.write("urdf/arm.urdf", urdf_text(mesh, "file://" + mesh));
  EXPECT_EQ(load_mjcf(path).as_written->nmesh, 1) << "one file, two shapes";
}

TEST(Urdf, SearchesGivenFoldersThenThoseOfRos) {
  const TempFolder folder;
  folder.write("ws/src/repository/far/a.obj", mesh_text(0.1));
  folder.write("install/share/far/a.obj", mesh_text(0.2));
  const std::string path = folder.write("urdf/arm.urdf", urdf_text("", "package://far/a.obj"));

  expect_words(error_of(path), {"package://far/a.obj"});
  EXPECT_EQ(load_mjcf(path, {}, {folder.path("ws")}).as_written->nmesh, 1);
  EXPECT_EQ(load_mjcf(path, {}, {folder.path("ws/src/repository/far")}).as_written->nmesh, 1);
  {
    const Variable ros("ROS_PACKAGE_PATH", "/nowhere:" + folder.path("ws/src"));
    EXPECT_EQ(load_mjcf(path).as_written->nmesh, 1);
  }
  const Variable ament("AMENT_PREFIX_PATH", folder.path("install"));
  EXPECT_NEAR(sizes_of(*load_mjcf(path).as_written).front(), 0.2, 1e-3);
  EXPECT_NEAR(sizes_of(*load_mjcf(path, {}, {folder.path("ws")}).as_written).front(), 0.1, 1e-3)
      << "what is given goes first";
}

TEST(Urdf, NamesMissingCollisionMeshesAndWhereItLooked) {
  const TempFolder folder;
  const std::string path = folder.write("arm.urdf", urdf_text("", "package://my_arm/meshes/a.stl"));
  expect_words(error_of(path, {"/nowhere"}),
               {"can't find the collision mesh package://my_arm/meshes/a.stl", "beside the file",
                "in /nowhere", "ROS_PACKAGE_PATH (not set)", "--package-path"});
}

TEST(Urdf, OpensWithoutVisualMeshesThatAreMissingOrNotReadable) {
  const TempFolder folder;
  folder.write("a.dae", "<COLLADA/>");
  const Mjcf missing = load_mjcf(folder.write("missing.urdf", urdf_text("no.stl", "")));
  ASSERT_EQ(missing.notes.size(), 1U);
  expect_words(missing.notes.front(), {"opened without the visual mesh no.stl", "looked"});
  EXPECT_EQ(missing.as_written->ngeom, 1);

  const Mjcf collada = load_mjcf(folder.write("collada.urdf", urdf_text("a.dae", "")));
  ASSERT_EQ(collada.notes.size(), 1U);
  expect_words(collada.notes.front(), {"MuJoCo reads STL, OBJ and MSH"});
}

TEST(Urdf, OpensWithoutVisualMeshesThatAreBroken) {
  const TempFolder folder;
  folder.write("a.stl", "no mesh at all");
  const Mjcf mjcf =
      load_mjcf(folder.write("arm.urdf", urdf_text("a.stl", "")), {}, {}, Shapes::kAll);
  ASSERT_EQ(mjcf.notes.size(), 1U);
  expect_words(mjcf.notes.front(), {"opened without any visual shape"});
}

TEST(Urdf, ReadsNoVisualShapeThatNobodyDraws) {
  const TempFolder folder;
  folder.write("a.stl", "no mesh at all");
  const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", urdf_text("a.stl", "")));

  EXPECT_TRUE(mjcf.notes.empty());
  EXPECT_EQ(mjcf.as_written->ngeom, 1) << "that of the collision";
}

TEST(Urdf, TellsTwoMeshesOfOneNameApart) {
  const TempFolder folder;
  folder.write("visual/a.obj", mesh_text(0.3));
  folder.write("collision/a.obj", mesh_text(0.1));
  const Mjcf mjcf = load_mjcf(
      folder.write("arm.urdf", urdf_text("visual/a.obj", "collision/a.obj")), {}, {}, Shapes::kAll);
  const std::vector<double> sizes = sizes_of(*mjcf.as_written);
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_NEAR(sizes[0], 0.1, 1e-3);
  EXPECT_NEAR(sizes[1], 0.3, 1e-3);
}

TEST(Urdf, DrawsVisualShapesInPlaceOfCollisionShapesAndWithoutTheirMass) {
  const TempFolder folder;
  std::string text = urdf_text("", "");
  const std::size_t inertial = text.find("<inertial>");
  text.erase(inertial, text.find("</inertial>") + 11 - inertial);  // of the upper link
  const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", text), {}, {}, Shapes::kAll);
  const mjModel& m = *mjcf.as_written;

  const int upper = mj_name2id(&m, mjOBJ_BODY, "upper");
  EXPECT_NEAR(m.body_mass[upper], 1000 * 0.1 * 0.1 * 0.1, 1e-9) << "one box of water, not two";
  ASSERT_EQ(m.body_geomnum[upper], 2);
  for (int g = m.body_geomadr[upper]; g < m.body_geomadr[upper] + 2; ++g) {
    EXPECT_EQ(m.geom_group[g], m.geom_contype[g] == 0 ? 1 : 3);
  }
}

TEST(Urdf, BalancesAnInertiaThatNoBodyCanHaveAndSaysSo) {
  const TempFolder folder;
  std::string text = urdf_text("", "");
  text.replace(text.find("ixx='.01'"), 9, "ixx='.10'");
  const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", text));
  ASSERT_EQ(mjcf.notes.size(), 1U);
  expect_words(mjcf.notes.front(), {"balanced", "link upper"});
}

TEST(Urdf, MakesAnInertiaPositiveThatIsNot) {
  const TempFolder folder;
  std::string text = urdf_text("", "");
  text.replace(text.find("ixy='0'"), 7, "ixy='1'");
  const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", text));
  ASSERT_EQ(mjcf.notes.size(), 1U);
  expect_words(mjcf.notes.front(), {"link upper", "not positive"});
}

TEST(Urdf, OpensWithoutCollisionMeshesThatMujocoCannotReadAndSaysThatTheyTouchNothing) {
  const TempFolder folder;
  folder.write("a.dae", "<COLLADA/>");
  const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", urdf_text("", "a.dae")));
  ASSERT_EQ(mjcf.notes.size(), 1U);
  expect_words(mjcf.notes.front(), {"without the collision mesh a.dae", "touch nothing"});
}

TEST(Urdf, TakesThreeSlashesForTwo) {
  const TempFolder folder;
  folder.write("my_arm/a.obj", mesh_text());
  const std::string path =
      folder.write("my_arm/arm.urdf", urdf_text("", "package:///my_arm/a.obj"));
  EXPECT_EQ(load_mjcf(path).as_written->nmesh, 1);
}

TEST(Urdf, ErrorsNameNoLinesWhichAreNotTheFiles) {
  const TempFolder folder;
  std::string text = urdf_text("", "");
  text.replace(text.find("<parent link='base'/>"), 21, "");
  const std::string error = error_of(folder.write("arm.urdf", text));
  expect_words(error, {"parent"});
  EXPECT_EQ(error.find("line"), std::string::npos) << error;
}

/// Without the <inertial> of a link.
std::string without_mass(std::string text, const std::string& link) {
  const std::string begin = "<link name='" + link + "'>";
  const std::size_t from = text.find(begin) + begin.size();
  const std::string end = "</inertial>";
  return text.erase(from, text.find(end, from) + end.size() - from);
}

double mass_of(const mjModel& m, const char* body) {
  return m.body_mass[mj_name2id(&m, mjOBJ_BODY, body)];
}

TEST(Urdf, GivesALinkThatMovesAndWeighsNothingAGramAndSaysSo) {
  const TempFolder folder;
  const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", without_mass(urdf_text("", ""), "fore")));
  EXPECT_EQ(mass_of(*mjcf.as_written, "fore"), 1e-3);
  EXPECT_EQ(mass_of(*mjcf.as_written, "finger"), 1.0);
  ASSERT_EQ(mjcf.notes.size(), 1U);
  expect_words(mjcf.notes[0], {"link without mass", "fore", "1 g", "<inertial>"});
}

TEST(Urdf, GivesNoMassToALinkThatMovesAHeavyOneByAFixedJoint) {
  const TempFolder folder;
  std::string text = without_mass(urdf_text("", ""), "fore");
  text.replace(text.find("type='prismatic'"), 16, "type='fixed'");
  const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", text));
  EXPECT_EQ(mass_of(*mjcf.as_written, "fore"), 0.0);
  EXPECT_TRUE(mjcf.notes.empty());
}

TEST(Urdf, TakesTheMassOfALinkWithoutOneFromItsCollisionShapes) {
  const TempFolder folder;
  const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", without_mass(urdf_text("", ""), "upper")));
  EXPECT_NEAR(mass_of(*mjcf.as_written, "upper"), 1.0, 1e-12) << "1000 kg/m3, 0.1 m wide";
  ASSERT_EQ(mjcf.notes.size(), 1U);
  EXPECT_NE(mjcf.notes[0].find("states no mass of link upper: taken as the mass of its collision "
                               "shapes in water"),
            std::string::npos)
      << mjcf.notes[0];
}

TEST(Urdf, ShapesWithOneNameOpenWithoutAWordOnTheTerminal) {
  const TempFolder folder;
  std::string text = urdf_text("", "");
  text.replace(text.find("<visual>"), 8, "<visual name='shell'>");  // the collision has none
  const std::string path = folder.write("arm.urdf", text);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  load_mjcf(path);
  EXPECT_EQ(testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr(), "");
}

TEST(Urdf, OpensMeshesWithoutVolumeWhereMassesAreStated) {
  const TempFolder folder;
  folder.write("flat.obj", mesh_text(1e-6));
  const std::string text = urdf_text("", "flat.obj");
  EXPECT_EQ(load_mjcf(folder.write("arm.urdf", text)).as_written->nmesh, 1);
  expect_words(error_of(folder.write("light.urdf", without_mass(text, "upper"))), {"flat"});
}

TEST(Urdf, SaysWhereAFileIsNoXml) {
  const TempFolder folder;
  expect_words(error_of(folder.write("arm.urdf", "<robot name='a'>\n<link>\n</robot>")),
               {"arm.urdf: not XML", "line"});
}

TEST(Urdf, HeedsWhatItsOwnMujocoElementSays) {
  const TempFolder folder;
  std::string text = urdf_text("", "");
  text.insert(text.find("<link"), "<mujoco><compiler discardvisual='true'/></mujoco>");
  const Mjcf mjcf = load_mjcf(folder.write("arm.urdf", text));
  EXPECT_EQ(mjcf.as_written->ngeom, 1);
  EXPECT_GE(mj_name2id(mjcf.as_written.get(), mjOBJ_BODY, "tool"), 0);
}

}  // namespace
}  // namespace jointrig
