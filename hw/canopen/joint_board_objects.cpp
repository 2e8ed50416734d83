#include "hw/canopen/joint_board_objects.h"

#include <fmt/core.h>

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "hw/canopen/pdo_record.h"
#include "hw/canopen/standard_objects.h"

namespace jointrig::canopen {

namespace {

using Objects = std::vector<ObjectDescription>;
using enum DataType;
constexpr std::uint16_t kRpdos = 4;
constexpr std::uint16_t kTpdos = 5;

void add_received(Objects& objects) {
  const std::vector<std::int64_t> header{mapping_word(0x6040, 0, 16), mapping_word(0x6060, 0, 8),
                                         mapping_word(0x2010, 1, 8)};
  std::array<std::vector<std::int64_t>, kRpdos> pdos{header, header, header, {}};
  pdos[0].push_back(mapping_word(0x607A, 0, 32));
  pdos[1].push_back(mapping_word(0x6071, 0, 16));
  pdos[1].push_back(mapping_word(0x2020, 1, 16));
  pdos[2].push_back(mapping_word(0x60FF, 0, 32));
  pdos[3] = {mapping_word(0x60B1, 0, 32), mapping_word(0x60B2, 0, 16)};
  for (std::uint16_t i = 0; i < kRpdos; ++i) {
    objects.push_back(
        record(0x1400 + i, fmt::format("RPDO communication parameter {}", i + 1),
               {pdo_cob_id(rpdo_base(i), true), entry("Transmission type", kUnsigned8, kRw, 1),
                entry("Event timer", kUnsigned16, kRw).at(5)}));
  }
  for (std::uint16_t i = 0; i < kRpdos; ++i) {
    objects.push_back(
        pdo_mapping(0x1600 + i, fmt::format("RPDO mapping parameter {}", i + 1), pdos[i]));
  }
}

void add_sent(Objects& objects) {
  const std::array<std::vector<std::int64_t>, kTpdos> pdos{
      {{mapping_word(0x6041, 0, 16), mapping_word(0x6061, 0, 8), mapping_word(0x2010, 2, 8),
        mapping_word(0x6064, 0, 32)},
       {mapping_word(0x606C, 0, 32), mapping_word(0x6077, 0, 16), mapping_word(0x603F, 0, 16)},
       {mapping_word(0x2030, 2, 16), mapping_word(0x2040, 1, 16), mapping_word(0x6079, 0, 32)},
       {mapping_word(0x2041, 1, 32), mapping_word(0x2041, 2, 32)},
       {mapping_word(0x60FD, 0, 32)}}};
  constexpr std::array<std::int64_t, kTpdos> kEventTimers{0, 0, 100, 0, 0};  // [ms]
  for (std::uint16_t i = 0; i < kTpdos; ++i) {
    const bool is_predefined = i < kPredefinedPdos;
    const bool on_sync = i < 2 || !is_predefined;
    objects.push_back(tpdo_communication(i, is_predefined, on_sync ? 1 : 255, kEventTimers[i]));
  }
  for (std::uint16_t i = 0; i < kTpdos; ++i) {
    objects.push_back(
        pdo_mapping(0x1A00 + i, fmt::format("TPDO mapping parameter {}", i + 1), pdos[i]));
  }
}

void add_own(Objects& objects, const JointBoardOptions& options) {
  objects.push_back(record(0x2010, "Cyclic life",
                           {entry("Command counter", kUnsigned8, kRww).mapped(),
                            entry("Command counter echo", kUnsigned8, kRo).mapped(),
                            entry("Max missed SYNC cycles", kUnsigned8, kRw, 5)}));
  objects.push_back(
      variable(0x2011, entry("Virtual boards token", kUnsigned32, kRo, options.boards_token)));
  objects.push_back(
      record(0x2020, "PWM",
             {entry("Target duty", kInteger16, kRww).within(-kFullDuty, kFullDuty).mapped(),
              entry("Actual duty", kInteger16, kRo).mapped(),
              entry("Full duty", kInteger16, kConst, kFullDuty)}));
  constexpr std::int16_t kMild = 30 * kStepsPerDegree;
  objects.push_back(
      record(0x2030, "Temperature",
             {entry("Drive", kInteger16, kRo, kMild).mapped(),
              entry("Motor", kInteger16, kRo, kMild).mapped(),
              entry("Steps per degree Celsius", kInteger16, kConst, kStepsPerDegree)}));
  objects.push_back(
      record(0x2040, "Homing", {entry("Progress", kUnsigned16, kRo).within(0, 1000).mapped()}));
  objects.push_back(
      record(0x2041, "Finding",
             {entry("Value", kReal32, kRo).mapped(), entry("Limit", kReal32, kRo).mapped()}));
}

void add_state_machine(Objects& objects) {
  objects.push_back(
      variable(0x6007, entry("Abort connection option code", kInteger16, kRw, 1).within(0, 3)));
  objects.push_back(variable(0x603F, entry("Error code", kUnsigned16, kRo).mapped().event()));
  objects.push_back(variable(0x6040, entry("Controlword", kUnsigned16, kRww).mapped()));
  objects.push_back(variable(0x6041, entry("Statusword", kUnsigned16, kRo).mapped().event()));
  objects.push_back(
      variable(0x605A, entry("Quick stop option code", kInteger16, kRw, 6).within(0, 8)));
  objects.push_back(
      variable(0x605B, entry("Shutdown option code", kInteger16, kRw, 0).within(0, 1)));
  objects.push_back(
      variable(0x605C, entry("Disable operation option code", kInteger16, kRw, 1).within(0, 1)));
  objects.push_back(variable(0x605D, entry("Halt option code", kInteger16, kRw, 1).within(1, 4)));
  objects.push_back(
      variable(0x605E, entry("Fault reaction option code", kInteger16, kRw, 2).within(0, 4)));
  objects.push_back(variable(0x6060, entry("Modes of operation", kInteger8, kRww).mapped()));
  objects.push_back(
      variable(0x6061, entry("Modes of operation display", kInteger8, kRo).mapped().event()));
}

void add_motion(Objects& objects) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kHighest = std::numeric_limits<std::int32_t>::max();
  const auto add = [&objects](std::uint16_t index, EntryDescription value) {
    objects.push_back(variable(index, std::move(value)));
  };
  add(0x6062, entry("Position demand value", kInteger32, kRo).mapped());
  add(0x6064, entry("Position actual value", kInteger32, kRo).mapped());
  add(0x6065, entry("Following error window", kUnsigned32, kRw, 0xFFFF'FFFF));
  add(0x6066, entry("Following error time out", kUnsigned16, kRw, 20));
  add(0x6067, entry("Position window", kUnsigned32, kRw, 200));
  add(0x6068, entry("Position window time", kUnsigned16, kRw, 20));
  add(0x606B, entry("Velocity demand value", kInteger32, kRo).mapped());
  add(0x606C, entry("Velocity actual value", kInteger32, kRo).mapped());
  add(0x6071, entry("Target torque", kInteger16, kRww).mapped());
  add(0x6072, entry("Max torque", kUnsigned16, kRw, 3000).mapped());
  add(0x6073, entry("Max current", kUnsigned16, kRw, 3000));
  add(0x6074, entry("Torque demand", kInteger16, kRo).mapped());
  add(0x6075, entry("Motor rated current", kUnsigned32, kRw, 5000));
  add(0x6076, entry("Motor rated torque", kUnsigned32, kRw, 500));
  add(0x6077, entry("Torque actual value", kInteger16, kRo).mapped());
  add(0x6078, entry("Current actual value", kInteger16, kRo).mapped());
  add(0x6079, entry("DC link circuit voltage", kUnsigned32, kRo, 48'000).mapped());
  add(0x607A, entry("Target position", kInteger32, kRww).mapped());
  add(0x607C, entry("Home offset", kInteger32, kRw));
  objects.push_back(array(0x607D, "Software position limit",
                          {entry("Min position limit", kInteger32, kRw, kLowest),
                           entry("Max position limit", kInteger32, kRw, kHighest)}));
  add(0x607E, entry("Polarity", kUnsigned8, kRw));
  add(0x607F, entry("Max profile velocity", kUnsigned32, kRw, kHighest));
  add(0x6080, entry("Max motor speed", kUnsigned32, kRw, 6000));
  add(0x6081, entry("Profile velocity", kUnsigned32, kRw, 100'000));
  add(0x6083, entry("Profile acceleration", kUnsigned32, kRw, 1'000'000));
  add(0x6084, entry("Profile deceleration", kUnsigned32, kRw, 1'000'000));
  add(0x6085, entry("Quick stop deceleration", kUnsigned32, kRw, 5'000'000));
  add(0x6087, entry("Torque slope", kUnsigned32, kRw, 1'000'000));
}

void add_gear_homing_and_limits(Objects& objects, const JointBoardOptions& options) {
  const auto add = [&objects](std::uint16_t index, EntryDescription value) {
    objects.push_back(variable(index, std::move(value)));
  };
  objects.push_back(array(0x608F, "Position encoder resolution",
                          {entry("Encoder increments", kUnsigned32, kRw, 65'536),
                           entry("Motor revolutions", kUnsigned32, kRw, 1)}));
  objects.push_back(array(0x6091, "Gear ratio",
                          {entry("Motor revolutions", kUnsigned32, kRw, 100),
                           entry("Shaft revolutions", kUnsigned32, kRw, 1)}));
  objects.push_back(array(0x6092, "Feed constant",
                          {entry("Feed", kUnsigned32, kRw, 65'536 * 100),
                           entry("Shaft revolutions", kUnsigned32, kRw, 1)}));
  add(0x6098, entry("Homing method", kInteger8, kRw, 37));
  objects.push_back(array(0x6099, "Homing speeds",
                          {entry("Speed during search for switch", kUnsigned32, kRw, 20'000),
                           entry("Speed during search for zero", kUnsigned32, kRw, 5000)}));
  add(0x609A, entry("Homing acceleration", kUnsigned32, kRw, 200'000));
  add(0x60B0, entry("Position offset", kInteger32, kRww).mapped());
  add(0x60B1, entry("Velocity offset", kInteger32, kRww).mapped());
  add(0x60B2, entry("Torque offset", kInteger16, kRww).mapped());
  objects.push_back(
      record(0x60C2, "Interpolation time period",
             {entry("Interpolation time period value", kUnsigned8, kRw, 1),
              entry("Interpolation time index", kInteger8, kRw, -3).within(-128, 63)}));
  add(0x60C5,
      entry("Max acceleration", kUnsigned32, kRw, std::numeric_limits<std::int32_t>::max()));
  add(0x60C6,
      entry("Max deceleration", kUnsigned32, kRw, std::numeric_limits<std::int32_t>::max()));
  add(0x60E0, entry("Positive torque limit value", kUnsigned16, kRw, 3000).mapped());
  add(0x60E1, entry("Negative torque limit value", kUnsigned16, kRw, 3000).mapped());
  add(0x60F4, entry("Following error actual value", kInteger32, kRo).mapped());
  add(0x60FD, entry("Digital inputs", kUnsigned32, kRo).mapped());
  objects.push_back(array(0x60FE, "Digital outputs",
                          {entry("Physical outputs", kUnsigned32, kRw, 1).mapped(),
                           entry("Bit mask", kUnsigned32, kRw)}));
  add(0x60FF, entry("Target velocity", kInteger32, kRww).mapped());
  add(0x6502, entry("Supported drive modes", kUnsigned32, kRo, options.supported_modes));
}

}  // namespace

DeviceDescription joint_board(const JointBoardOptions& options) {
  DeviceDescription device;
  device.vendor_name = "jointrig";
  device.vendor = options.vendor;
  device.product_name = "virtual joint board";
  device.product = options.product;
  device.revision = options.revision;
  add_standard_objects({.device_type = 0x0002'0192,
                        .name = device.product_name,
                        .vendor = options.vendor,
                        .product = options.product,
                        .revision = options.revision,
                        .serial = options.serial},
                       device.objects);
  add_received(device.objects);
  add_sent(device.objects);
  add_own(device.objects, options);
  add_state_machine(device.objects);
  add_motion(device.objects);
  add_gear_homing_and_limits(device.objects, options);
  return device;
}

}  // namespace jointrig::canopen
