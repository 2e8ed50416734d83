#include "hw/driver/canopen_bus.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace jointrig::hw {
namespace {

using canopen::HeartbeatEvent;
using canopen::NmtCommand;
using canopen::NmtState;

JointPdoSpec pdos_of(const DriveSettings& settings) {
  return {settings.node, settings.has_life_counter, settings.feed_forward, settings.pdos,
          settings.tells_inputs};
}

std::uint64_t cycles_per_second(const std::vector<BusJoint>& joints) {
  constexpr std::uint32_t kSecond = 1'000'000;  // [µs]
  const std::uint32_t period = joints.empty() ? 0 : joints.front().settings.period_us;
  return period > 0 ? kSecond / period : 1;
}

/// 1001h has a bit while an error stands; then the newest of 1003h is it.
std::vector<SetupStep> cause_steps() {
  const auto note = [](std::uint16_t index, std::uint8_t sub, std::uint8_t bytes) {
    SetupStep step;
    step.kind = SetupStep::Kind::kNote;
    step.index = index;
    step.sub = sub;
    step.bytes = bytes;
    return step;
  };
  return {note(0x1001, 0, 1), note(0x1003, 1, 4)};
}

canopen::SdoClientOptions sdo_options(const DriveSettings& settings) {
  return {.time_out = std::int64_t{settings.sdo_time_out_ms} * 1'000'000};
}

DriveModes modes_of(const DriveHostSpec& host) {
  using cia402::DriveUse;
  const auto can = [&](DriveUse use) {
    return cia402::is_possible(use, host.supported_modes, host.has_pwm);
  };
  DriveModes modes{DriveMode::kOff};
  if (can(DriveUse::kPosition)) modes.add(DriveMode::kPosition);
  if (can(DriveUse::kVelocity)) modes.add(DriveMode::kVelocity);
  if (can(DriveUse::kTorque)) modes.add(DriveMode::kTorque);
  if (can(DriveUse::kPwm)) modes.add(DriveMode::kDuty);
  return modes;
}

}  // namespace

CanopenBus::Node::Node(BusJoint&& joint)
    : name(std::move(joint.name)),
      number(joint.settings.node),
      allowed_silence_ms(joint.settings.allowed_silence_ms),
      host(joint.host),
      pdos(pdos_of(joint.settings)),
      setup(joint.settings.node, setup_steps(joint.settings), sdo_options(joint.settings)),
      cause(joint.settings.node, cause_steps(), sdo_options(joint.settings)),
      drift(joint.settings.heartbeat_ms) {}

CanopenBus::CanopenBus(std::vector<BusJoint> joints, const std::vector<SensorSettings>& sensors)
    : heartbeat_(kHostNode), notices_(joints.size(), cycles_per_second(joints)) {
  nodes_.reserve(joints.size());
  for (BusJoint& joint : joints) nodes_.emplace_back(std::move(joint));
  sensors_.reserve(sensors.size());
  for (const SensorSettings& sensor : sensors) {
    const bool is_imu = sensor.kind == canopen::SensorKind::kImu;
    (is_imu ? imus_ : force_sensors_).push_back(sensors_.size());
    sensors_.emplace_back(sensor, nmt_, out_);
  }
}

void CanopenBus::start(std::int64_t now) noexcept {
  started_ = true;
  begun_ = false;
  now_ = now;
  foreign_.fill(false);  // who is still there says so again
  heartbeat_.set_period(kHostHeartbeat, now);
  nmt_.order(NmtCommand::kResetCommunication, canopen::kAllNodes, out_);
  for (Node& node : nodes_) {
    node.serial = 0;
    node.told.reset();
    reset(node);
  }
  for (SensorNode& sensor : sensors_) sensor.start(now);
}

void CanopenBus::expect_boards(std::uint32_t token) noexcept {
  for (Node& node : nodes_) node.setup.expect(0x2011, 0, token);
  for (SensorNode& sensor : sensors_) sensor.expect_boards(token);
}

void CanopenBus::restart(std::size_t joint) noexcept {
  Node& node = nodes_[joint];
  nmt_.order(NmtCommand::kResetCommunication, node.number, out_);
  reset(node);
}

void CanopenBus::reset(Node& node) noexcept {
  node.setup.cancel(out_);
  node.cause.cancel(out_);
  node.boot_ups = 0;
  node.doubled = node.asked_again = node.is_other = false;
  set_phase(node, NodePhase::kAbsent);
}

void CanopenBus::set_phase(Node& node, NodePhase phase) noexcept {
  node.phase = phase;
  node.since = now_;
  node.drift.restart();
  node.host.set_configured(phase == NodePhase::kRunning);
}

CanopenBus::Node* CanopenBus::node_of(std::uint8_t number) noexcept {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(),
                                  [number](const Node& node) { return node.number == number; });
  return found != nodes_.end() ? &*found : nullptr;
}

SensorNode* CanopenBus::sensor_of(std::uint8_t number) noexcept {
  const auto found =
      std::find_if(sensors_.begin(), sensors_.end(),
                   [number](const SensorNode& its) { return its.number() == number; });
  return found != sensors_.end() ? &*found : nullptr;
}

// Frames that come
// -------------------------------------------------------------------------------------------

void CanopenBus::receive(const can::Frame& frame, std::int64_t now) noexcept {
  if (frame.extended) return;
  now_ = now;
  if (frame.id == canopen::kSyncId) {
    for (Node& node : nodes_) node.pdos.hear_sync();
    return;
  }
  for (Node& node : nodes_) {
    if (node.pdos.take(frame) != JointPdos::Verdict::kNotMine) return;
  }
  for (SensorNode& sensor : sensors_) {
    if (sensor.receive(frame, now)) return;
  }
  if (nmt_.receive(frame, now)) {
    follow_events(now);
    return time_heartbeat(frame, now);
  }
  const auto number = static_cast<std::uint8_t>(frame.id & 0x7FU);
  Node* node = node_of(number);
  if (node == nullptr) return;
  if (node->setup.receive(frame, now, out_)) return follow_setup(*node);
  if (node->cause.receive(frame, now, out_)) return follow_cause(*node);
  hear_emergency(*node, frame, now);
}

/// Only for a drive in operation: every other phase begins or ends with a step of its heartbeats.
void CanopenBus::time_heartbeat(const can::Frame& frame, std::int64_t now) noexcept {
  Node* node = node_of(static_cast<std::uint8_t>(frame.id & 0x7FU));
  if (node == nullptr || node->phase != NodePhase::kRunning) return;
  const auto drift = node->drift.heard(now);
  if (!drift) return;
  const double ppm = std::round(1e6 * *drift);  // no better known than to tens
  const bool is_told = node->drift_told && now - *node->drift_told < kDriftPause;
  if (std::abs(ppm) <= kDriftLimit || is_told) return;
  notices_.tell(index_of(*node), Notice::kClockDrift, ppm, kDriftLimit);
  node->drift_told = now;
}

void CanopenBus::hear_emergency(Node& node, const can::Frame& frame, std::int64_t now) noexcept {
  if (!node.emergencies.receive(frame, now)) return;
  const std::size_t joint = index_of(node);
  const std::uint16_t code = node.emergencies.present();
  const bool storms = node.emergencies.per_second(now) > kStorm;
  if (storms && !node.storms) {
    notices_.tell(joint, Notice::kEmergencyStorm, node.emergencies.per_second(now), kStorm);
  }
  node.storms = storms;
  // Each code once, and not those of a storm.
  if (!storms && code != 0 && code != node.code_told) {
    notices_.tell(joint, Notice::kEmergency, code);
  }
  node.code_told = code;
}

void CanopenBus::poll(std::int64_t now) noexcept {
  if (!started_) return;
  now_ = now;
  heartbeat_.poll(NmtState::kOperational, now, out_);
  nmt_.poll(now);
  follow_events(now);
  for (Node& node : nodes_) {
    if (begun_) try_again(node);
    if (node.cause.state() == SetupRun::State::kRunning) {
      node.cause.poll(now, out_);
      follow_cause(node);
    }
    if (node.phase != NodePhase::kSettingUp) continue;
    node.setup.poll(now, out_);
    follow_setup(node);
  }
  for (SensorNode& sensor : sensors_) sensor.poll(now);
}

/// The order to reset or to start, its echo, or every answer to a question may have got lost; and
/// the boot-up of a node that was without power, which beats no more before it is set up. One of
/// two nodes may have been unplugged, which the other has no reason to tell; and the boot-up of the
/// right board in a stranger's place may not have been heard.
void CanopenBus::try_again(Node& node) noexcept {
  if (now_ - node.since < kTryAgain) return;
  const bool is_mute = node.phase == NodePhase::kLost && node.host.age() >= DriveHost::kLostAfter;
  const bool is_stuck =
      node.phase == NodePhase::kAbsent || node.phase == NodePhase::kStarting || is_mute;
  const bool gave_up = node.phase == NodePhase::kFailed && node.setup.was_silent();
  const bool is_refused = node.phase == NodePhase::kFailed && node.told.has_value();
  const bool looks_again = is_refused && now_ - node.since >= kLookAgain;
  if (is_refused ? looks_again : is_stuck || gave_up) restart(index_of(node));
}

void CanopenBus::follow_events(std::int64_t now) noexcept {
  while (const auto event = nmt_.next_event()) {
    Node* node = node_of(event->what.node);
    if (node != nullptr) {
      follow_event(*node, *event, now);
    } else if (SensorNode* sensor = sensor_of(event->what.node)) {
      sensor->follow(*event, now);
    } else if (event->what.node != kHostNode) {
      foreign_[event->what.node] = true;
    }
  }
}

void CanopenBus::follow_event(Node& node, const canopen::NmtEvent& event,
                              std::int64_t now) noexcept {
  if (node.doubled) return;
  switch (event.what.kind) {
    case HeartbeatEvent::Kind::kBootUp:
      if (node.phase == NodePhase::kRunning || node.phase == NodePhase::kLost ||
          node.phase == NodePhase::kTakenOut) {
        notices_.tell(index_of(node), Notice::kNodeBootUp, node.number);
      }
      if (++node.boot_ups > 1 && node.phase == NodePhase::kSettingUp) return doubt(node);
      node.is_other = false;
      node.cause.cancel(out_);
      node.old_emergencies = node.emergencies.total();
      set_phase(node, NodePhase::kSettingUp);
      node.setup.start(now, out_);
      return;
    case HeartbeatEvent::Kind::kLost:
      if (node.phase != NodePhase::kFailed) set_phase(node, NodePhase::kLost);
      notices_.tell(index_of(node), Notice::kHeartbeatLost, node.allowed_silence_ms);
      return;
    case HeartbeatEvent::Kind::kBack:
      // Set up again by itself, up to where it could be enabled: who knows what it has forgotten.
      if (node.phase == NodePhase::kLost) restart(index_of(node));
      return;
    case HeartbeatEvent::Kind::kFirst:
    case HeartbeatEvent::Kind::kChanged:
      break;
  }
  const bool operational = event.what.state == NmtState::kOperational;
  if (node.phase == NodePhase::kStarting && operational) {
    set_phase(node, NodePhase::kRunning);
  } else if (node.phase == NodePhase::kRunning && !operational) {
    set_phase(node, NodePhase::kTakenOut);
    if (present_emergency(node) == canopen::emergency_code::kHeartbeatLost) {
      left_for_want_of_host(node);
    } else if (event.what.state == NmtState::kPreOperational) {
      node.cause.start(now, out_);  // a stopped one has no SDO
    } else {
      notices_.tell(index_of(node), Notice::kNmtChanged, node.number);
    }
  }
}

std::uint16_t CanopenBus::present_emergency(const Node& node) noexcept {
  const bool is_new = node.emergencies.total() > node.old_emergencies;
  return is_new ? node.emergencies.present() : std::uint16_t{0};
}

/// Its emergency may have got lost with the host's heartbeats. One that doesn't answer, or knows no
/// such error, was taken out by somebody else.
void CanopenBus::follow_cause(Node& node) noexcept {
  const SetupRun::State state = node.cause.state();
  if (state == SetupRun::State::kRunning || node.phase != NodePhase::kTakenOut) return;
  const std::uint32_t present = node.cause.noted()[0];
  const auto newest = static_cast<std::uint16_t>(node.cause.noted()[1]);
  const bool missed_host = state == SetupRun::State::kDone && present != 0 &&
                           newest == canopen::emergency_code::kHeartbeatLost;
  if (missed_host) return left_for_want_of_host(node);
  notices_.tell(index_of(node), Notice::kNmtChanged, node.number);
}

/// It missed the host, who is here again: a fault, and set up anew for the way out of it.
void CanopenBus::left_for_want_of_host(Node& node) noexcept {
  node.host.fail(FaultCode::kCommandLost);
  restart(index_of(node));
}

/// A second boot-up before the first was set up: the node had just been powered on, or two nodes
/// have one number. Another reset tells.
void CanopenBus::doubt(Node& node) noexcept {
  node.setup.cancel(out_);
  node.boot_ups = 0;
  node.doubled = node.asked_again;
  if (!node.asked_again) nmt_.order(NmtCommand::kResetCommunication, node.number, out_);
  node.asked_again = true;
  set_phase(node, node.doubled ? NodePhase::kFailed : NodePhase::kAbsent);
  if (node.doubled) tell_twin(node, TwinEvidence::kBootUps);
}

void CanopenBus::follow_setup(Node& node) noexcept {
  if (node.phase != NodePhase::kSettingUp) return;
  if (node.setup.state() == SetupRun::State::kFailed) return refuse(node);
  if (node.setup.state() == SetupRun::State::kDone) end_setup(node);
}

void CanopenBus::refuse(Node& node) noexcept {
  set_phase(node, NodePhase::kFailed);
  node.doubled = node.setup.heard_two();
  if (node.doubled) return tell_twin(node, TwinEvidence::kSerials);
  const auto other = node.setup.other_identity();
  if (other) {
    tell_refusal(node, Notice::kOtherBoard, other->found, other->expected);
  } else {
    notices_.tell(index_of(node), Notice::kSetupFailed, static_cast<double>(node.setup.done() + 1));
  }
}

void CanopenBus::end_setup(Node& node) noexcept {
  const std::uint32_t serial = node.setup.serial();
  if (node.serial != 0 && serial != node.serial) {
    node.is_other = true;
    set_phase(node, NodePhase::kFailed);
    return tell_refusal(node, Notice::kOtherBoard, serial, node.serial);
  }
  node.serial = serial;
  nmt_.watch(node.number, node.allowed_silence_ms);
  nmt_.order(NmtCommand::kStart, node.number, out_);
  set_phase(node, NodePhase::kStarting);
  node.boot_ups = 0;
  node.asked_again = false;
  node.told.reset();
}

// The cycle
// -------------------------------------------------------------------------------------------

void CanopenBus::skip(std::uint64_t cycles) noexcept {
  for (Node& node : nodes_) node.host.skipped(cycles);
}

void CanopenBus::open_cycle(std::int64_t now) noexcept {
  poll(now);
  for (Node& node : nodes_) node.pdos.open_cycle();
  for (SensorNode& sensor : sensors_) sensor.open_cycle();
  out_.push(sync_.next());
}

bool CanopenBus::is_complete() const noexcept {
  const bool have_drives = std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
    return node.phase != NodePhase::kRunning || node.pdos.is_complete();
  });
  return have_drives && std::all_of(sensors_.begin(), sensors_.end(),
                                    [](const auto& sensor) { return sensor.is_complete(); });
}

void CanopenBus::close_cycle() noexcept {
  notices_.next_cycle();
  for (Node& node : nodes_) close_cycle_of(node);
  for (SensorNode& sensor : sensors_) sensor.close_cycle();
  watch_for_a_gap();
}

void CanopenBus::close_cycle_of(Node& node) noexcept {
  auto report = node.pdos.close_cycle();
  const bool is_fresh = report.has_value();
  if (!report) report = node.pdos.late();
  if (report) {
    // A quantity outside the drive's mapping is known by other means.
    if (!node.pdos.tells_mode()) report->mode = node.mode_told;
    if (!node.pdos.tells_error_code()) report->error_code = present_emergency(node);
    is_fresh ? node.host.heard(*report) : node.host.heard_late(*report);
  } else {
    node.host.silent();
  }
  node.host.heard_inputs(node.pdos.take_inputs());
  if (const auto slow = node.pdos.take_slow()) node.host.heard(*slow);
  if (const auto finding = node.pdos.take_finding()) node.host.heard(*finding);
  count_frames(node);
  watch_for_a_twin(node);
  tell_notices_of(node);
  if (begun_) watch_for_its_return(node);
}

void CanopenBus::watch_for_its_return(Node& node) noexcept {
  const bool is_lost = node.phase != NodePhase::kRunning ||
                       node.host.age() >= DriveHost::kLostAfter || link_ != BusLink::kGood;
  if (is_lost) {
    node.is_away = true;
  } else if (node.is_away && node.host.is_settled()) {
    node.is_away = false;
    notices_.tell(index_of(node), Notice::kBoardBack);
  }
}

void CanopenBus::count_frames(Node& node) noexcept {
  using Verdict = JointPdos::Verdict;
  const std::size_t joint = index_of(node);
  const auto fresh = [&](Verdict verdict) {
    const auto i = static_cast<std::size_t>(verdict);
    return node.pdos.counters()[i] - node.counted[i];
  };
  const std::uint64_t late = fresh(Verdict::kLate);
  const std::uint64_t doubled = fresh(Verdict::kDoubled) + fresh(Verdict::kReplayed);
  if (node.phase == NodePhase::kRunning) {
    if (late + doubled >= kBacklog) {
      notices_.count(joint, Notice::kBacklog, late + doubled);
    } else {
      notices_.count(joint, Notice::kTpdoLate, late);
      notices_.count(joint, Notice::kTpdoDoubled, doubled);
    }
    notices_.count(joint, Notice::kPdoLength, fresh(Verdict::kLength));
  }
  node.counted = node.pdos.counters();
}

/// Two drives under one number say different things in one cycle, or more than one drive says.
void CanopenBus::watch_for_a_twin(Node& node) noexcept {
  node.contradictions = node.pdos.take_contradiction() ? node.contradictions + 1 : 0;
  const bool has_two_echoes = node.contradictions >= kContradictions;
  if (!has_two_echoes && !node.pdos.finds_two()) return;
  node.contradictions = 0;
  node.pdos.forget_two();  // and looked for anew: they may still be there after the way out
  tell_twin(node, has_two_echoes ? TwinEvidence::kEchoes : TwinEvidence::kStates);
}

/// Nobody knows which of the two was moved where. Before the stack drives, the start is refused.
void CanopenBus::tell_twin(Node& node, TwinEvidence evidence) noexcept {
  const auto how = static_cast<double>(evidence);
  if (begun_) node.host.fail(FaultCode::kDuplicateNode, node.number, how);
  tell_refusal(node, Notice::kDuplicateNode, node.number, how);
}

/// Once, however often it is looked at again.
void CanopenBus::tell_refusal(Node& node, Notice kind, double value, double limit) noexcept {
  if (node.told != kind) notices_.tell(index_of(node), kind, value, limit);
  node.told = kind;
}

void CanopenBus::tell_notices_of(Node& node) noexcept {
  const std::uint32_t bits = node.host.take_notices();
  for (const Notice notice : kAllNotice) {
    if ((bits & DriveHost::bit(notice)) == 0) continue;
    if (notice == Notice::kEncoderGlitch) {
      notices_.count(index_of(node), notice, 1);
    } else {
      notices_.tell(index_of(node), notice, node.host.value_of(notice));
    }
  }
}

/// Where no drive of several answers it was the SYNC that got lost.
void CanopenBus::watch_for_a_gap() noexcept {
  std::size_t running = 0;
  for (const Node& node : nodes_) {
    if (node.phase != NodePhase::kRunning) continue;
    ++running;
    if (node.host.age() == 0) return;
  }
  if (running > 0) notices_.count(0, Notice::kSyncGap, 1);
}

void CanopenBus::follow_link(BusLink link) noexcept {
  if (link != BusLink::kGood && started_) {
    for (Node& node : nodes_) node.host.fail(FaultCode::kBusLost);
  }
  if (link == link_) return;
  link_ = link;
  for (std::size_t joint = 0; joint < nodes_.size(); ++joint) {
    notices_.tell(joint, notice_of(link));
  }
}

/// A node that fell out of the network and doesn't come back by itself is set up anew when the
/// operator asks for the joint's way out, up to where it could be enabled.
void CanopenBus::follow_operator(Node& node, const JointSetpoint& setpoint) noexcept {
  const bool asks = setpoint.request == BoardRequest::kClearFault;
  const bool is_out = node.phase == NodePhase::kTakenOut || node.phase == NodePhase::kFailed ||
                      node.phase == NodePhase::kLost || node.phase == NodePhase::kAbsent;
  if (asks && !node.asked_to_clear) node.told.reset();
  if (asks && !node.asked_to_clear && is_out && started_) restart(index_of(node));
  node.asked_to_clear = asks;
}

void CanopenBus::write(std::size_t joint, const JointSetpoint& setpoint) noexcept {
  Node& node = nodes_[joint];
  follow_operator(node, setpoint);
  DriveOrder order;
  // One whose heartbeat has stopped may still hear that it is to come to rest.
  const bool may_hear = node.phase == NodePhase::kRunning || node.phase == NodePhase::kLost;
  if (!node.host.order(setpoint, order) || !may_hear) return;
  node.mode_told = order.mode;
  std::array<can::Frame, JointPdos::kMostOut> frames;
  const std::size_t count = node.pdos.put(order, frames);
  for (std::size_t i = 0; i < count; ++i) out_.push(frames[i]);
}

void CanopenBus::begin() noexcept {
  begun_ = true;
  for (Node& node : nodes_) node.host.begin();
  for (SensorNode& sensor : sensors_) sensor.begin();
}

void CanopenBus::stop() noexcept {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    write(i, JointSetpoint{});
    if (nodes_[i].phase == NodePhase::kRunning) {
      nmt_.order(NmtCommand::kEnterPreOperational, nodes_[i].number, out_);
    }
    set_phase(nodes_[i], NodePhase::kAbsent);
  }
  for (SensorNode& sensor : sensors_) sensor.stop();
  started_ = begun_ = false;
}

// In words
// -------------------------------------------------------------------------------------------

JointCapabilities CanopenBus::capabilities(const Node& node) {
  const DriveHostSpec& host = node.host.spec();
  JointCapabilities board;
  board.joint = node.name;
  board.drive_modes = modes_of(host);
  board.senses_velocity = true;
  board.senses_torque = true;
  board.reports_status = true;
  board.needs_calibration = host.needs_calibration;
  board.adds_torque = node.pdos.adds_torque();
  board.enable_time = node.host.enable_time();
  return board;
}

BusDescription CanopenBus::description() const {
  BusDescription bus;
  for (const Node& node : nodes_) bus.joints.push_back(capabilities(node));
  for (const std::size_t sensor : force_sensors_) {
    bus.force_torque_sites.push_back(sensors_[sensor].site());
  }
  for (const std::size_t imu : imus_) bus.imu_sites.push_back(sensors_[imu].site());
  return bus;
}

bool CanopenBus::is_settled() const noexcept {
  const auto is_settled = [](const auto& sensor) { return sensor.is_settled(); };
  return std::all_of(nodes_.begin(), nodes_.end(),
                     [](const Node& node) { return node.host.is_settled(); }) &&
         std::all_of(sensors_.begin(), sensors_.end(), is_settled);
}

std::vector<std::string> CanopenBus::problems(bool had_cycles) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    std::string text = node_text(i);
    if (had_cycles && text.empty() && !nodes_[i].host.is_settled()) {
      text = nodes_[i].name + " does not get ready: its drive stays " +
             std::string(nodes_[i].host.state_in_words());
    }
    if (!text.empty()) texts.push_back(std::move(text));
  }
  for (const SensorNode& sensor : sensors_) {
    std::string text = sensor.problem(had_cycles);
    if (!text.empty()) texts.push_back(std::move(text));
  }
  for (const std::uint8_t number : foreign_nodes()) {
    texts.push_back(fmt::format("node {} answers and belongs to no joint", number));
  }
  return texts;
}

bool CanopenBus::all_running() const noexcept {
  const auto runs = [](NodePhase phase) { return phase == NodePhase::kRunning; };
  return std::all_of(nodes_.begin(), nodes_.end(),
                     [&](const Node& node) { return runs(node.phase); }) &&
         std::all_of(sensors_.begin(), sensors_.end(),
                     [&](const auto& sensor) { return runs(sensor.phase()); });
}

bool CanopenBus::is_decided() const noexcept {
  const auto is_end = [](NodePhase phase) {
    return phase == NodePhase::kRunning || phase == NodePhase::kFailed;
  };
  return std::all_of(nodes_.begin(), nodes_.end(),
                     [&](const Node& node) { return is_end(node.phase); }) &&
         std::all_of(sensors_.begin(), sensors_.end(),
                     [&](const auto& sensor) { return is_end(sensor.phase()); });
}

BusProgress CanopenBus::progress() const noexcept {
  BusProgress progress{.all_running = all_running(), .is_decided = is_decided()};
  for (const Node& node : nodes_) progress.steps += node.setup.done();
  for (const SensorNode& sensor : sensors_) progress.steps += sensor.steps_done();
  return progress;
}

std::string CanopenBus::node_text(std::size_t joint) const {
  const Node& node = nodes_[joint];
  const std::string who = fmt::format("{} (node {})", node.name, node.number);
  if (node.phase != NodePhase::kFailed) {
    return phase_text(node.phase, who, node.setup, node.allowed_silence_ms);
  }
  if (node.doubled && !node.setup.heard_two()) {
    return who +
           ": two boot-up messages came after one reset: two nodes share the number, or it starts "
           "over and over";
  }
  if (node.is_other) return other_serial_text(who, "board", node.setup.serial(), node.serial);
  return node.name + ": " + node.setup.failure_text();
}

std::vector<std::uint8_t> CanopenBus::foreign_nodes() const {
  std::vector<std::uint8_t> numbers;
  for (std::size_t i = 0; i < foreign_.size(); ++i) {
    if (foreign_[i]) numbers.push_back(static_cast<std::uint8_t>(i));
  }
  return numbers;
}

}  // namespace jointrig::hw
