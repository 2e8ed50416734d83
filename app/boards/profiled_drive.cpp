#include "app/boards/profiled_drive.h"

#include <fmt/core.h>

#include <algorithm>

#include "hw/canopen/pdo_record.h"
#include "hw/canopen/standard_objects.h"

namespace jointrig::app {
namespace {

using canopen::Access;
using canopen::DataType;
using canopen::EntryDescription;
using canopen::ObjectDescription;

constexpr std::uint16_t kMostPdos = 8;
constexpr std::uint16_t kFirstRpdo = 0x1400;
constexpr std::uint16_t kFirstTpdo = 0x1800;
constexpr std::uint16_t kToMapping = 0x0200;

bool is_of_pdos(std::uint16_t index) { return index >= kFirstRpdo && index < 0x1C00; }

bool is_of_the_project(std::uint16_t index) {
  constexpr std::uint16_t kTokenObject = 0x2011;
  return index >= 0x2000 && index < 0x6000 && index != kTokenObject;
}

void make_read_only(ObjectDescription& object) {
  for (EntryDescription& each : object.entries) {
    if (is_writable(each.access)) each.access = Access::kReadOnly;
  }
}

ObjectDescription communication(bool sent, std::uint16_t number, EntryDescription cob_id,
                                std::uint8_t type) {
  const std::uint16_t first = sent ? kFirstTpdo : kFirstRpdo;
  return canopen::record(
      static_cast<std::uint16_t>(first + number),
      fmt::format("{} communication parameter {}", sent ? "TPDO" : "RPDO", number + 1),
      {std::move(cob_id),
       canopen::entry("Transmission type", DataType::kUnsigned8, canopen::kRw, type),
       canopen::entry("Event timer", DataType::kUnsigned16, canopen::kRw).at(5)});
}

ObjectDescription mapping(bool sent, std::uint16_t number,
                          const std::vector<std::uint32_t>& objects) {
  const std::uint16_t first = sent ? kFirstTpdo : kFirstRpdo;
  return canopen::pdo_mapping(
      static_cast<std::uint16_t>(first + kToMapping + number),
      fmt::format("{} mapping parameter {}", sent ? "TPDO" : "RPDO", number + 1),
      {objects.begin(), objects.end()});
}

void add_fixed(const hw::PdoLayouts& pdos, std::uint8_t node,
               std::vector<ObjectDescription>& objects) {
  for (const hw::PdoLayout& pdo : pdos) {
    EntryDescription id =
        canopen::entry("COB-ID", DataType::kUnsigned32, canopen::kRw, pdo.id_of(node));
    objects.push_back(communication(pdo.sent, pdo.number, std::move(id), pdo.type));
    make_read_only(objects.back());
    objects.push_back(mapping(pdo.sent, pdo.number, pdo.objects));
    make_read_only(objects.back());
  }
}

void add_free(std::vector<ObjectDescription>& objects) {
  for (std::uint16_t number = 0; number < kMostPdos; ++number) {
    const bool has_id = number < canopen::kPredefinedPdos;
    for (const bool sent : {false, true}) {
      const std::uint32_t base = sent ? canopen::tpdo_base(number) : canopen::rpdo_base(number);
      EntryDescription id = canopen::pdo_cob_id(has_id ? base : 0, false);
      objects.push_back(communication(sent, number, std::move(id), 1));
      objects.push_back(mapping(sent, number, {}));
    }
  }
}

}  // namespace

canopen::DeviceDescription as_profiled(canopen::DeviceDescription board, const ProfiledDrive& drive,
                                       std::uint8_t node) {
  std::vector<ObjectDescription>& objects = board.objects;
  std::erase_if(objects, [&](const ObjectDescription& object) {
    const auto& lacks = drive.without;
    return is_of_pdos(object.index) || is_of_the_project(object.index) ||
           std::find(lacks.begin(), lacks.end(), object.index) != lacks.end();
  });
  if (drive.remaps_pdos) {
    add_free(objects);
  } else {
    add_fixed(drive.pdos, node, objects);
  }
  std::sort(
      objects.begin(), objects.end(),
      [](const ObjectDescription& a, const ObjectDescription& b) { return a.index < b.index; });
  return board;
}

}  // namespace jointrig::app
