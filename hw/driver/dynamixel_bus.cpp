#include "hw/driver/dynamixel_bus.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "hw/dynamixel/line_time.h"

namespace jointrig::hw {
namespace {

using dynamixel::Instruction;
using dynamixel::kReportSize;
namespace item = dynamixel::item;

constexpr std::int64_t kPingTime = 100 * can::kMillisecond;
constexpr std::int64_t kSecondAnswer = 2 * can::kMillisecond;  // in which another servo's comes
constexpr std::int64_t kScanTime = 760 * can::kMillisecond;    // 3 ms for each of 253 ids
constexpr std::int64_t kPatientScan = 20 * can::kMillisecond;
constexpr int kDoubles = 2;  // one may be an answer that was held up
constexpr double kPeriodsToTimeout = 20.0;

std::uint64_t cycles_per_second(const std::vector<DynamixelJoint>& joints) {
  return joints.empty() ? 1 : static_cast<std::uint64_t>(std::lround(1.0 / joints[0].host.period));
}

}  // namespace

DynamixelFacts dynamixel_facts(const DriveConfig& drive) {
  return {.gear = drive.gear,
          .feed = drive.feed,
          .reversed = drive.reversed,
          .zero_counts = drive.zero_counts,
          .torque_constant = drive.torque_constant,
          .efficiency = drive.efficiency};
}

DynamixelJoint dynamixel_joint(const JointConfig& joint, double period) {
  if (joint.board.needs_calibration) {
    throw std::invalid_argument("joint " + joint.name +
                                " needs calibration, and a Dynamixel servo has none to run: put it "
                                "on a CANopen bus, or set needs_calibration: false");
  }
  DynamixelJoint servo;
  servo.name = joint.name;
  if (joint.drive.product) servo.model = static_cast<std::uint16_t>(*joint.drive.product);
  servo.host.units = DynamixelUnits(dynamixel_facts(joint.drive), joint.slide);
  servo.host.id = static_cast<std::uint8_t>(joint.drive.node);
  servo.host.period = period;
  servo.host.v_max = joint.limits.v_max;
  servo.host.tau_max = joint.limits.tau_max;
  servo.host.following_window = joint.drive.following_window;
  servo.host.following_time = joint.drive.following_time;
  servo.host.watchdog = std::max(2 * dynamixel::kWatchdogStep, kPeriodsToTimeout * period);
  return servo;
}

DynamixelBus::Servo::Servo(DynamixelJoint&& its) : joint(std::move(its)), host(joint.host) {}

DynamixelBus::DynamixelBus(std::vector<DynamixelJoint> joints, bool patient)
    : notices_(joints.size(), cycles_per_second(joints)), patient_(patient) {
  if (joints.size() > kMostServos) {
    throw std::invalid_argument(fmt::format(
        "{} servos are on one line, {} is the most: spread them", joints.size(), kMostServos));
  }
  servos_.reserve(joints.size());
  for (DynamixelJoint& joint : joints) {
    const std::string who = fmt::format("{}: servo {}", joint.name, joint.host.id);
    if (joint.host.id > dynamixel::kLastId) {
      throw std::invalid_argument(
          fmt::format("{} can't be: ids go from 0 to {}", who, dynamixel::kLastId));
    }
    if (const Servo* other = servo_of(joint.host.id)) {
      throw std::invalid_argument(who + " is that of " + other->joint.name + " already");
    }
    servos_.emplace_back(std::move(joint));
  }
}

JointCapabilities DynamixelBus::capabilities(const DynamixelJoint& servo) {
  JointCapabilities board;
  board.joint = servo.name;
  board.drive_modes = {DriveMode::kOff, DriveMode::kPosition, DriveMode::kVelocity};
  if (servo.host.units.has_torque()) board.drive_modes.add(DriveMode::kTorque);
  board.senses_velocity = true;
  board.senses_torque = servo.host.units.has_torque();
  board.reports_status = true;
  board.adds_torque = false;
  return board;
}

BusDescription DynamixelBus::description() const {
  BusDescription bus;
  for (const Servo& servo : servos_) bus.joints.push_back(capabilities(servo.joint));
  return bus;
}

DynamixelBus::Servo* DynamixelBus::servo_of(std::uint8_t id) noexcept {
  const auto found = std::find_if(servos_.begin(), servos_.end(),
                                  [id](const Servo& servo) { return servo.joint.host.id == id; });
  return found != servos_.end() ? &*found : nullptr;
}

void DynamixelBus::set_phase(Servo& servo, Phase phase) noexcept {
  servo.phase = phase;
  servo.host.set_configured(phase == Phase::kRunning);
}

bool DynamixelBus::send(std::uint8_t id, Instruction instruction, Bytes parameters) noexcept {
  can::Frame frame;
  frame.serial = true;
  const std::size_t size = dynamixel::write_packet(id, instruction, parameters, frame.data);
  frame.size = static_cast<std::uint8_t>(size);
  if (size > 0) out_.push(frame);
  return size > 0;
}

// Identities
// -------------------------------------------------------------------------------------------

void DynamixelBus::start(std::int64_t now) noexcept {
  started_ = true;
  scans_ = scanned_ = begun_ = false;
  asked_ = nullptr;
  wait_until_ = now;
  turn_ = 0;
  foreign_.fill(false);
  reader_.reset();
  for (Servo& servo : servos_) {
    servo.refusal = Refusal::kNone;
    servo.damaged = 0;
    servo.doubled = 0;
    servo.setpoint.reset();
    set_phase(servo, Phase::kAbsent);
  }
}

void DynamixelBus::poll(std::int64_t now) noexcept {
  if (!started_ || now < wait_until_) return;
  if (scans_) {
    scanned_ = true;
    scans_ = false;
  }
  ask_next(now);
}

/// One question at a time: the line carries one direction.
void DynamixelBus::ask_next(std::int64_t now) noexcept {
  const auto is_open = [](const Servo& servo) {
    return servo.phase == Phase::kAbsent || servo.phase == Phase::kAsked;
  };
  asked_ = nullptr;
  if (!scanned_ && turn_ >= 2 * servos_.size()) {
    scans_ = true;
    wait_until_ = now + (patient_ ? kPatientScan : kScanTime);
    return ping(dynamixel::kBroadcast);
  }
  for (std::size_t i = 0; i < servos_.size() && asked_ == nullptr; ++i) {
    Servo& servo = servos_[turn_++ % servos_.size()];
    if (is_open(servo)) asked_ = &servo;
  }
  if (asked_ == nullptr) return;
  asked_->answers = 0;
  damaged_ = reader_.counters().crc_errors;
  wait_until_ = now + kPingTime;
  ping(asked_->joint.host.id);
}

void DynamixelBus::ping(std::uint8_t id) noexcept { send(id, Instruction::kPing, {}); }

void DynamixelBus::take_ping(Servo& servo, Bytes answer, std::int64_t now) noexcept {
  constexpr std::size_t kPingAnswer = 4;  // error, model, firmware
  if (&servo != asked_ || answer.size() != kPingAnswer) return;
  servo.model = static_cast<std::uint16_t>(dynamixel::get(answer.subspan(1, 2)));
  const dynamixel::Model* model = dynamixel::model_of(servo.model);
  const bool is_other = servo.joint.model && *servo.joint.model != servo.model;
  const bool again = ++servo.answers > 1;
  if (again && ++servo.doubled >= kDoubles) {
    servo.refusal = Refusal::kDoubled;
  } else if (model == nullptr || is_other) {
    servo.refusal = Refusal::kModel;
  } else if (servo.joint.host.units.has_torque() && !model->has_current) {
    servo.refusal = Refusal::kNoCurrent;
  }
  wait_until_ = now + kSecondAnswer;
  if (servo.refusal != Refusal::kNone) return set_phase(servo, Phase::kFailed);
  if (!again) set_phase(servo, servo.phase == Phase::kAbsent ? Phase::kAsked : Phase::kRunning);
}

bool DynamixelBus::has_all() const noexcept {
  return std::all_of(servos_.begin(), servos_.end(),
                     [](const Servo& servo) { return servo.phase == Phase::kRunning; });
}

BusProgress DynamixelBus::progress() const noexcept {
  const bool decided = std::all_of(servos_.begin(), servos_.end(), [](const Servo& servo) {
    return servo.phase == Phase::kRunning || servo.phase == Phase::kFailed;
  });
  BusProgress progress{
      .all_running = scanned_ && has_all(), .is_decided = scanned_ && decided, .steps = 0};
  for (const Servo& servo : servos_) progress.steps += servo.phase != Phase::kAbsent ? 1U : 0U;
  progress.steps += scanned_ ? 1U : 0U;
  return progress;
}

bool DynamixelBus::is_settled() const noexcept {
  return std::all_of(servos_.begin(), servos_.end(),
                     [](const Servo& servo) { return servo.host.is_settled(); });
}

void DynamixelBus::begin() noexcept {
  begun_ = true;
  for (Servo& servo : servos_) {
    servo.host.begin();
    servo.setpoint.reset();  // what was written before was not the stack's
  }
}

// Hearing
// -------------------------------------------------------------------------------------------

void DynamixelBus::receive(const can::Frame& frame, std::int64_t now) noexcept {
  if (!frame.serial) return;
  reader_.feed(frame.bytes());
  while (const auto packet = reader_.next()) {
    if (packet->instruction == Instruction::kAllHaveAnswered) all_answered_ = true;
    if (packet->instruction == Instruction::kStatus) take_status(*packet, now);
  }
  if (asked_ != nullptr) asked_->damaged += reader_.counters().crc_errors - damaged_;
  if (asked_ != nullptr) damaged_ = reader_.counters().crc_errors;
  if (reboots_ && open_ && is_complete()) reboot_one();
}

void DynamixelBus::take_status(const dynamixel::Packet& packet, std::int64_t now) noexcept {
  if (packet.id == dynamixel::kBroadcast) return take_fast(packet.parameters);
  Servo* servo = servo_of(packet.id);
  if (servo == nullptr) {
    foreign_[packet.id] = true;
  } else if (asked_ != nullptr) {
    take_ping(*servo, packet.parameters, now);
  } else if (packet.parameters.size() == 1 + kReportSize) {
    take_report(packet.id, packet.parameters.subspan(1));
  }
}

void DynamixelBus::take_report(std::uint8_t id, Bytes report) noexcept {
  Servo* servo = servo_of(id);
  if (servo == nullptr || servo->phase != Phase::kRunning) return;
  if (servo->host.age() >= kLost) {  // nobody waited for it: it may come at any time
    set_phase(*servo, Phase::kAbsent);
    set_phase(*servo, Phase::kRunning);
  } else if (open_) {
    servo->report = dynamixel::report_of(report.first<kReportSize>());
  } else {
    ++late_;
  }
}

/// Error, id, data, CRC of each servo; the last one's CRC is that of the packet.
void DynamixelBus::take_fast(Bytes parts) noexcept {
  constexpr std::size_t kHead = 2;
  constexpr std::size_t kPart = kHead + kReportSize + 2;
  for (std::size_t at = 0; at + kHead + kReportSize <= parts.size(); at += kPart) {
    take_report(parts[at + 1], parts.subspan(at + kHead, kReportSize));
  }
}

void DynamixelBus::follow_link(BusLink link) noexcept {
  if (link != BusLink::kGood) {
    for (Servo& servo : servos_) servo.host.fail(FaultCode::kBusLost);
  }
  if (link == link_) return;
  link_ = link;
  for (std::size_t joint = 0; joint < servos_.size(); ++joint) {
    notices_.tell(joint, notice_of(link));
  }
}

// The cycle
// -------------------------------------------------------------------------------------------

void DynamixelBus::skip(std::uint64_t cycles) noexcept {
  for (Servo& servo : servos_) servo.host.skipped(cycles);
}

void DynamixelBus::open_cycle(std::int64_t /*now*/) noexcept {
  asked_ = nullptr;
  reader_.reset();  // half of a packet that comes too late
  open_ = true;
  all_answered_ = reboots_ = false;
  for (Servo& servo : servos_) {
    servo.report.reset();
    const bool runs = servo.phase == Phase::kRunning;
    servo.order = runs ? servo.host.order(servo.setpoint) : DynamixelOrder{};
    reboots_ = reboots_ || servo.order.reboot;
  }
  write_orders();
  ask_all();
}

/// Torque off, then what is written without torque, then torque on, then goals.
void DynamixelBus::write_orders() noexcept {
  using Value = std::optional<int>;
  const auto number = [](const auto& value) { return value ? Value(*value) : Value(); };
  write_all(item::kTorqueEnable,
            [](const DynamixelOrder& order) { return order.torque == false ? Value(0) : Value(); });
  const bool maps = write_maps();
  write_all(item::kBusWatchdog,
            [&](const DynamixelOrder& order) { return number(order.watchdog); });
  write_all(item::kOperatingMode, [&](const DynamixelOrder& order) { return number(order.mode); });
  write_all(item::kTorqueEnable,
            [](const DynamixelOrder& order) { return order.torque == true ? Value(1) : Value(); });
  if (maps && begun_) return;  // the others' goals stay for a cycle: the line is full
  write_all(item::kGoalCurrent, [](const DynamixelOrder& order) { return order.current; });
  write_all(item::kGoalVelocity, [](const DynamixelOrder& order) { return order.velocity; });
  write_all(item::kGoalPosition, [](const DynamixelOrder& order) { return order.position; });
}

template <typename ValueOf>
void DynamixelBus::write_all(dynamixel::Item item, ValueOf value_of) noexcept {
  std::array<std::uint8_t, dynamixel::kMostPiece> given{};
  constexpr std::size_t kHead = 4;  // address, size
  // Room for a stuffed byte in each servo's value.
  const std::size_t most = dynamixel::kMostPiece - dynamixel::kLeastPacket;
  dynamixel::put(item.address, std::span(given).first(2));
  dynamixel::put(item.size, std::span(given).subspan(2, 2));
  std::size_t size = kHead;
  std::size_t with_stuffing = kHead;
  const auto flush = [&] {
    if (size > kHead) {
      send(dynamixel::kBroadcast, Instruction::kSyncWrite, std::span(given).first(size));
    }
    size = with_stuffing = kHead;
  };
  for (const Servo& servo : servos_) {
    const auto value = value_of(servo.order);
    if (!value) continue;
    const std::size_t entry = 1U + item.size;
    const std::size_t stuffed = entry + (*value < 0 ? 1U : 0U);
    if (with_stuffing + stuffed > most) flush();
    given[size] = servo.joint.host.id;
    dynamixel::put(static_cast<std::uint32_t>(*value),
                   std::span(given).subspan(size + 1, item.size));
    size += entry;
    with_stuffing += stuffed;
  }
  flush();
}

/// Before anything drives, those of all servos; then of one that came back, a cycle.
bool DynamixelBus::write_maps() noexcept {
  const auto map = dynamixel::report_map();
  std::array<std::uint8_t, 2 + 2 * kReportSize> given{};
  dynamixel::put(dynamixel::kIndirectAddress, std::span(given).first(2));
  std::copy(map.begin(), map.end(), given.begin() + 2);
  // A write to one servo would be answered: a sync write to one is not.
  std::array<std::uint8_t, 5 + 2 * kReportSize> sync{};
  std::copy_n(given.begin(), 2, sync.begin());
  dynamixel::put(2 * kReportSize, std::span(sync).subspan(2, 2));
  std::copy(map.begin(), map.end(), sync.begin() + 5);
  bool any = false;
  for (const Servo& servo : servos_) {
    if (!servo.order.map) continue;
    sync[4] = servo.joint.host.id;
    send(dynamixel::kBroadcast, Instruction::kSyncWrite, sync);
    any = true;
    if (begun_) break;
  }
  return any;
}

/// Servos that were silent last: a plain sync read goes on behind them.
void DynamixelBus::ask_all() noexcept {
  std::array<std::uint8_t, 4 + kMostServos> given{};
  dynamixel::put(dynamixel::kIndirectData, std::span(given).first(2));
  dynamixel::put(kReportSize, std::span(given).subspan(2, 2));
  std::size_t size = 4;
  for (const bool silent : {false, true}) {
    for (const Servo& servo : servos_) {
      if ((servo.host.age() > 0) == silent) given[size++] = servo.joint.host.id;
    }
  }
  send(dynamixel::kBroadcast, all_heard_ ? Instruction::kFastSyncRead : Instruction::kSyncRead,
       std::span(given).first(size));
}

bool DynamixelBus::is_complete() const noexcept {
  return std::all_of(servos_.begin(), servos_.end(), [](const Servo& servo) {
    return servo.phase != Phase::kRunning || servo.report || servo.host.age() >= kLost;
  });
}

void DynamixelBus::reboot_one() noexcept {
  const auto found = std::find_if(servos_.begin(), servos_.end(),
                                  [](const Servo& servo) { return servo.order.reboot; });
  reboots_ = false;
  if (found != servos_.end()) send(found->joint.host.id, Instruction::kReboot, {});
}

void DynamixelBus::close_cycle() noexcept {
  notices_.next_cycle();
  if (reboots_) reboot_one();
  open_ = false;
  all_heard_ = !servos_.empty();
  for (Servo& servo : servos_) {
    all_heard_ = all_heard_ && servo.report;
    if (servo.report) {
      servo.host.heard(*servo.report);
    } else {
      servo.host.silent();
    }
  }
  const std::uint64_t damaged = reader_.counters().crc_errors;
  notices_.count(0, Notice::kLineGarbage, damaged - std::exchange(damaged_, damaged));
}

void DynamixelBus::stop() noexcept {
  for (Servo& servo : servos_) {
    servo.order = {};
    if (servo.phase == Phase::kRunning) servo.order.torque = false;
  }
  write_orders();
  for (Servo& servo : servos_) set_phase(servo, Phase::kAbsent);
  started_ = false;
}

std::vector<can::CyclicFrame> DynamixelBus::cyclic_frames() const {
  constexpr std::size_t kGoalSize = 4;
  std::vector<can::CyclicFrame> frames;
  if (servos_.empty()) return frames;
  const auto period =
      static_cast<can::TimeNs>(std::llround(1e9 * servos_.front().joint.host.period));
  const dynamixel::LineLoad load{
      .servos = servos_.size(), .goal_size = kGoalSize, .report_size = kReportSize, .fast = false};
  std::size_t left = dynamixel::write_bytes(load.servos, kGoalSize) +
                     dynamixel::question_bytes(load.servos) + dynamixel::answer_bytes(load);
  while (left > 0) {
    can::Frame piece;
    piece.serial = true;
    piece.size = static_cast<std::uint8_t>(std::min(left, dynamixel::kMostPiece));
    left -= piece.size;
    frames.push_back({piece, period, 1});
  }
  return frames;
}

// In words
// -------------------------------------------------------------------------------------------

std::string DynamixelBus::text_of(const Servo& servo) {
  const std::string who = fmt::format("{} (servo {})", servo.joint.name, servo.joint.host.id);
  if (servo.damaged > 0 && servo.phase != Phase::kRunning) {
    return fmt::format(
        "{}: {} answers to its ping have a wrong CRC: two servos have this id, or the line's rate "
        "is too high for its cable",
        who, servo.damaged);
  }
  switch (servo.phase) {
    case Phase::kRunning:
      return who + " does not get ready: " +
             (servo.host.is_mapped() ? "it doesn't take its torque off (64) or its watchdog (98)"
                                     : "it doesn't take its indirect addresses (168)");
    case Phase::kAbsent:
      return who + " does not answer; look at its supply, its id (7) and its baud rate (8)";
    case Phase::kAsked:
      return who + " answered one ping and then no more";
    case Phase::kFailed:
      break;
  }
  const dynamixel::Model* model = dynamixel::model_of(servo.model);
  const std::string its_model =
      fmt::format("model {}{}", servo.model, model ? " (" + std::string(model->name) + ")" : "");
  switch (servo.refusal) {
    case Refusal::kDoubled:
      return who + ": two servos answer to this id; give one of them another";
    case Refusal::kNoCurrent:
      return who + " is of " + its_model +
             ", which measures no current: leave out its torque_constant";
    default:
      break;
  }
  if (servo.joint.model && *servo.joint.model != servo.model) {
    return fmt::format("{} is of {}, expected is {}", who, its_model, *servo.joint.model);
  }
  return who + " is of " + its_model + ", which this driver doesn't know";
}

std::vector<std::string> DynamixelBus::problems(bool had_cycles) const {
  std::vector<std::string> texts;
  for (const Servo& servo : servos_) {
    const bool may_be = servo.host.is_settled() || !had_cycles;
    if (servo.phase != Phase::kRunning || !may_be) texts.push_back(text_of(servo));
  }
  for (std::size_t id = 0; id < foreign_.size(); ++id) {
    if (foreign_[id]) texts.push_back(fmt::format("servo {} answers and belongs to no joint", id));
  }
  return texts;
}

}  // namespace jointrig::hw
