#include "hw/driver/drive_setup.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "control/core/drive_config.h"
#include "hw/canopen/bytes.h"
#include "hw/canopen/joint_board_objects.h"
#include "hw/canopen/pdo_record.h"

namespace jointrig::hw {
namespace {

using Kind = SetupStep::Kind;
using Steps = std::vector<SetupStep>;

constexpr std::uint32_t kDrive = 402;  // lower half of 1000h: the device profile

constexpr const char* kFixedHelp =
    "if its mapping is fixed, say `remaps_pdos: false` and give it as `pdos`, in its profile or "
    "`drive`; `jointrig bus profile` writes them";
constexpr const char* kPdosHelp =
    "`pdos` in its profile or `drive` has to be the mapping that the drive has; `jointrig bus "
    "profile` writes it";

/// The line of a profile for a drive that lacks an object.
std::string without(std::uint16_t index) {
  return fmt::format(
      "if the drive lacks it, list 0x{:04X} in `without` of its profile or `drive` "
      "(docs/drives.md)",
      index);
}

/// The line for one that lacks an option code, or takes other values.
std::string option_help(std::uint16_t index, const char* key) {
  return fmt::format("give `{}` a value that it takes, or {}", key, without(index));
}

SetupStep write(std::uint16_t index, std::uint8_t sub, std::uint8_t bytes, std::uint32_t value,
                std::string what, std::string help = {}) {
  return {Kind::kWrite, index, sub, bytes, value, 0xFFFF'FFFF, std::move(what), std::move(help)};
}

void add_option(std::uint16_t index, std::optional<std::int16_t> value, const char* what,
                const char* key, Steps& steps) {
  if (!value) return;
  steps.push_back(
      write(index, 0, 2, static_cast<std::uint16_t>(*value), what, option_help(index, key)));
}

SetupStep expect(std::uint16_t index, std::uint8_t sub, std::uint8_t bytes, std::uint32_t value,
                 std::uint32_t mask, std::string what, std::string help = {}) {
  return {Kind::kExpect, index, sub, bytes, value, mask, std::move(what), std::move(help)};
}

}  // namespace

void add_identity_parts(const DriveIdentity& id, std::optional<std::uint32_t> boards_token,
                        Steps& steps) {
  const std::array<std::pair<std::optional<std::uint32_t>, const char*>, 4> kParts{
      {{id.vendor, "vendor"},
       {id.product, "product"},
       {id.revision, "revision"},
       {id.serial, "serial number"}}};
  std::uint8_t sub = 0;
  for (const auto& [value, what] : kParts) {
    ++sub;
    if (value) steps.push_back(expect(0x1018, sub, 4, *value, 0xFFFF'FFFF, what));
  }
  if (boards_token) {
    steps.push_back(expect(0x2011, 0, 4, *boards_token, 0xFFFF'FFFF,
                           "token of the virtual boards that this host talks to"));
  }
}

namespace {

void add_identity(const DriveSettings& settings, Steps& steps) {
  steps.push_back(expect(0x1000, 0, 4, kDrive, 0xFFFF, "device profile (402: a drive)"));
  add_identity_parts(settings.identity, settings.boards_token, steps);
  steps.push_back({Kind::kNote, 0x1018, 4, 4, 0, 0xFFFF'FFFF, "serial number", {}});
  steps.push_back({Kind::kNote, 0x6502, 0, 4, 0, 0xFFFF'FFFF, "supported modes", {}});
  if (settings.modes_needed != 0 && settings.has_supported_modes) {
    steps.push_back(
        expect(0x6502, 0, 4, settings.modes_needed, settings.modes_needed,
               "supported modes that the joint needs",
               "leave out of `board.drive_modes` what it hasn't, or " + without(0x6502)));
  }
}

void add_watching(const DriveSettings& settings, Steps& steps) {
  if (settings.watches_host) {
    const std::uint32_t host = std::uint32_t{kHostNode} << 16 | settings.host_silence_ms;
    steps.push_back(
        write(0x1016, 1, 4, host, "heartbeat of the host that it watches", without(0x1016)));
  }
  steps.push_back(write(0x1017, 0, 2, settings.heartbeat_ms, "its heartbeat"));
  if (settings.has_sync_period) {
    steps.push_back(write(0x1006, 0, 4, settings.period_us, "period of SYNC", without(0x1006)));
  }
  add_option(0x6007, settings.connection_lost, "connection lost option code", "connection_lost",
             steps);
  add_option(0x605A, settings.quick_stop, "quick stop option code", "quick_stop", steps);
  add_option(0x605C, settings.disable_operation, "disable operation option code",
             "disable_operation", steps);
  add_option(0x605E, settings.fault_reaction, "fault reaction option code", "fault_reaction",
             steps);
  if (settings.following_window) {
    steps.push_back(write(0x6065, 0, 4, *settings.following_window, "following error window",
                          "without `following_window` the drive keeps its own"));
    steps.push_back(write(0x6066, 0, 2, settings.following_ms, "following error time out",
                          "without `following_window` the drive keeps its own"));
  }
  if (settings.has_life_counter) {
    steps.push_back(write(0x2010, 3, 1, settings.missed_syncs, "missed SYNCs that it bridges"));
    steps.push_back(expect(0x2020, 3, 2, canopen::kFullDuty, 0xFFFF, "number for full duty"));
    steps.push_back(
        expect(0x2030, 3, 2, canopen::kStepsPerDegree, 0xFFFF, "steps of a degree Celsius"));
  }
}

/// 60C2h holds value · 10^exponent seconds in 8 bits each.
void add_interpolation(std::uint32_t period_us, Steps& steps) {
  std::uint32_t value = period_us;
  int exponent = -6;
  while (value > 255 || (value != 0 && value % 10 == 0)) {
    value /= 10;
    ++exponent;
  }
  steps.push_back(write(0x60C2, 1, 1, value, "interpolation time", without(0x60C2)));
  steps.push_back(write(0x60C2, 2, 1, static_cast<std::uint8_t>(exponent),
                        "exponent of the interpolation time", without(0x60C2)));
}

/// The line of a profile for an object that can't be mapped.
std::string mapping_help(std::uint32_t object) {
  const auto index = static_cast<std::uint16_t>(object >> 16);
  const bool is_dummy = object == mapped::kNothing8 || object == mapped::kNothing16;
  if (is_dummy) return fmt::format("{}; {}", without(0x0005), kFixedHelp);
  const auto* const found =
      std::find(kDispensableObjects.begin(), kDispensableObjects.end(), index);
  if (found == kDispensableObjects.end()) return kFixedHelp;
  return fmt::format("{}; {}", without(index), kFixedHelp);
}

void add_pdo(const PdoLayout& pdo, const DriveSettings& settings, Steps& steps) {
  const auto communication = static_cast<std::uint16_t>((pdo.sent ? 0x1800 : 0x1400) + pdo.number);
  const auto mapping = static_cast<std::uint16_t>((pdo.sent ? 0x1A00 : 0x1600) + pdo.number);
  const std::uint32_t id = pdo.id_of(settings.node);
  const std::string name = fmt::format("{}{}", pdo.sent ? "TPDO" : "RPDO", pdo.number + 1);
  const auto count = static_cast<std::uint32_t>(pdo.objects.size());
  constexpr std::uint32_t kIdBits =
      0x8000'07FF;  // bit 30 tells of remote frames: the drive's affair

  std::uint8_t sub = 0;
  if (settings.remaps_pdos) {
    steps.push_back({Kind::kTell, communication, 1, 4, id | canopen::kPdoInvalid, 0xFFFF'FFFF,
                     name + " off", kFixedHelp});
    steps.push_back(
        {Kind::kTell, mapping, 0, 1, 0, 0xFFFF'FFFF, name + " without objects", kFixedHelp});
    for (const std::uint32_t word : pdo.objects) {
      ++sub;
      steps.push_back(write(mapping, sub, 4, word, fmt::format("{}, object {}", name, sub),
                            mapping_help(word)));
    }
    steps.push_back(write(mapping, 0, 1, count, "number of objects in " + name, kFixedHelp));
    steps.push_back(
        write(communication, 2, 1, pdo.type, "transmission type of " + name, kFixedHelp));
    if (pdo.is_set_up) {
      steps.push_back(
          write(communication, 5, 2, kEventPeriod, "event timer of " + name, kFixedHelp));
    }
    steps.push_back({Kind::kTell, communication, 1, 4, id, 0xFFFF'FFFF, name + " on", kFixedHelp});
  } else {
    for (const std::uint32_t word : pdo.objects) {
      ++sub;
      steps.push_back(expect(mapping, sub, 4, word, 0xFFFF'FFFF,
                             fmt::format("{}, object {}", name, sub), kPdosHelp));
    }
    steps.push_back(expect(mapping, 0, 1, count, 0xFF, "number of objects in " + name, kPdosHelp));
    steps.push_back(
        expect(communication, 2, 1, pdo.type, 0xFF, "transmission type of " + name, kPdosHelp));
  }
  steps.push_back(expect(communication, 1, 4, id, kIdBits, "identifier of " + name, kPdosHelp));
}

}  // namespace

PdoLayouts layouts_of(const DriveSettings& settings) {
  if (!settings.pdos.empty()) return settings.pdos;
  return board_layouts(settings.has_life_counter, settings.feed_forward, settings.tells_inputs);
}

std::vector<SetupStep> setup_steps(const DriveSettings& settings) {
  Steps steps;
  add_identity(settings, steps);
  add_watching(settings, steps);
  if (settings.has_interpolation) add_interpolation(settings.period_us, steps);
  if (settings.has_brake) {
    steps.push_back(write(0x60FE, 2, 4, 0, "mask of the digital outputs: the drive keeps its brake",
                          without(0x60FE)));
  }
  if (settings.tells_inputs) {
    steps.push_back(expect(0x60FD, 0, 4, 0, 0, "digital inputs, which a cuff is wired to"));
  }
  for (const PdoLayout& pdo : layouts_of(settings)) {
    if (pdo.is_cyclic() || pdo.is_set_up) add_pdo(pdo, settings, steps);
  }
  return steps;
}

SetupRun::SetupRun(std::uint8_t node, std::vector<SetupStep> steps,
                   canopen::SdoClientOptions options)
    : node_(node), steps_(std::move(steps)), sdo_(node, options) {
  std::size_t notes = 0;
  for (const SetupStep& step : steps_) notes += step.kind == Kind::kNote ? 1 : 0;
  noted_.resize(notes);
}

void SetupRun::start(std::int64_t now, canopen::FrameQueue& out) noexcept {
  sdo_.cancel(out);
  at_ = notes_ = 0;
  mismatch_ = reading_back_ = false;
  first_serial_.reset();
  second_serial_.reset();
  state_ = steps_.empty() ? State::kDone : State::kRunning;
  if (state_ == State::kRunning) begin_step(now, out);
}

void SetupRun::expect(std::uint16_t index, std::uint8_t sub, std::uint32_t value) noexcept {
  for (SetupStep& step : steps_) {
    if (step.kind == Kind::kExpect && step.index == index && step.sub == sub) step.value = value;
  }
}

bool SetupRun::was_silent() const noexcept {
  return state_ == State::kFailed && !mismatch_ && !heard_two() && !sdo_.refused_by_node();
}

std::optional<SetupRun::OtherIdentity> SetupRun::other_identity() const noexcept {
  constexpr std::uint16_t kIdentity = 0x1018;
  if (state_ != State::kFailed || !mismatch_ || steps_[at_].index != kIdentity) return std::nullopt;
  return OtherIdentity{found_, steps_[at_].value};
}

std::uint32_t SetupRun::serial() const noexcept { return noted_.empty() ? 0 : noted_.front(); }

void SetupRun::begin_step(std::int64_t now, canopen::FrameQueue& out) noexcept {
  const SetupStep& step = steps_[at_];
  const bool reads = reading_back_ || step.kind == Kind::kExpect || step.kind == Kind::kNote;
  if (reads) {
    sdo_.upload(step.index, step.sub, now, out);
    return;
  }
  std::array<std::uint8_t, 4> bytes{};
  canopen::store_little_endian(bytes, step.value, step.bytes);
  sdo_.download(step.index, step.sub, std::span(bytes).first(step.bytes), now, out);
}

bool SetupRun::receive(const can::Frame& frame, std::int64_t now,
                       canopen::FrameQueue& out) noexcept {
  if (state_ != State::kRunning) return false;
  hear_serial(frame);
  if (!sdo_.receive(frame, now, out)) return false;
  if (heard_two()) {
    sdo_.cancel(out);
    state_ = State::kFailed;
  } else {
    follow(now, out);
  }
  return true;
}

/// A second answer to one question comes after its step is done. Only one of two drives can give
/// another serial number than the first did: late and doubled answers repeat it.
void SetupRun::hear_serial(const can::Frame& frame) noexcept {
  constexpr std::array<std::uint8_t, 4> kFourBytesOfSerial{0x43, 0x18, 0x10, 4};
  const bool tells_it =
      frame.id == 0x580U + node_ && !frame.extended && !frame.remote && frame.size == 8 &&
      std::equal(kFourBytesOfSerial.begin(), kFourBytesOfSerial.end(), frame.data.begin());
  if (!tells_it) return;
  const auto told = static_cast<std::uint32_t>(
      canopen::load_little_endian(std::span(frame.data).subspan(4, 4), 4));
  if (!first_serial_) {
    first_serial_ = told;
  } else if (*first_serial_ != told) {
    second_serial_ = told;
  }
}

void SetupRun::poll(std::int64_t now, canopen::FrameQueue& out) noexcept {
  if (state_ != State::kRunning) return;
  sdo_.poll(now, out);
  follow(now, out);
}

void SetupRun::cancel(canopen::FrameQueue& out) noexcept {
  sdo_.cancel(out);
  if (state_ == State::kRunning) state_ = State::kIdle;
}

void SetupRun::follow(std::int64_t now, canopen::FrameQueue& out) noexcept {
  if (sdo_.state() == canopen::SdoClient::State::kFailed) {
    const bool is_note = steps_[at_].kind == Kind::kNote && sdo_.refused_by_node();
    if (!is_note) {
      state_ = State::kFailed;
      return;
    }
    noted_[notes_++] = 0;  // a drive need not have it
    return next_step(now, out);
  }
  if (sdo_.state() == canopen::SdoClient::State::kDone) finish_step(now, out);
}

void SetupRun::finish_step(std::int64_t now, canopen::FrameQueue& out) noexcept {
  const SetupStep& step = steps_[at_];
  const bool was_read = reading_back_ || step.kind == Kind::kExpect || step.kind == Kind::kNote;
  if (was_read) {
    found_bytes_ = sdo_.value().size();
    found_ = static_cast<std::uint32_t>(canopen::load_little_endian(sdo_.value(), found_bytes_));
  }
  if (step.kind == Kind::kNote) {
    noted_[notes_++] = found_;
  } else if (was_read &&
             (found_bytes_ != step.bytes || (found_ & step.mask) != (step.value & step.mask))) {
    mismatch_ = true;
    state_ = State::kFailed;
    return;
  } else if (step.kind == Kind::kWrite && !reading_back_) {
    reading_back_ = true;
    begin_step(now, out);
    return;
  }
  next_step(now, out);
}

void SetupRun::next_step(std::int64_t now, canopen::FrameQueue& out) noexcept {
  reading_back_ = false;
  if (++at_ == steps_.size()) {
    state_ = State::kDone;
    return;
  }
  begin_step(now, out);
}

namespace {

std::string with(const std::string& help) { return help.empty() ? "" : "; " + help; }

}  // namespace

std::string SetupRun::failure_text() const {
  if (state_ != State::kFailed) return {};
  if (heard_two()) {
    return fmt::format(
        "node {}, 1018h:4, serial number: both {:X}h and {:X}h were answered, so two drives have "
        "the number {}: unplug one of them, or give it a number of its own",
        node_, *first_serial_, *second_serial_, node_);
  }
  const SetupStep& step = steps_[at_];
  if (!mismatch_) {
    const bool is_silent = !sdo_.refused_by_node();
    const std::string help =
        is_silent ? "a drive that takes its time needs a longer `sdo_timeout`" : step.help;
    return sdo_.failure_text() + ", while setting up its " + step.what + with(help);
  }
  const std::string object =
      fmt::format("node {}, {:04X}h:{}, {}", node_, step.index, step.sub, step.what);
  if (found_bytes_ != step.bytes) {
    return fmt::format("{}: has {} bytes, expected {}{}", object, found_bytes_, step.bytes,
                       with(step.help));
  }
  return fmt::format("{}: {} {:X}h, {} {:X}h{}", object, reading_back_ ? "wrote" : "expected",
                     step.value & step.mask, reading_back_ ? "reads back" : "found",
                     found_ & step.mask, with(step.help));
}

}  // namespace jointrig::hw
