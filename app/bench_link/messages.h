#pragma once
/// What a run and the virtual boards of another program say to each other besides the buses: the
/// robot to be put on the bench, disturbances, faults, and the truth to judge by. Lines of JSON
/// over TCP on this machine, each request answered before the next.
///
///     {"do": "hello"}                       → token (2011h), lockstep
///     {"do": "reset", "robot": …}           the robot as robot.yaml, obstacles, payload bodies:
///                                           all of it anew, where it starts
///     {"do": "words"}                       → fault types with units, names of truths
///     {"do": "find", "truth": name}         → number, or none
///     {"do": "prepare", "fault": {…}}       → number; also force, payload, obstacle
///     {"do": "begin", "action": n}          also end
///     {"do": "truths"}                      → values of all that were found, in their order
///     {"do": "hash"}                        → of physics and boards
///
/// A refusal is {"error": sentence, "key": key of the action}.

#include <nlohmann/json.hpp>

#include "scenarios/runner/world.h"
#include "sim/plant_model.h"

namespace jointrig::bench_link {

using Json = nlohmann::json;

[[nodiscard]] Json to_json(const FaultAction& action);
[[nodiscard]] Json to_json(const ForceAction& action);
[[nodiscard]] Json to_json(const PayloadAction& action);
[[nodiscard]] Json to_json(const ObstacleAction& action);
[[nodiscard]] Json to_json(const PlantOptions& options);

// These throw nlohmann::json::exception where something is missing or of another type.
[[nodiscard]] FaultAction fault_of(const Json& json);
[[nodiscard]] ForceAction force_of(const Json& json);
[[nodiscard]] PayloadAction payload_of(const Json& json);
[[nodiscard]] ObstacleAction obstacle_of(const Json& json);
[[nodiscard]] PlantOptions plant_options_of(const Json& json);

/// A longer line than this is none of ours [bytes].
inline constexpr std::size_t kLongestLine = std::size_t{16} << 20U;

}  // namespace jointrig::bench_link
