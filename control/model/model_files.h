#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace jointrig {

/// The files that an MJCF or URDF is made of, itself among them: includes, attached models, meshes,
/// textures, height fields. By their names in the text: every attribute of an MJCF that names a
/// file which exists, from the folder of the model, of the including file, or a folder that a
/// <compiler> names; `filename` of a URDF as MeshSearch finds it. So there may be one too many.
/// Absolute paths. Nothing is thrown: what can't be read is left out.
///
/// @param packages  as of load_mjcf()
std::set<std::filesystem::path> files_of_model(const std::filesystem::path& path,
                                               const std::vector<std::string>& packages = {});

}  // namespace jointrig
