#pragma once
/// The 3D view without a window: poses, camera, and the object under the mouse. Positions on the
/// picture are fractions of it, from its top left corner.
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
#include "control/core/obstacle.h"
#include "control/core/types.h"
#include "gui/panel/mode_style.h"
#include "gui/scene3d/balance.h"
#include "gui/scene3d/drawn_robot.h"
#include "gui/scene3d/framing.h"
#include "gui/scene3d/push_hand.h"

namespace jointrig::gui {

struct SceneShows {
  bool ghost = true;     ///< show the robot at its reference, or at a slider's ghost
  bool contacts = true;  ///< forces of contacts, 1 cm per 2 N
  bool frames = false;   ///< the robot's sites, axes x y z in red, green, blue
  bool shadows = false;
  bool balance = true;  ///< of a robot on feet: soles, centre of mass, capture point

  bool operator==(const SceneShows&) const = default;
};

struct SceneColours {
  Rgb chosen;  ///< link of the selected joint
  Rgb asked;   ///< ghost
  Rgb force;   ///< contacts, pushes

  bool operator==(const SceneColours&) const = default;
};

/// The object under the mouse.
struct ScenePick {
  int body = -1;
  JointIndex joint = kNoJoint;    ///< the joint that moves it
  std::array<double, 3> point{};  ///< in the body's frame [m]
  std::array<double, 3> world{};  ///< [m]
};

class Scene3d {
 public:
  /// Throws ModelError if the model lacks a joint.
  /// @param port  receives pushes; null: a robot that can't be pushed
  Scene3d(DrawnModel drawn, const RobotConfig& robot, PushPort* port);

  [[nodiscard]] DrawnRobot& robot() noexcept { return robot_; }
  [[nodiscard]] const DrawnRobot& robot() const noexcept { return robot_; }
  [[nodiscard]] PushHand& hand() noexcept { return hand_; }
  [[nodiscard]] const PushHand& hand() const noexcept { return hand_; }

  SceneShows shows;
  SceneColours colours;
  JointIndex chosen = kNoJoint;
  JointSet silent;           ///< joints whose place is not known: they and what they carry are grey
  KnownObstacles obstacles;  ///< drawn translucent: what the robot knows, not what is there

  // The camera. Distances are fractions of the picture's height.

  void orbit(double right, double down);
  void pan(double right, double down);
  void zoom(double in);
  /// Shows the whole robot from the front, and keeps it in the picture until the camera is moved by
  /// one of the above.
  void reset_camera();
  /// Copies the camera of another view, if a person moved it.
  void look_from(const Scene3d& other);

  [[nodiscard]] const mjvCamera& camera() const noexcept { return camera_; }

  /// Size of the picture in pixels.
  void set_size(int width, int height);
  [[nodiscard]] int width() const noexcept { return width_; }
  [[nodiscard]] int height() const noexcept { return height_; }

  /// The nearest body at a position; absent: none.
  [[nodiscard]] std::optional<ScenePick> pick(double right, double down);
  /// The point of the world at a position, at the same distance from the camera as `like`.
  [[nodiscard]] std::array<double, 3> point_at(double right, double down,
                                               const std::array<double, 3>& like);
  /// Position of a point of the world on the picture; absent: behind the camera.
  [[nodiscard]] std::optional<std::array<double, 2>> place_of(const std::array<double, 3>& world);

  /// A tool frame, drawn over the picture, since most frames lie inside a link.
  struct ToolFrame {
    std::string name;
    std::array<double, 3> origin{};
    std::array<std::array<double, 3>, 3> tips{};  ///< of its axes x y z
  };
  /// Empty while frames aren't shown.
  [[nodiscard]] const std::vector<ToolFrame>& tool_frames();

  /// Pose of an arm's tool and its goal, both from the arm.
  struct AskedTool {
    std::string arm;
    std::string tool;  ///< a site or a body
    ToolPose measured;
    ToolPose goal;
    bool operator==(const AskedTool&) const = default;
  };
  std::vector<AskedTool> asked_tools;
  /// Goals as frames with the names of their arms, relative to the drawn tools. Empty while ghosts
  /// aren't shown.
  [[nodiscard]] const std::vector<ToolFrame>& goal_frames();

  /// Drawn over the picture, since the centre of mass lies inside a link; absent: no robot on feet.
  std::optional<Balance> balance;

  /// Everything to draw, in its present state.
  mjvScene& build();
  /// Increases with each visible change: a picture of the same number and size need not be drawn
  /// again.
  [[nodiscard]] std::uint64_t revision();

  /// OpenGL's name of the picture; 0: none yet. The renderer writes it, the view reads it.
  std::uint64_t texture = 0;

 private:
  struct SceneDeleter {
    void operator()(mjvScene* scene) const noexcept {
      mjv_freeScene(scene);
      delete scene;
    }
  };
  struct Look {  ///< all that decides the picture besides the robot
    SceneShows shows;
    SceneColours colours;
    JointIndex chosen = kNoJoint;
    JointSet silent;
    std::optional<Push> push;
    KnownObstacles obstacles;
    bool operator==(const Look&) const = default;
  };

  mjvGeom* add_geom(int type, const double* size, const double* position, const double* matrix,
                    Rgb colour, float alpha);
  void add_arrow(const double* from, const double* to, double width, Rgb colour);
  void add_ghost();
  void add_contacts();
  void add_push();
  void add_obstacles();
  void tint_chosen();
  void grey_unknown();
  /// A point in the camera's view: eye, axes, and vector to the point.
  struct Sight {
    mjtNum head[3]{}, forward[3]{}, up[3]{}, to_right[3]{}, way[3]{};
    double depth = 0;  ///< along `forward` [m]
  };
  [[nodiscard]] Sight sight_of(const std::array<double, 3>& world);
  void see_from_here();
  void show_whole_robot();
  void keep_in_sight();
  void camera_moved();
  [[nodiscard]] double aspect() const noexcept { return static_cast<double>(width_) / height_; }

  DrawnRobot robot_;
  PushHand hand_;
  std::unique_ptr<mjvScene, SceneDeleter> scene_;
  mjvCamera camera_{};
  mjvOption option_{};
  int width_ = 1;
  int height_ = 1;
  double extent_ = 1.0;        ///< radius of a ball around the robot [m]
  bool camera_is_own_ = true;  ///< nobody has moved it
  Corners corners_;            ///< of the robot; buffer
  std::uint64_t seen_ = 0;     ///< revision of the robot that was looked for in the picture
  Look look_;
  std::vector<bool> unknown_;  ///< by body; buffer
  std::uint64_t camera_moves_ = 1;
  std::uint64_t look_changes_ = 1;
  std::uint64_t built_ = 0;  ///< revision
  [[nodiscard]] ToolFrame frame_at(const double* origin, const double* axes) const;

  std::vector<ToolFrame> frames_;
  std::vector<ToolFrame> goal_frames_;
};

}  // namespace jointrig::gui
