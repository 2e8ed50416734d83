#pragma once
/// Parameters and signals of the whole-body controller's law, in their order. Used in
/// control/stack/whole_body*.cpp alone.

#include <array>
#include <cstddef>

namespace jointrig {

struct LawWord {
  const char* name = "";
  const char* unit = "";
  const char* meaning = "";
};

/// Shift of the centre of mass along the heading, to the left and up.
inline constexpr std::array<LawWord, 3> kBodyParameters{
    {{"com_x", "m"}, {"com_y", "m"}, {"com_z", "m"}}};
inline constexpr double kLargestShift = 0.3;  ///< [m]: a choice

/// Before the forces of the feet.
struct BodySignal {
  enum Place : std::size_t {
    kComErrorX,
    kComErrorY,
    kComErrorZ,
    kUprightError,
    kPostureError,
    kCaptureInside,
    kTilt,
    kFallDirection,
    kUnsolved,
    kIterations,
    kGaveWayNow,
    kFirstFoot,
  };
};
inline constexpr std::array<LawWord, BodySignal::kFirstFoot> kBodySignals{
    {{"com_error_x", "m", "goal of the centre of mass less its place, in the world"},
     {"com_error_y", "m", "likewise"},
     {"com_error_z", "m", "likewise"},
     {"upright_error", "rad", "the largest of all upright frames"},
     {"posture_error", "rad", "the largest of all joints"},
     {"capture_inside", "m", "way of the capture point from the soles' edge; below 0 outside"},
     {"tilt", "rad", "of the base, since the start"},
     {"fall_direction", "rad", "of the last fall: from ahead, to the left above 0"},
     {"unsolved", "s", "time without a solution"},
     {"iterations", "", "of the solver, over all attempts"},
     {"gave_way", "", "constraints that gave way in this cycle"}}};

}  // namespace jointrig
