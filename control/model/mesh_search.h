#pragma once
/// Where the meshes of a URDF lie: `package://` names a ROS package, of which a robot's file alone
/// does not tell the folder.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace jointrig {

/// Searches files that a model names, in this order:
///
///     package://PKG/rest   in each folder of `packages`: it may be the package, or have it up to
///                          three folders further down; then the folders above the model, the same
///                          way; then ROS_PACKAGE_PATH; then PREFIX/share of AMENT_PREFIX_PATH; at
///                          last `rest` from the folders above, for a package whose folder was
///                          renamed
///     model://PKG/rest     the same
///     file:///path, /path  that file
///     path                 beside the model, in the folders above it, in those of `packages`
class MeshSearch {
 public:
  /// @param model     the model's file
  /// @param packages  folders to be searched first; relative ones from the working directory
  MeshSearch(const std::filesystem::path& model, const std::vector<std::string>& packages);

  /// An absolute path; empty if there is no such file.
  [[nodiscard]] std::optional<std::string> find(const std::string& name) const;

  /// "beside the file and in the 3 folders above it, in /opt/ws (package_path), in
  /// ROS_PACKAGE_PATH (not set) and in AMENT_PREFIX_PATH (not set)"
  [[nodiscard]] std::string places() const;

 private:
  std::vector<std::filesystem::path> above_;  ///< the model's folder, then those above it
  std::vector<std::filesystem::path> packages_;
  std::vector<std::filesystem::path> ros_;
  std::vector<std::filesystem::path> ament_;  ///< the share folders
  bool ros_set_ = false;
  bool ament_set_ = false;
};

}  // namespace jointrig
