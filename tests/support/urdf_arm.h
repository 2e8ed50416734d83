#pragma once
/// A URDF arm in a folder of packages, as ROS tools leave them: meshes by package://, no motors.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace jointrig::odd {

/// A folder that is removed at the end of a test.
class TempFolder {
 public:
  TempFolder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("jointrig_folder_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  /// Writes a file with the folders above it; returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }
  [[nodiscard]] std::string path(const std::string& name = "") const {
    return (name.empty() ? path_ : path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

/// A tetrahedron with edges of about `size` metres.
inline std::string mesh_text(double size = 0.1) {
  const std::string s = std::to_string(size);
  return "v 0 0 0\nv " + s + " 0 0\nv 0 " + s + " 0\nv 0 0 " + s +
         "\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
}

/// Two hinges, a mimic slide, and a tool behind a fixed joint.
///
/// @param visual, collision  mesh files of the first link; empty: a box
inline std::string urdf_text(const std::string& visual, const std::string& collision) {
  const auto shape = [](const std::string& mesh) {
    return "<geometry>" +
           (mesh.empty() ? "<box size='.1 .1 .1'/>" : "<mesh filename='" + mesh + "'/>") +
           "</geometry>";
  };
  const std::string inertial =
      "<inertial><mass value='1'/><origin xyz='0 0 .1'/>"
      "<inertia ixx='.01' iyy='.01' izz='.01' ixy='0' ixz='0' iyz='0'/></inertial>";
  return "<?xml version='1.0'?>\n<!-- <mujoco> is not the first element -->\n<robot name='arm'>"
         "<link name='base'/>"
         "<link name='upper'>" +
         inertial + "<visual>" + shape(visual) + "</visual><collision>" + shape(collision) +
         "</collision></link>"
         "<link name='fore'>" +
         inertial +
         "</link>"
         "<link name='finger'>" +
         inertial +
         "</link>"
         "<link name='tool'/>"
         "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/>"
         "<axis xyz='0 1 0'/><limit lower='-1' upper='2' effort='30' velocity='1.5'/></joint>"
         "<joint name='elbow' type='continuous'><parent link='upper'/><child link='fore'/>"
         "<origin xyz='0 0 .3'/><axis xyz='0 1 0'/><limit effort='0' velocity='0'/></joint>"
         "<joint name='grip' type='prismatic'><parent link='fore'/><child link='finger'/>"
         "<origin xyz='0 0 .3'/><axis xyz='1 0 0'/>"
         "<limit lower='-1' upper='1' effort='5' velocity='0.1'/>"
         "<mimic joint='elbow' multiplier='0.02'/></joint>"
         "<joint name='flange' type='fixed'><parent link='fore'/><child link='tool'/>"
         "<origin xyz='0 0 .35'/></joint></robot>";
}

}  // namespace jointrig::odd
