#pragma once
/// URDF files for MuJoCo, which reads them but for three things: it does not know where ROS
/// packages lie, takes two meshes of one name for one, and drops the speed limits of joints.
///
/// For start-up: allocates and throws.

#include <mujoco/mujoco.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jointrig {

/// True if the first element of the text is <robot>.
bool is_urdf(std::string_view text) noexcept;

/// A URDF, ready for mj_parseXMLString.
struct Urdf {
  std::string xml;                           ///< each mesh under a name of its own
  std::map<std::string, std::string> files;  ///< that name: the mesh's file
  std::map<std::string, double> speeds;  ///< joint: <limit velocity> [rad/s or m/s], where positive
  std::vector<std::string> notes;        ///< what is left out or put right, and why
  bool states_masses = true;             ///< no link's mass comes from its shapes
};

/// Reads a URDF. Links stay bodies of their own (a hand's frame behind a fixed joint is a body to
/// be named), visual shapes stay, without mass; a <mujoco> element in the file has the last word on
/// the compiler's settings.
///
/// Visual meshes that are missing, and meshes that MuJoCo can't read (COLLADA), are left out with a
/// note; an inertia that no body can have is made positive, and a link that moves gets a mass where
/// it has none, with a note.
/// Throws ModelError with all missing collision meshes and where they were looked for, or for a
/// file that is not XML.
///
/// @param packages  folders of ROS packages, searched first (mesh_search.h)
/// @param visuals   false: without any visual shape
Urdf read_urdf(const std::string& text, const std::string& path,
               const std::vector<std::string>& packages, bool visuals = true);

/// Puts the files behind the meshes' names. Visual shapes get no mass and are drawn in place of
/// their body's collision shapes (group 3, hidden by viewers).
void place_meshes(const Urdf& urdf, mjSpec& spec);

/// Makes the gears of mimic joints as rigid as the solver can. With its defaults, d = 0.9 and 1/k =
/// (20 ms · d_max)², a follower sags by (1 − d) a / (d k) where its load would accelerate it by a:
/// 1.6 mrad at 40 rad/s². The leader's motor, which carries the load of a gear that doesn't give,
/// then isn't in balance. A URDF can't state such softness, and means none.
void stiffen_mimics(mjSpec& spec);

/// Has no volume computed of meshes: flat and open ones have none. For links whose masses are
/// stated.
void take_meshes_for_shells(mjSpec& spec);

}  // namespace jointrig
