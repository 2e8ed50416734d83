#pragma once
/// A snapshot, an event, a robot as messages, and back.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/capabilities.h"
#include "control/core/event.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::remote {

namespace v1 {
class Description;
class Event;
class State;
}  // namespace v1

/// An event in words.
struct EventRecord {
  TimeNs time_ns = 0;
  std::uint64_t cycle = 0;
  std::uint64_t number = 0;  ///< of the answered command
  double value = 0.0;
  double limit = 0.0;
  std::string kind;
  std::string joint;
  std::string arm;
  std::string sentence;
  std::string command;
  std::string reason;
  std::string fault;
  std::string mode;
  std::string was;
  std::string sender;
  std::uint8_t detail = 0;  ///< Event::detail
};

/// A client's knowledge of the robot. `config` has names, kinds, limits and gains of joints and
/// arms as the robot was opened with them, laws as they declare themselves; nothing else of a robot
/// file.
struct RobotFacts {
  RobotConfig config;
  std::string backend;
  std::string version;
  std::vector<std::string> notes;
  std::vector<JointCapabilities> boards = {};  ///< by joint
  bool is_on_buses = false;                    ///< its boards are drives on a bus, real or virtual
  bool is_real = false;                        ///< drives that nobody has said to be virtual
};

/// Without the names of senders, which the server adds.
void write_state(const Snapshot& snapshot, const RobotConfig& robot, v1::State& message);
/// Leaves alone what the message doesn't have, or has in another number than the robot.
void read_state(const v1::State& message, const RobotConfig& robot, Snapshot& snapshot);

[[nodiscard]] EventRecord record_of(const Event& event, const RobotConfig& robot,
                                    std::string_view sender);
void write_event(const EventRecord& record, v1::Event& message);
[[nodiscard]] EventRecord read_event(const v1::Event& message);
/// Back from words. Words that this version doesn't know leave the defaults; sender, arm's index
/// apart from its name, and what the record doesn't have (laws, grippers, waypoints) are left
/// alone.
/// @returns none: an event of no kind of this version
[[nodiscard]] std::optional<Event> event_of(const EventRecord& record, const RobotConfig& robot);

void write_facts(const RobotFacts& facts, v1::Description& message);
/// Throws std::invalid_argument: more joints or arms than a robot can have here.
[[nodiscard]] RobotFacts read_facts(const v1::Description& message);

}  // namespace jointrig::remote
