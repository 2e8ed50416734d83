#pragma once
/// Event of a law, the whole-body controller or a gripper, as a part of its event's sentence
/// (event_text.h).

#include <string>

#include "control/core/event.h"
#include "control/core/robot_config.h"

namespace jointrig::harness {

/// `overran: it took 0.31 ms of its budget of 0.1 ms; ...`
/// @param slide  the event's joint slides
std::string law_failure_words(const Event& event, bool slide);

/// `runs`, `holds: its joints hold in mode position until its base is known`
std::string law_state_words(const Event& event);

/// The obstacle that kept a robot on feet from mode torque, and the way around it.
std::string stays_held_words(const Event& event);

/// The whole-body controller's own failures; its joints are damped.
std::string body_failure_words(const Event& event);

/// The constraint that gave way, or the ground that a foot has lost.
/// `the capture point is inside the edge of the soles by 31 mm ...`: of a kBalance.
std::string balance_words(const Event& event);
std::string gave_way_words(const Event& event, const RobotConfig& config);

/// `its IMU root_imu is stale: 5 samples are missing in a row, ...`; the IMU of the base, or the
/// force/torque sensor of a foot.
std::string body_sensor_words(const Event& event, const RobotConfig& config);

/// `lost: the object is gone at a width of 0.0312 m, after 0.04 m`
std::string gripper_words(const Event& event);

}  // namespace jointrig::harness
