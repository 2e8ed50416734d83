#pragma once
/// Parameters and signals of the whole-body controller's law, in their order. Used in
/// control/stack/whole_body*.cpp alone.

#include <array>
#include <cstddef>

namespace jointrig {

struct LawWord {
  const char* name;
  const char* unit;
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
    {{"com_error_x", "m"},
     {"com_error_y", "m"},
     {"com_error_z", "m"},
     {"upright_error", "rad"},
     {"posture_error", "rad"},
     {"capture_inside", "m"},
     {"tilt", "rad"},
     {"fall_direction", "rad"},
     {"unsolved", "s"},
     {"iterations", ""},
     {"gave_way", ""}}};

}  // namespace jointrig
