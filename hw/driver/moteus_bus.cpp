#include "hw/driver/moteus_bus.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace jointrig::hw {
namespace {

constexpr std::int64_t kAskAgain =
    20 * can::kMillisecond;  // for its number, of a servo that is silent
constexpr std::int64_t kSecondAsk =
    5 * can::kMillisecond;                   // in which a second servo's answer comes
constexpr std::uint8_t kScannedAtOnce = 16;  // numbers a poll; frames wait in a queue

}  // namespace

MoteusFacts moteus_facts(const DriveConfig& drive) {
  return {.gear = drive.gear,
          .feed = drive.feed,
          .reversed = drive.reversed,
          .zero = drive.zero_counts,
          .efficiency = drive.efficiency};
}

MoteusJoint moteus_joint(const JointConfig& joint, double period) {
  constexpr double kPeriodsToTimeout = 20.0;
  if (joint.board.needs_calibration) {
    throw std::invalid_argument("joint " + joint.name +
                                " needs calibration, and a moteus servo has none to run: put it on "
                                "a CANopen bus, or set needs_calibration: false");
  }
  const DriveConfig& drive = joint.drive;
  MoteusJoint servo;
  servo.name = joint.name;
  servo.id = static_cast<std::uint8_t>(drive.node);
  servo.serial = drive.serial;
  servo.host.units = MoteusUnits(moteus_facts(drive), joint.slide);
  servo.host.period = period;
  servo.host.v_max = joint.limits.v_max;
  servo.host.watchdog = kPeriodsToTimeout * period;
  servo.host.following_window = drive.following_window;
  servo.host.following_time = drive.following_time;
  return servo;
}

MoteusBus::Servo::Servo(MoteusJoint&& its) : joint(std::move(its)), host(joint.host) {}

namespace {

std::uint64_t cycles_per_second(const std::vector<MoteusJoint>& joints) {
  return joints.empty() ? 1 : static_cast<std::uint64_t>(std::lround(1.0 / joints[0].host.period));
}

}  // namespace

MoteusBus::MoteusBus(std::vector<MoteusJoint> joints, bool patient)
    : notices_(joints.size(), cycles_per_second(joints)), patient_(patient) {
  servos_.reserve(joints.size());
  for (MoteusJoint& joint : joints) {
    const std::string who = fmt::format("{}: servo {}", joint.name, joint.id);
    if (joint.id < 1 || joint.id > kLastServo) {
      throw std::invalid_argument(
          fmt::format("{} can't be: servos have 1 to {}, the host takes some of the numbers above",
                      who, kLastServo));
    }
    if (servo_of(joint.id) != nullptr) {
      throw std::invalid_argument(who + " is that of " + servo_of(joint.id)->joint.name +
                                  " already");
    }
    servos_.emplace_back(std::move(joint));
  }
}

JointCapabilities MoteusBus::capabilities(const MoteusJoint& servo) {
  JointCapabilities board;
  board.joint = servo.name;
  board.drive_modes = {DriveMode::kOff, DriveMode::kPosition, DriveMode::kVelocity,
                       DriveMode::kTorque};
  if (servo.host.allows_duty) board.drive_modes.add(DriveMode::kDuty);
  if (servo.host.kp > 0 && servo.host.kd > 0) board.drive_modes.add(DriveMode::kImpedance);
  board.senses_velocity = true;
  board.senses_torque = true;
  board.reports_status = true;
  return board;
}

BusDescription MoteusBus::description() const {
  BusDescription bus{.joints = {}, .needs_fd = true};
  for (const Servo& servo : servos_) bus.joints.push_back(capabilities(servo.joint));
  return bus;
}

std::vector<can::CyclicFrame> MoteusBus::cyclic_frames() const {
  std::vector<can::CyclicFrame> frames;
  for (const Servo& servo : servos_) {
    const ServoHostSpec& host = servo.joint.host;
    const auto period = static_cast<can::TimeNs>(std::llround(1e9 * host.period));
    moteus::PositionCommand longest{
        .position = 1, .velocity = 1, .feedforward = 1, .timeout = host.watchdog};
    if (host.kp > 0 && host.kd > 0) {
      longest.kp_scale = longest.kd_scale = 0.5;
      longest.ilimit_scale = 0;
    }
    can::Frame question = moteus::frame_to(
        {.source = kFirstHostId, .destination = servo.joint.id, .wants_reply = true});
    moteus::FrameWriter writer(question);
    moteus::put_position(writer, longest, host.resolution);
    moteus::put_query(writer, host.resolution, host.reads_inputs);
    writer.finish();
    can::Frame answer = moteus::frame_to({.source = servo.joint.id, .destination = kFirstHostId});
    answer.size = moteus::report_size(host.resolution, host.reads_inputs);
    frames.push_back({question, period, 1});
    frames.push_back({answer, period, 1});
  }
  return frames;
}

MoteusBus::Servo* MoteusBus::servo_of(std::uint8_t id) noexcept {
  const auto found = std::find_if(servos_.begin(), servos_.end(),
                                  [id](const Servo& servo) { return servo.joint.id == id; });
  return found != servos_.end() ? &*found : nullptr;
}

void MoteusBus::set_phase(Servo& servo, Phase phase) noexcept {
  servo.phase = phase;
  servo.host.set_configured(phase == Phase::kRunning);
}

// Identities
// -------------------------------------------------------------------------------------------

void MoteusBus::start(std::int64_t now) noexcept {
  started_ = true;
  begun_ = false;
  cycle_clock_.reset();
  scanned_ = 0;
  foreign_.fill(false);
  for (Servo& servo : servos_) {
    servo.refusal = Refusal::kNone;
    servo.setpoint.reset();
    servo.serial.reset();
    set_phase(servo, Phase::kAbsent);
    ask_who(servo, now);
  }
}

void MoteusBus::poll(std::int64_t now) noexcept {
  if (!started_) return;
  now = cycle_clock_.value_or(now);
  for (Servo& servo : servos_) {
    if (now < servo.ask_at) continue;
    const bool is_known = servo.phase == Phase::kRunning || servo.phase == Phase::kFailed;
    if (!is_known) ask_who(servo, now);
  }
  scan();
}

/// Asks the numbers of no joint, some at a time.
void MoteusBus::scan() noexcept {
  for (std::uint8_t i = 0; i < kScannedAtOnce && scanned_ < kLastServo; ++i) {
    ++scanned_;
    if (servo_of(scanned_) == nullptr) ask_who(scanned_);
  }
}

void MoteusBus::ask_who(Servo& servo, std::int64_t now) noexcept {
  turn_ = static_cast<std::uint8_t>((turn_ + 1) % kHostIds);
  servo.asked_as = static_cast<std::uint8_t>(kFirstHostId + turn_);
  servo.answers = 0;
  servo.ask_at = now + kAskAgain;
  ask_who(servo.joint.id, servo.joint.host.reads_inputs);
}

void MoteusBus::ask_who(std::uint8_t id, bool inputs) noexcept {
  can::Frame frame = moteus::frame_to({.source = static_cast<std::uint8_t>(kFirstHostId + turn_),
                                       .destination = id,
                                       .wants_reply = true});
  moteus::FrameWriter writer(frame);
  moteus::put_identity_query(writer, inputs);
  writer.finish();
  out_.push(frame);
}

void MoteusBus::receive(const can::Frame& frame, std::int64_t now) noexcept {
  const auto address = moteus::address_of(frame);
  if (!address || address->destination < kFirstHostId || address->wants_reply) return;
  if (address->destination >= kFirstHostId + kHostIds) return;
  Servo* servo = servo_of(address->source);
  if (servo == nullptr) {
    foreign_[address->source] = true;
  } else if (servo->phase == Phase::kRunning) {
    take_report(*servo, frame, address->destination);
  } else if (address->destination == servo->asked_as) {
    take_identity(*servo, frame, now);
  }
}

void MoteusBus::take_identity(Servo& servo, const can::Frame& frame, std::int64_t now) noexcept {
  const auto identity = moteus::identity_of(frame.bytes());
  if (!identity || servo.phase == Phase::kFailed) return;
  now = cycle_clock_.value_or(now);
  const bool again = ++servo.answers > 1;
  const bool other = servo.phase == Phase::kAsked && identity->serial != servo.identity.serial;
  if (again || other) {
    servo.refusal = Refusal::kDoubled;
  } else {
    servo.refusal = judge(servo.joint, *identity);
    const bool is_other = servo.serial && *servo.serial != identity->serial;
    if (is_other) servo.refusal = Refusal::kSerial;
  }
  const bool first = servo.phase != Phase::kAsked;
  servo.identity = *identity;
  if (servo.refusal != Refusal::kNone) return refuse(servo);
  if (!first) servo.serial = identity->serial;
  servo.ask_at = now + kSecondAsk;
  set_phase(servo, first ? Phase::kAsked : Phase::kRunning);
}

void MoteusBus::refuse(Servo& servo) noexcept {
  set_phase(servo, Phase::kFailed);
  if (!begun_) return;  // problems() says it
  const std::size_t joint = index_of(servo);
  if (servo.refusal == Refusal::kSerial) {
    const std::uint32_t expected = servo.serial ? (*servo.serial)[0] : *servo.joint.serial;
    notices_.tell(joint, Notice::kOtherBoard, servo.identity.serial[0], expected);
  } else if (servo.refusal == Refusal::kDoubled) {
    notices_.tell(joint, Notice::kDuplicateNode, servo.joint.id);
  } else {
    notices_.tell(joint, Notice::kSetupFailed, 1.0);
  }
}

MoteusBus::Refusal MoteusBus::judge(const MoteusJoint& joint,
                                    const moteus::Identity& identity) noexcept {
  constexpr int kFromOutput = 2;
  if (identity.register_map != moteus::kRegisterMap) return Refusal::kRegisterMap;
  if (joint.serial && *joint.serial != identity.serial[0]) return Refusal::kSerial;
  if (!joint.any_zero && identity.home_state != kFromOutput) return Refusal::kHomeState;
  if (joint.host.reads_inputs && !identity.tells_inputs) return Refusal::kInputs;
  return Refusal::kNone;
}

bool MoteusBus::all_running() const noexcept {
  return scanned_ >= kLastServo &&
         std::all_of(servos_.begin(), servos_.end(),
                     [](const Servo& servo) { return servo.phase == Phase::kRunning; });
}

bool MoteusBus::is_decided() const noexcept {
  return scanned_ >= kLastServo &&
         std::all_of(servos_.begin(), servos_.end(), [](const Servo& servo) {
           return servo.phase == Phase::kRunning || servo.phase == Phase::kFailed;
         });
}

BusProgress MoteusBus::progress() const noexcept {
  BusProgress progress{.all_running = all_running(), .is_decided = is_decided(), .steps = scanned_};
  for (const Servo& servo : servos_) progress.steps += servo.phase == Phase::kRunning ? 1U : 0U;
  return progress;
}

void MoteusBus::follow_link(BusLink link) noexcept {
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

void MoteusBus::skip(std::uint64_t cycles) noexcept {
  for (Servo& servo : servos_) servo.host.skipped(cycles);
}

void MoteusBus::open_cycle(std::int64_t now) noexcept {
  if (cycle_clock_ && !servos_.empty()) {
    *cycle_clock_ += std::llround(1e9 * servos_.front().joint.host.period);
  }
  poll(now);
  open_ = true;
  turn_ = static_cast<std::uint8_t>((turn_ + 1) % kHostIds);
  const auto name = static_cast<std::uint8_t>(kFirstHostId + turn_);
  for (Servo& servo : servos_) {
    servo.report.reset();
    if (servo.phase == Phase::kAbsent) continue;
    const bool runs = servo.phase == Phase::kRunning;
    if (runs) servo.asked_as = name;
    can::Frame frame =
        moteus::frame_to({.source = name, .destination = servo.joint.id, .wants_reply = true});
    moteus::FrameWriter writer(frame);
    // One that doesn't run is asked too: it is part of the cycle, if only of virtual boards.
    if (runs && servo.setpoint && servo.host.age() < kLost) {
      servo.host.put(*servo.setpoint, writer);
    }
    moteus::put_query(writer, servo.joint.host.resolution, servo.joint.host.reads_inputs);
    writer.finish();
    out_.push(frame);
  }
}

/// A servo that was refused is asked anew who it is when the operator asks for the way out.
void MoteusBus::write(std::size_t joint, const JointSetpoint& setpoint) noexcept {
  Servo& servo = servos_[joint];
  servo.setpoint = setpoint;
  const bool asks = setpoint.request == BoardRequest::kClearFault;
  if (asks && !servo.asked_to_clear && servo.phase == Phase::kFailed && started_) {
    servo.refusal = Refusal::kNone;
    servo.ask_at = 0;
    set_phase(servo, Phase::kBack);
  }
  servo.asked_to_clear = asks;
}

void MoteusBus::watch_for_its_return(Servo& servo) noexcept {
  const bool is_lost =
      servo.phase != Phase::kRunning || servo.host.age() >= kLost || link_ != BusLink::kGood;
  if (is_lost) {
    servo.is_away = true;
  } else if (servo.is_away && servo.host.is_settled()) {
    servo.is_away = false;
    notices_.tell(index_of(servo), Notice::kBoardBack);
  }
}

void MoteusBus::take_report(Servo& servo, const can::Frame& frame, std::uint8_t asked_as) noexcept {
  if (servo.host.age() >= kLost) {  // nobody waited for it: it may come at any time
    servo.ask_at = 0;
    set_phase(servo, Phase::kBack);
  } else if (!open_ || asked_as != servo.asked_as) {
    ++counters_.late;
  } else if (servo.report) {
    ++counters_.doubled;
  } else {
    servo.report = moteus::report_of(frame.bytes());
    if (!servo.report) ++counters_.damaged;
  }
}

bool MoteusBus::is_complete() const noexcept {
  return std::all_of(servos_.begin(), servos_.end(), [](const Servo& servo) {
    return servo.phase != Phase::kRunning || servo.report || servo.host.age() >= kLost;
  });
}

void MoteusBus::close_cycle() noexcept {
  notices_.next_cycle();
  open_ = false;
  for (Servo& servo : servos_) {
    if (servo.report) {
      servo.host.heard(*servo.report);
    } else {
      servo.host.silent();
    }
    if (begun_) watch_for_its_return(servo);
  }
}

bool MoteusBus::is_settled() const noexcept {
  return std::all_of(servos_.begin(), servos_.end(),
                     [](const Servo& servo) { return servo.host.is_settled(); });
}

void MoteusBus::begin() noexcept {
  begun_ = true;
  if (patient_) cycle_clock_ = 0;
  for (Servo& servo : servos_) {
    servo.host.begin();
    servo.setpoint.reset();  // what was written before was not the stack's
  }
}

void MoteusBus::stop() noexcept {
  for (Servo& servo : servos_) {
    if (servo.phase == Phase::kRunning && !moteus::is_latched(servo.host.mode())) {
      can::Frame frame = moteus::frame_to({.source = kFirstHostId, .destination = servo.joint.id});
      moteus::FrameWriter writer(frame);
      moteus::put_stop(writer);
      writer.finish();
      out_.push(frame);
    }
    set_phase(servo, Phase::kAbsent);
  }
  started_ = begun_ = false;
}

// In words
// -------------------------------------------------------------------------------------------

std::string MoteusBus::text_of(const Servo& servo) {
  std::string who = fmt::format("{} (servo {})", servo.joint.name, servo.joint.id);
  switch (servo.phase) {
    case Phase::kRunning:
      return who + " does not get ready: it stays in mode " +
             std::string(moteus::describe(servo.host.mode()));
    case Phase::kAbsent:
      return who + " does not answer; look at its supply, its number (id.id) and the bit rates";
    case Phase::kAsked:
      return who + " told who it is once and then no more";
    case Phase::kBack:
      return fmt::format("{} was silent for more than {} cycles", who, kLost);
    case Phase::kFailed:
      break;
  }
  const auto serial_text = [](std::uint32_t serial) { return fmt::format("{:08X}", serial); };
  switch (servo.refusal) {
    case Refusal::kDoubled:
      return who + ": two servos answer to this number; give one of them another (id.id)";
    case Refusal::kRegisterMap:
      return fmt::format(
          "{} has register map {}, this driver speaks {}; bring its firmware up to date", who,
          servo.identity.register_map, moteus::kRegisterMap);
    case Refusal::kSerial:
      return who + " has serial number " + serial_text(servo.identity.serial[0]) +
             ", expected is " +
             serial_text(servo.serial ? (*servo.serial)[0] : servo.joint.serial.value_or(0));
    case Refusal::kHomeState:
      return fmt::format(
          "{} does not know where its output is (home state {}): set the output over the bus, or "
          "give it an encoder at the output",
          who, servo.identity.home_state);
    case Refusal::kInputs:
      return who +
             " does not tell its digital inputs (registers 05Eh and 05Fh), which a cuff is wired "
             "to; bring its firmware up to date";
    case Refusal::kNone:
      break;
  }
  return who;
}

std::vector<std::string> MoteusBus::problems(bool had_cycles) const {
  std::vector<std::string> texts;
  for (const Servo& servo : servos_) {
    const bool may_be = servo.host.is_settled() || !had_cycles;
    if (servo.phase != Phase::kRunning || !may_be) texts.push_back(text_of(servo));
  }
  for (std::size_t id = 0; id < foreign_.size(); ++id) {
    if (foreign_[id]) {
      texts.push_back(fmt::format("servo {} answers and belongs to no joint", id));
    }
  }
  return texts;
}

}  // namespace jointrig::hw
