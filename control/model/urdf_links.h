#pragma once
/// Links of a URDF that MuJoCo's reader can't take as they are.

#include <tinyxml2.h>

#include <set>
#include <string>
#include <vector>

namespace jointrig {

/// Gives mass to links that move and weigh nothing, nor does anything that is fixed to them, as the
/// links between the joints of a mobile base: a sphere of 1 g with a radius of 50 mm.
///
/// @param robot  element <robot>; a joint of the type "fixed" moves nothing
/// @returns names of these links, in the file's order
std::vector<std::string> give_missing_masses(tinyxml2::XMLElement& robot);

/// Takes names from the shapes of a link where MuJoCo's reader would give one name to two of them,
/// and complain on the terminal: it passes a name on to the next shapes without one.
///
/// @param taken  names of shapes of all links so far
void settle_shape_names(tinyxml2::XMLElement& link, std::set<std::string>& taken);

}  // namespace jointrig
