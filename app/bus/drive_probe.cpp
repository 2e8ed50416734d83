#include "app/bus/drive_probe.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "control/core/drive_config.h"
#include "hw/canopen/bytes.h"
#include "hw/canopen/joint_board_objects.h"
#include "hw/canopen/pdo_record.h"
#include "hw/cia402/modes.h"

namespace jointrig::app {
namespace {

constexpr std::uint32_t kProfile402 = 402;
constexpr std::uint16_t kPdosOfEach = 8;
constexpr std::size_t kIdBits = 0x7FF;
constexpr std::uint8_t kMappedObjects = 8;

std::optional<std::uint32_t> number(const ReadObject& read, std::uint16_t index, std::uint8_t sub) {
  const auto bytes = read(index, sub);
  if (!bytes || bytes->empty() || bytes->size() > sizeof(std::uint32_t)) return std::nullopt;
  return static_cast<std::uint32_t>(canopen::load_little_endian(*bytes, bytes->size()));
}

std::optional<std::int16_t> option_code(const ReadObject& read, std::uint16_t index) {
  const auto value = number(read, index, 0);
  if (!value) return std::nullopt;
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(*value));
}

std::optional<hw::PdoLayout> pdo_of(const ReadObject& read, bool sent, std::uint16_t at,
                                    std::uint8_t node) {
  const auto communication = static_cast<std::uint16_t>((sent ? 0x1800 : 0x1400) + at);
  const auto mapping = static_cast<std::uint16_t>((sent ? 0x1A00 : 0x1600) + at);
  const auto id = number(read, communication, 1);
  if (!id || (*id & canopen::kPdoInvalid) != 0) return std::nullopt;
  const auto type = number(read, communication, 2);
  const auto count = number(read, mapping, 0);
  if (!type || *type == 0 || *type > (sent ? 1U : canopen::kLastSyncType)) return std::nullopt;
  if (!count || *count == 0 || *count > kMappedObjects) return std::nullopt;
  hw::PdoLayout pdo{
      sent, at, *id & static_cast<std::uint32_t>(kIdBits), static_cast<std::uint8_t>(*type), {}};
  for (std::uint32_t sub = 1; sub <= *count; ++sub) {
    const auto object = number(read, mapping, static_cast<std::uint8_t>(sub));
    if (!object || (*object & 7U) != 0) return std::nullopt;
    pdo.objects.push_back(*object);
  }
  const hw::PdoLayout predefined{sent, at, 0, pdo.type, {}};
  if (at < canopen::kPredefinedPdos && pdo.id == predefined.id_of(node)) pdo.id = 0;
  return pdo;
}

/// Missing objects that the driver can do without, but for those that only a write would show.
std::vector<std::uint16_t> missing_objects(const ReadObject& read) {
  std::vector<std::uint16_t> missing;
  for (const std::uint16_t index : kDispensableObjects) {
    constexpr std::uint16_t kDummies = 0x0005;
    if (index == kDummies) continue;
    const bool is_record = index == 0x1016 || index == 0x60C2;
    if (!number(read, index, is_record ? 1 : 0)) missing.push_back(index);
  }
  return missing;
}

bool offers(const ProbedDrive& drive, std::int8_t mode) {
  return !drive.modes || (*drive.modes & cia402::offer_of(mode)) != 0;
}

bool takes(const hw::PdoLayouts& pdos, std::uint32_t object) {
  return std::any_of(pdos.begin(), pdos.end(), [object](const hw::PdoLayout& pdo) {
    return !pdo.sent &&
           std::find(pdo.objects.begin(), pdo.objects.end(), object) != pdo.objects.end();
  });
}

bool lacks(const ProbedDrive& drive, std::uint16_t index) {
  return std::find(drive.missing.begin(), drive.missing.end(), index) != drive.missing.end();
}

/// Modes that the drive offers and that its PDOs (or the driver's, which are mapped) take.
std::string drive_modes(const ProbedDrive& drive) {
  struct Way {
    const char* word;
    std::int8_t mode;
    std::uint32_t target;
  };
  constexpr std::array<Way, 3> kWays{
      {{"position", cia402::mode::kCyclicPosition, hw::mapped::kTargetPosition},
       {"velocity", cia402::mode::kCyclicVelocity, hw::mapped::kTargetVelocity},
       {"torque", cia402::mode::kCyclicTorque, hw::mapped::kTargetTorque}}};
  const bool is_fixed = !drive.is_a_board && is_driven_by_its_pdos(drive);
  std::string words = "off";
  for (const Way& way : kWays) {
    const bool has_target = is_fixed ? takes(drive.pdos, way.target)
                                     : !lacks(drive, static_cast<std::uint16_t>(way.target >> 16));
    if (offers(drive, way.mode) && has_target) words += std::string(", ") + way.word;
  }
  return words;
}

class ProfileText {
 public:
  void line(std::string_view key, const std::string& value, std::string_view comment = {}) {
    text_ += fmt::format("  {}: {}{}{}\n", key, value, comment.empty() ? "" : "  # ", comment);
  }
  void comment(std::string_view words) { text_ += fmt::format("  # {}\n", words); }
  void raw(const std::string& text) { text_ += text; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

std::string hex_list(const std::vector<std::uint32_t>& numbers, int digits) {
  std::string list;
  for (const std::uint32_t each : numbers) {
    list += fmt::format("{}0x{:0{}X}", list.empty() ? "" : ", ", each, digits);
  }
  return "[" + list + "]";
}

/// An option code as the drive has it; one that robot.yaml has no word for is left alone.
void write_option(ProfileText& out, const char* key, std::optional<std::int16_t> code, int most,
                  std::uint16_t index, std::vector<std::uint32_t>& without) {
  constexpr int kLeast = -128;
  if (!code) return;
  if (*code < kLeast || *code > most) {
    without.push_back(index);
    return;
  }
  out.line(key, fmt::format("{}", *code), fmt::format("{:04X}h as it was found", index));
}

void write_units(ProfileText& out, const ProbedDrive& drive) {
  if (drive.increments && *drive.increments > 0) {
    out.line("encoder_increments", fmt::format("{}", *drive.increments), "608Fh:1");
    if (drive.encoder_turns.value_or(1) > 1) {
      out.line("encoder_revolutions", fmt::format("{}", *drive.encoder_turns), "608Fh:2");
    }
  } else {
    out.comment("608Fh tells no increments: give encoder_increments here or in robot.yaml");
  }
  if (drive.motor_turns.value_or(0) > 0 && drive.shaft_turns.value_or(0) > 0) {
    out.line("gear",
             fmt::format("{}", static_cast<double>(*drive.motor_turns) / *drive.shaft_turns),
             fmt::format("6091h: {} / {}", *drive.motor_turns, *drive.shaft_turns));
  }
  if (drive.rated_torque.value_or(0) > 0) {
    out.line("rated_torque", fmt::format("{} Nm", 1e-3 * *drive.rated_torque),
             "6076h, taken as mNm: compare with the motor's data sheet");
  } else {
    out.comment("6076h tells no rated torque: give rated_torque here or in robot.yaml");
  }
}

void write_mapping(ProfileText& out, const ProbedDrive& drive) {
  if (drive.is_a_board) return out.line("life_counter", "true", "2010h: a board of the project");
  if (!is_driven_by_its_pdos(drive)) {
    out.comment("Its PDOs as they stand don't drive a joint: the driver maps its own.");
    return;
  }
  out.line("remaps_pdos", "false", "its PDOs as they stand drive a joint, and are kept");
  out.raw("  pdos:\n");
  for (const hw::PdoLayout& pdo : drive.pdos) {
    std::string id;
    if (pdo.id != 0) {
      const std::uint32_t base = pdo.id - drive.node;
      const bool adds_node = (base & 0x7FU) == 0;
      id = adds_node ? fmt::format("cob_id: $NODEID+0x{:X}, ", base)
                     : fmt::format("cob_id: 0x{:X}, ", pdo.id);
    }
    const std::string type = pdo.type == 1 ? "" : fmt::format("type: {}, ", pdo.type);
    out.raw(fmt::format("    {}pdo{}: {{{}{}objects: {}}}\n", pdo.sent ? 't' : 'r', pdo.number + 1,
                        id, type, hex_list(pdo.objects, 8)));
  }
}

}  // namespace

ProbedDrive probe_drive(std::uint8_t node, const ReadObject& read) {
  const auto device = number(read, 0x1000, 0);
  if (!device || (*device & 0xFFFFU) != kProfile402) {
    throw std::runtime_error(fmt::format(
        "node {} is no drive: 1000h says {:X}h, and profile 402 is 192h in its lower half", node,
        device.value_or(0)));
  }
  ProbedDrive drive;
  drive.node = node;
  if (const auto name = read(0x1008, 0)) {
    for (const std::uint8_t letter : *name) {
      if (letter >= ' ' && letter < 0x7F && letter != '"') drive.name += static_cast<char>(letter);
    }
  }
  drive.vendor = number(read, 0x1018, 1);
  drive.product = number(read, 0x1018, 2);
  drive.modes = number(read, 0x6502, 0);
  drive.quick_stop = option_code(read, 0x605A);
  drive.disable_operation = option_code(read, 0x605C);
  drive.fault_reaction = option_code(read, 0x605E);
  drive.connection_lost = option_code(read, 0x6007);
  drive.increments = number(read, 0x608F, 1);
  drive.encoder_turns = number(read, 0x608F, 2);
  drive.motor_turns = number(read, 0x6091, 1);
  drive.shaft_turns = number(read, 0x6091, 2);
  drive.rated_current = number(read, 0x6075, 0);
  drive.rated_torque = number(read, 0x6076, 0);
  drive.is_a_board = number(read, 0x2010, 1) && number(read, 0x2010, 2) &&
                     number(read, 0x2020, 3) == canopen::kFullDuty &&
                     number(read, 0x2030, 3) == canopen::kStepsPerDegree;
  drive.missing = missing_objects(read);
  for (const bool sent : {false, true}) {
    for (std::uint16_t at = 0; at < kPdosOfEach; ++at) {
      if (auto pdo = pdo_of(read, sent, at, node)) drive.pdos.push_back(*std::move(pdo));
    }
  }
  return drive;
}

bool is_driven_by_its_pdos(const ProbedDrive& drive) {
  if (!hw::gaps_of(drive.pdos).empty()) return false;
  if (!lacks(drive, 0x6061) && !takes(drive.pdos, hw::mapped::kMode)) return false;
  return !offers(drive, cia402::mode::kCyclicPosition) ||
         takes(drive.pdos, hw::mapped::kTargetPosition);
}

std::string profile_text(const ProbedDrive& drive, double slowest_answer) {
  constexpr double kLeastTimeOut = 0.1;  // [s]
  constexpr double kMargin = 5.0;        // of the slowest answer met
  const double timeout =
      std::clamp(std::ceil(1e3 * kMargin * slowest_answer) / 1e3, kLeastTimeOut, 10.0);
  ProfileText out;
  out.raw("schema: 1\n");
  out.raw(fmt::format("about: \"{}{}\"\n", drive.name.empty() ? "a CiA 402 drive" : drive.name,
                      ", as jointrig bus profile found it"));
  out.raw(fmt::format("# In robot.yaml, for its joint: board: {{drive_modes: [{}]}}\n",
                      drive_modes(drive)));
  out.raw("drive:\n");
  if (drive.vendor) out.line("vendor", fmt::format("0x{:X}", *drive.vendor));
  if (drive.product) out.line("product", fmt::format("0x{:X}", *drive.product));
  write_units(out, drive);
  out.comment(
      "606Ch and 60FFh: CiA 402 leaves their unit to the maker. counts/s, or rpm of the motor");
  out.line("velocity_unit", "counts/s");
  if (timeout > kLeastTimeOut) out.line("sdo_timeout", fmt::format("{} s", timeout));
  std::vector<std::uint32_t> without(drive.missing.begin(), drive.missing.end());
  constexpr int kMostQuickStop = 8;
  constexpr int kMostDisable = 1;
  constexpr int kMostFault = 4;
  constexpr int kMostLost = 3;
  write_option(out, "quick_stop", drive.quick_stop, kMostQuickStop, 0x605A, without);
  write_option(out, "disable_operation", drive.disable_operation, kMostDisable, 0x605C, without);
  write_option(out, "fault_reaction", drive.fault_reaction, kMostFault, 0x605E, without);
  write_option(out, "connection_lost", drive.connection_lost, kMostLost, 0x6007, without);
  if (!drive.is_a_board && !is_driven_by_its_pdos(drive)) {
    // Reading does not tell what can be mapped, and neither is needed.
    without.push_back(0x0005);
    if (!lacks(drive, 0x603F)) {
      without.push_back(0x603F);
      out.comment("Take 0x603F out where the manual says that it can be mapped.");
    }
  }
  std::sort(without.begin(), without.end());
  if (!without.empty()) out.line("without", hex_list(without, 4));
  write_mapping(out, drive);
  return out.text();
}

}  // namespace jointrig::app
