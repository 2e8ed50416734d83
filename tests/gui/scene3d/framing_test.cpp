#include "gui/scene3d/framing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gui/scene3d/scene3d.h"
#include "tests/gui/scene3d/two_links.h"

namespace jointrig::gui {
namespace {

/// Two boxes of `size` on a base that moves freely, its trunk a third one; a floor without an end
/// and an obstacle that waits a kilometre away.
DrawnModel crawler(double size, std::array<double, 3> base, int group = 0) {
  const auto of = [&](double factor) { return std::to_string(factor * size); };
  const std::string box = "<geom type='box' group='" + std::to_string(group) + "' size='" + of(1) +
                          " " + of(0.5) + " " + of(0.25) + "' pos='" + of(1) + " 0 0'/>";
  const std::string text =
      "<mujoco model='crawler'><compiler angle='radian'/><worldbody>"
      "<geom name='floor' type='plane' size='0 0 0.05'/>"
      "<body name='obstacle' mocap='true' pos='0 0 1000'><geom type='box' size='1 1 1'/></body>"
      "<body name='trunk'><freejoint/>" +
      box + "<body pos='" + of(2) + " 0 0'><joint name='joint1' axis='0 1 0'/>" + box +
      "<body pos='" + of(2) + " 0 0'><joint name='joint2' axis='0 1 0'/>" + box +
      "</body></body></body></worldbody></mujoco>";
  Mjcf mjcf = parse_mjcf(text, "crawler.xml");
  DrawnModel drawn{compile(mjcf), {}};
  drawn.qpos.assign(drawn.model->qpos0, drawn.model->qpos0 + drawn.model->nq);
  std::copy(base.begin(), base.end(), drawn.qpos.begin());
  return drawn;
}

Snapshot at(std::array<double, 3> base) {
  Snapshot snapshot = testing::measured(0.0, 0.0);
  snapshot.base.position = base;
  return snapshot;
}

/// Place of the robot's boxes on the picture, by the camera that MuJoCo draws with: ±1 are the
/// picture's edges.
struct Seen {
  double left = 1e9, right = -1e9, down = 1e9, up = -1e9;
  bool is_clipped = false;  ///< nearer or farther than what is drawn

  [[nodiscard]] double widest() const { return 0.5 * std::max(right - left, up - down); }
  [[nodiscard]] bool is_inside() const {
    return left > -1.0 && right < 1.0 && down > -1.0 && up < 1.0 && !is_clipped;
  }
};

Seen look_at(Scene3d& scene) {
  const mjvScene& built = scene.build();
  const mjvGLCamera eye = mjv_averageCamera(built.camera, built.camera + 1);
  const double aspect = static_cast<double>(scene.width()) / scene.height();
  const double slope = static_cast<double>(eye.frustum_top / eye.frustum_near);
  const mjModel& m = scene.robot().model();
  const mjData& d = scene.robot().data();
  Seen seen;
  for (int g = 0; g < m.ngeom; ++g) {
    const char* body = m.names + m.name_bodyadr[m.geom_bodyid[g]];
    if (m.geom_type[g] != mjGEOM_BOX || std::string_view(body) == "obstacle") continue;
    for (int corner = 0; corner < 8; ++corner) {
      double way[3];
      for (int i = 0; i < 3; ++i) {
        way[i] = d.geom_xpos[3 * g + i] - static_cast<double>(eye.pos[i]);
        for (int axis = 0; axis < 3; ++axis) {
          const double sign = (corner >> axis & 1) != 0 ? 1.0 : -1.0;
          way[i] += sign * d.geom_xmat[9 * g + 3 * i + axis] * m.geom_size[3 * g + axis];
        }
      }
      double forward[3];
      double up[3];
      double right[3];
      mju_f2n(forward, eye.forward, 3);
      mju_f2n(up, eye.up, 3);
      mju_cross(right, forward, up);
      const double depth = mju_dot3(way, forward);
      seen.is_clipped |= depth < static_cast<double>(eye.frustum_near) ||
                         depth > static_cast<double>(eye.frustum_far);
      const double x = mju_dot3(way, right) / (depth * slope * aspect);
      const double y = mju_dot3(way, up) / (depth * slope);
      seen.left = std::min(seen.left, x);
      seen.right = std::max(seen.right, x);
      seen.down = std::min(seen.down, y);
      seen.up = std::max(seen.up, y);
    }
  }
  return seen;
}

/// Nine tenths of the picture, across or along, but less of a robot that points at the camera.
void expect_well_in_view(Scene3d& scene, double least = 0.3) {
  const Seen seen = look_at(scene);
  EXPECT_TRUE(seen.is_inside()) << seen.left << " " << seen.right << " " << seen.down << " "
                                << seen.up << (seen.is_clipped ? ", clipped" : "");
  EXPECT_GE(seen.widest(), least);
  EXPECT_LE(seen.widest(), 0.901) << "air is left around it";
}

struct FramingTest : ::testing::Test {
  static Scene3d scene_of(DrawnModel drawn) {
    return {std::move(drawn), testing::two_links_config(), nullptr};
  }
};

TEST_F(FramingTest, ARobotOfAnySizeAtAnyPlaceIsSeenWholeAndLarge) {
  for (const double size : {0.01, 0.3, 5.0}) {
    for (const std::array<double, 3> base :
         {std::array{0.0, 0.0, 0.0}, std::array{40.0, -30.0, 2.0}}) {
      for (const auto& [width, height] : {std::pair{800, 400}, {200, 700}, {640, 640}}) {
        SCOPED_TRACE(::testing::Message()
                     << size << " m at " << base[0] << ", picture " << width << " x " << height);
        Scene3d scene = scene_of(crawler(size, base));
        scene.set_size(width, height);
        expect_well_in_view(scene, width < height ? 0.7 : 0.3);
      }
    }
  }
}

TEST_F(FramingTest, AnArmOfManyLinksIsSeenWhole) {
  RobotConfig config = testing::two_links_config();
  Scene3d scene{testing::tower(60), config, nullptr};
  scene.set_size(500, 300);
  expect_well_in_view(scene, 0.8);
}

TEST_F(FramingTest, ShapesThatAloneCollideServeWhereNothingElseIsThere) {
  Scene3d scene = scene_of(crawler(0.3, {7.0, 0.0, 0.0}, 3));
  scene.set_size(800, 400);
  expect_well_in_view(scene);
}

TEST_F(FramingTest, ARobotWithoutShapesIsLookedAtByItsBodies) {
  Mjcf mjcf = parse_mjcf(
      "<mujoco><worldbody><body pos='30 0 0'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
      "<joint name='joint1'/><body name='end' pos='2 0 0'><inertial pos='0 0 0' mass='1' "
      "diaginertia='1 1 1'/><joint name='joint2'/></body></body></worldbody></mujoco>",
      "bare.xml");
  Scene3d scene = scene_of({compile(mjcf), {}});
  scene.set_size(800, 400);
  const auto first = scene.place_of({30.0, 0.0, 0.0});
  const auto second = scene.place_of({32.0, 0.0, 0.0});
  ASSERT_TRUE(first && second);
  for (const auto& place : {*first, *second}) {
    EXPECT_NEAR(place[0], 0.5, 0.45);
    EXPECT_NEAR(place[1], 0.5, 0.45);
  }
  EXPECT_GT(std::abs((*first)[0] - (*second)[0]), 0.18);
}

TEST_F(FramingTest, TheFirstMeasuredPlaceOfABaseBringsTheCameraThere) {
  Scene3d scene = scene_of(crawler(0.3, {}));
  scene.set_size(800, 400);
  expect_well_in_view(scene);
  scene.robot().show(at({100.0, 20.0, 0.0}));
  expect_well_in_view(scene);
}

TEST_F(FramingTest, ARobotThatMovesInsideThePictureLeavesTheCameraAlone) {
  Scene3d scene = scene_of(crawler(0.3, {}));
  scene.set_size(800, 400);
  const auto before = scene.place_of({0.0, 0.0, 0.0});
  scene.robot().show(at({0.0, 0.0, 0.02}));
  EXPECT_TRUE(look_at(scene).is_inside());
  EXPECT_EQ(scene.place_of({0.0, 0.0, 0.0}), before);
}

TEST_F(FramingTest, ACameraThatAPersonMovedStaysUntilItIsReset) {
  Scene3d scene = scene_of(crawler(0.3, {}));
  scene.set_size(800, 400);
  scene.orbit(0.2, 0.0);
  const auto before = scene.place_of({0.0, 0.0, 0.0});
  scene.robot().show(at({100.0, 20.0, 0.0}));
  EXPECT_FALSE(look_at(scene).is_inside());
  EXPECT_EQ(scene.place_of({0.0, 0.0, 0.0}), before);
  scene.reset_camera();
  expect_well_in_view(scene);
}

TEST_F(FramingTest, AViewThatNobodyMovedIsNotCopiedOntoARobotElsewhere) {
  Scene3d here = scene_of(crawler(0.3, {}));
  Scene3d there = scene_of(crawler(0.3, {50.0, 0.0, 0.0}));
  here.set_size(800, 400);
  there.set_size(800, 400);
  there.look_from(here);
  expect_well_in_view(there);
}

TEST_F(FramingTest, APoseThatIsNotANumberIsNotLookedAt) {
  Scene3d scene = scene_of(crawler(0.3, {}));
  scene.set_size(800, 400);
  scene.robot().show(at({std::nan(""), 0.0, 0.0}));
  (void)scene.build();
  scene.robot().show(at({100.0, 20.0, 0.0}));
  expect_well_in_view(scene);
}

}  // namespace
}  // namespace jointrig::gui
