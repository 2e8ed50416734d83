#pragma once
/// The 3D view without a window: what stands where, from where it is seen, what is under the mouse.
/// Positions on the picture are fractions of it, from its top left corner.
///
///     each frame   robot().show..., show_ghost...; then camera, choice, pick; then build()
///
/// One thread: the window's.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/core/arm.h"
#include "control/core/types.h"
#include "gui/panel/mode_style.h"
#include "gui/scene3d/drawn_robot.h"
#include "gui/scene3d/push_hand.h"

namespace jointrig::gui {

struct SceneShows {
  bool ghost = true;     ///< the robot at its reference, or where a slider's ghost is
  bool contacts = true;  ///< forces of contacts, 1 cm per 2 N
  bool frames = false;   ///< the robot's sites, axes x y z in red, green, blue
  bool shadows = false;

  bool operator==(const SceneShows&) const = default;
};

struct SceneColours {
  Rgb chosen;  ///< the link of the joint that is chosen
  Rgb asked;   ///< ghost
  Rgb force;   ///< contacts, pushes

  bool operator==(const SceneColours&) const = default;
};

/// What is under the mouse.
struct ScenePick {
  int body = -1;
  JointIndex joint = kNoJoint;    ///< that moves it
  std::array<double, 3> point{};  ///< in the body's frame [m]
  std::array<double, 3> world{};  ///< [m]
};

class Scene3d {
 public:
  /// Throws ModelError where a joint isn't in the model.
  /// @param port  takes pushes; null: a robot that can't be pushed
  Scene3d(DrawnModel drawn, const RobotConfig& robot, PushPort* port);

  [[nodiscard]] DrawnRobot& robot() noexcept { return robot_; }
  [[nodiscard]] const DrawnRobot& robot() const noexcept { return robot_; }
  [[nodiscard]] PushHand& hand() noexcept { return hand_; }
  [[nodiscard]] const PushHand& hand() const noexcept { return hand_; }

  SceneShows shows;
  SceneColours colours;
  JointIndex chosen = kNoJoint;

  // The camera. Ways are fractions of the picture's height.

  void orbit(double right, double down);
  void pan(double right, double down);
  void zoom(double in);
  /// From the front, the whole robot.
  void reset_camera();
  /// From where another view is looked at.
  void look_from(const Scene3d& other);

  /// Size of the picture in pixels.
  void set_size(int width, int height) noexcept;
  [[nodiscard]] int width() const noexcept { return width_; }
  [[nodiscard]] int height() const noexcept { return height_; }

  /// The nearest body there; absent: nothing.
  [[nodiscard]] std::optional<ScenePick> pick(double right, double down);
  /// A point of the world beneath there, as far from the camera as `like`.
  [[nodiscard]] std::array<double, 3> point_at(double right, double down,
                                               const std::array<double, 3>& like);
  /// Where a point of the world is on the picture; absent: behind the camera.
  [[nodiscard]] std::optional<std::array<double, 2>> place_of(const std::array<double, 3>& world);

  /// A tool frame: to be drawn upon the picture, for most lie inside a link.
  struct ToolFrame {
    std::string name;
    std::array<double, 3> origin{};
    std::array<std::array<double, 3>, 3> tips{};  ///< of its axes x y z
  };
  /// None where they aren't shown.
  [[nodiscard]] const std::vector<ToolFrame>& tool_frames();

  /// Where an arm's tool is and where it is asked to be, both as its arm has them.
  struct AskedTool {
    std::string arm;
    std::string tool;  ///< a site or a body
    ToolPose measured;
    ToolPose goal;
    bool operator==(const AskedTool&) const = default;
  };
  std::vector<AskedTool> asked_tools;
  /// Their goals as frames named by their arms, beside the tools as they are drawn. None while
  /// ghosts aren't shown.
  [[nodiscard]] const std::vector<ToolFrame>& goal_frames();

  /// Everything that is to be drawn, as of now.
  mjvScene& build();
  /// Counts up with each change that can be seen: a picture of the same number and size needn't be
  /// drawn again.
  [[nodiscard]] std::uint64_t revision();

  /// OpenGL's name of the picture; 0: there is none yet. For those who draw and those who show.
  std::uint64_t texture = 0;

 private:
  struct SceneDeleter {
    void operator()(mjvScene* scene) const noexcept {
      mjv_freeScene(scene);
      delete scene;
    }
  };
  struct Look {  ///< what, besides the robot, decides what is seen
    SceneShows shows;
    SceneColours colours;
    JointIndex chosen = kNoJoint;
    std::optional<Push> push;
    bool operator==(const Look&) const = default;
  };

  mjvGeom* add_geom(int type, const double* size, const double* position, const double* matrix,
                    Rgb colour, float alpha);
  void add_arrow(const double* from, const double* to, double width, Rgb colour);
  void add_ghost();
  void add_contacts();
  void add_push();
  void tint_chosen();
  /// A point as the camera has it: where the eye is, its axes, and the way to the point.
  struct Sight {
    mjtNum head[3]{}, forward[3]{}, up[3]{}, to_right[3]{}, way[3]{};
    double depth = 0;  ///< along `forward` [m]
  };
  [[nodiscard]] Sight sight_of(const std::array<double, 3>& world);
  void see_from_here();

  DrawnRobot robot_;
  PushHand hand_;
  std::unique_ptr<mjvScene, SceneDeleter> scene_;
  mjvCamera camera_{};
  mjvOption option_{};
  int width_ = 1;
  int height_ = 1;
  double extent_ = 1.0;  ///< radius of a ball around the robot [m]
  Look look_;
  std::uint64_t camera_moves_ = 1;
  std::uint64_t look_changes_ = 1;
  std::uint64_t built_ = 0;  ///< revision
  [[nodiscard]] ToolFrame frame_at(const double* origin, const double* axes) const;

  std::vector<ToolFrame> frames_;
  std::vector<ToolFrame> goal_frames_;
};

}  // namespace jointrig::gui
