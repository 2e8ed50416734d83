#include "app/serve/serving.h"

#include <fmt/core.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "app/serve/server_library.h"
#include "app/version.h"
#include "harness/log/log_writer.h"

namespace jointrig::app {
namespace {

/// The address as asked for, with the port that the system gave.
std::string with_port(const std::string& listen, int port) {
  return fmt::format("{}{}", listen.substr(0, listen.rfind(':') + 1), port);
}

}  // namespace

Serving::Serving(Rig& rig, std::vector<std::string> notes)
    : rig_(&rig),
      notes_(std::move(notes)),
      watch_(rig.stack().config().period_ns),
      hold_(watch_, rig.stack().inbox(), rig.stack().events(), rig.stack().config().joints.size()),
      cycles_(rig.stack().config()),
      parameters_(rig.stack().config(), rig.stack().events()),
      planner_(rig.stack(), rig.loop().exchange()) {}

Serving::~Serving() {
  if (live_) live_->close();  // before the viewers go, whom it writes to
}

void Serving::start(const ServingOptions& options) {
  saved_ = options.saved;
  server_ = load_server(served(), options.server);
  if (!options.server.listen.empty()) {
    address_ = with_port(options.server.listen, server_->port());
  }
  if (options.viewers) start_viewers(options);
  if (options.ros2) {
    ros2_ = load_ros2_link(served(), *server_, *options.ros2, options.server.tell);
  }
}

/// A client that gets in by the one way has to show the same by the other.
void Serving::start_viewers(const ServingOptions& options) {
  using LiveWriter = harness::MessageWriter<harness::LiveChannels>;
  Stack& stack = rig_->stack();
  viewers_ = load_viewer_server(served(), *server_,
                                {.listen = *options.viewers,
                                 .tls_cert = options.server.tls_cert,
                                 .tls_key = options.server.tls_key,
                                 .token_file = options.server.token_file,
                                 .origins = options.viewer_origins});
  const char* const scheme = options.server.tls_cert.empty() ? "ws://" : "wss://";
  viewer_address_ = scheme + with_port(*options.viewers, viewers_->port());
  live_ = std::make_unique<harness::RobotLog>(
      std::make_unique<LiveWriter>(std::make_unique<harness::LiveChannels>(viewers_->audience()),
                                   stack.config(), stack.inbox()),
      stack.config(), stack.events());
  is_watched_ = &viewers_->is_watched();
}

void Serving::after_cycle() noexcept {
  cycles_.push(rig_->stack().snapshot());
  parameters_.after_cycle(rig_->stack().drained());
  if (!live_) return;
  if (!is_watched_->load(std::memory_order_relaxed)) return live_->pass_over();
  push_cycle(*live_, *rig_);
}

remote::ServedRobot Serving::served() {
  Stack& stack = rig_->stack();
  return {.config = &stack.config(),
          .inbox = &stack.inbox(),
          .events = &stack.events(),
          .snapshots = &rig_->loop().exchange(),
          .cycles = &cycles_,
          .parameters = &parameters_.exchange(),
          .watch = &watch_,
          .backend = rig_->backend().description().name,
          .version = std::string(kVersion),
          .notes = notes_,
          .boards = rig_->backend().description().joints,
          .is_on_buses = rig_->is_on_buses(),
          .is_real = rig_->is_on_real_drives(),
          .plan = [this](const auto& wish,
                         const auto& is_wanted) { return planner_.plan(wish, is_wanted); },
          .reach = [this](const AskedReach& asked) { return planner_.reach(asked); },
          .save_parameters = saved_ == nullptr
                                 ? decltype(remote::ServedRobot::save_parameters)()
                                 : [this](bool compare) { return save_parameters(compare); }};
}

remote::SavedChanges Serving::save_parameters(bool only_compare) {
  std::optional<ParameterTable> table = parameters();
  const auto now = std::make_unique<Snapshot>();
  if (!table || !rig_->loop().exchange().read(*now)) {
    throw std::runtime_error("the robot's loop doesn't run");
  }
  put_compliance(*now, *table);
  return {saved_->path(), saved_->save(*table, only_compare)};
}

void push_cycle(harness::RobotLog& log, Rig& rig) noexcept {
  const Stack& stack = rig.stack();
  for (const Command& command : stack.drained()) {
    log.append(command, stack.snapshot().cycle, stack.snapshot().time_ns);
  }
  log.push(stack.snapshot(), rig.loop().state());
}

}  // namespace jointrig::app
