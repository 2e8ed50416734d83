#pragma once
/// The side line connects a run with the process of virtual boards, beside the buses. It carries
/// the robot's configuration, disturbances, faults, and the truth for judging. Lines of JSON over
/// TCP on this machine; each request is answered before the next.
///
///     {"do": "hello"}                       → token (2011h), lockstep
///     {"do": "reset", "robot": …}           the robot as robot.yaml, obstacles, payload bodies:
///                                           everything is built again, in the start pose
///     {"do": "words"}                       → fault types with units, names of truths
///     {"do": "find", "truth": name}         → number, or none
///     {"do": "prepare", "fault": {…}}       → number; also force, payload, obstacle
///     {"do": "begin", "action": n}          also end
///     {"do": "truths"}                      → values of all that were found, in their order
///     {"do": "hash"}                        → of physics and boards
///
/// A refusal is {"error": sentence, "key": key of the action}.

#include <nlohmann/json.hpp>

#include "harness/runner/world.h"
#include "sim/plant_model.h"

namespace jointrig::app {

namespace side_line {
using Json = nlohmann::json;

/// Longest valid line [bytes].
inline constexpr std::size_t kLongestLine = std::size_t{16} << 20U;
}  // namespace side_line

}  // namespace jointrig::app

// JSON of the actions, in the namespaces of the types, where the library looks. Reading throws
// nlohmann::json::exception if a member is missing or of another type.

namespace jointrig::sim {

void to_json(nlohmann::json& json, ObstacleShape shape);
void from_json(const nlohmann::json& json, ObstacleShape& shape);

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ObstacleSpec, name, shape, size, friction)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlantOptions, obstacles, payload_bodies, substeps)

}  // namespace jointrig::sim

namespace jointrig::harness {

void to_json(nlohmann::json& json, const FaultAction& action);
void from_json(const nlohmann::json& json, FaultAction& action);

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ForceAction, body, force, torque, point, in_body_frame, joint,
                                   along)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PayloadAction, body, mass, centre, inertia)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ObstacleAction, name, shape, size, position, orientation)

}  // namespace jointrig::harness
