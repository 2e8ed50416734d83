#include "app/run/connected_log.h"

#include <cstddef>
#include <utility>

namespace jointrig::app {
namespace {

/// The network's thread must not wait for the disk.
harness::RobotLogOptions on_its_thread(harness::RobotLogOptions options) {
  options.own_thread = true;
  return options;
}

/// The state that the backend of this loop would have read.
RobotState state_of(const Snapshot& snapshot) noexcept {
  RobotState state;
  state.cycle = snapshot.cycle;
  state.time_ns = snapshot.time_ns;
  state.joints.resize(snapshot.joints.size());
  for (std::size_t i = 0; i < state.joints.size(); ++i) {
    state.joints[i] = snapshot.joints[i].state;
  }
  state.base = snapshot.base;
  state.force_torque = snapshot.force_torque;
  return state;
}

}  // namespace

ConnectedLog::ConnectedLog(const std::string& path, const RobotConfig& config,
                           const CommandInbox& inbox, harness::RobotLogOptions options)
    : log_(path, config, ring_, inbox, on_its_thread(std::move(options))) {}

void ConnectedLog::push(const Snapshot& snapshot, std::span<const Event> events,
                        std::span<const Command> commands) {
  for (const Event& event : events) ring_.publish(event);
  for (const Command& command : commands) {
    log_.append(command, snapshot.cycle, snapshot.time_ns);
  }
  log_.push(snapshot, state_of(snapshot));
}

}  // namespace jointrig::app
