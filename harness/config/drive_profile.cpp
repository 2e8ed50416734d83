#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "control/core/nearest_word.h"
#include "control/core/text.h"
#include "harness/config/apply_settings.h"
#include "harness/config/robot_file.h"
#include "harness/config/scene_path.h"

namespace jointrig::harness {
namespace {

constexpr int kMostPdos = 8;    // in each direction
constexpr int kPredefined = 4;  // PDOs with an identifier of their own (CiA 301)
constexpr int kFrameBits = 64;  // of a classic frame's data
constexpr std::int64_t kLargestId = 0x7FF;
constexpr std::string_view kNodeId = "$NODEID+";

/// Keys that tell one drive from its like.
constexpr std::array<std::string_view, 5> kOwnKeys{"bus", "node", "serial", "zero_counts",
                                                   "profile"};

std::vector<std::string> pdo_names() {
  std::vector<std::string> names;
  for (const char direction : {'r', 't'}) {
    for (int number = 1; number <= kMostPdos; ++number) {
      names.push_back(fmt::format("{}pdo{}", direction, number));
    }
  }
  return names;
}

std::uint16_t dispensable_object(const YamlNode& item) {
  const std::int64_t index = item.integer();
  std::vector<std::string> words;
  for (const std::uint16_t object : kDispensableObjects) {
    if (object == index) return object;
    words.push_back(fmt::format("0x{:04X}", object));
  }
  const std::string word = fmt::format("0x{:04X}", index);
  throw item.error("the driver can't do without " + word + "; it can without " + joined(words));
}

/// A whole number, decimal or behind 0x; -1 for other text.
std::int64_t number_in(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  std::int64_t number = -1;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number, is_hex ? 16 : 10);
  return error == std::errc{} && at == end ? number : -1;
}

/// "$NODEID+0x1C0" or a number.
void read_cob_id(const YamlNode& node, DrivePdo& pdo) {
  std::int64_t id = -1;
  if (node.is_string() && node.text().starts_with(kNodeId)) {
    pdo.cob_id_adds_node = true;
    id = number_in(std::string_view(node.text()).substr(kNodeId.size()));
  } else if (node.is_number()) {
    id = node.integer();
  }
  if (id < 1 || id > kLargestId) {
    throw node.error("cob_id: expected a number from 0x1 to 0x7FF, or one of these behind \"" +
                     std::string(kNodeId) + "\", got " + describe(node));
  }
  pdo.cob_id = static_cast<std::uint32_t>(id);
}

DrivePdo read_pdo(const YamlNode::Entry& entry) {
  const std::vector<std::string> names = pdo_names();
  if (std::find(names.begin(), names.end(), entry.key) == names.end()) {
    const std::string meant = did_you_mean(entry.key, names);
    throw FileError(entry.spot, "unknown PDO \"" + entry.key + "\"" +
                                    (meant.empty() ? "; there are rpdo1 to rpdo8, which the drive "
                                                     "takes, and tpdo1 to tpdo8, which it sends"
                                                   : meant));
  }
  DrivePdo pdo;
  pdo.sent = entry.key.front() == 't';
  pdo.number = entry.key.back() - '0';
  if (const YamlNode* id = entry.value.find("cob_id")) {
    read_cob_id(*id, pdo);
  } else if (pdo.number > kPredefined) {
    throw FileError(entry.spot, entry.key + " has no cob_id, and CiA 301 gives it none: give one");
  }
  if (const YamlNode* type = entry.value.find("type")) pdo.type = static_cast<int>(type->integer());
  constexpr int kFirstEvent = 254;
  if (pdo.sent && pdo.type != 1 && pdo.type < kFirstEvent) {
    throw FileError(entry.value.at("type").spot(),
                    fmt::format("{} has type {}: the driver needs what a drive sends with every "
                                "SYNC (1), or at an event (254, 255)",
                                entry.key, pdo.type));
  }
  std::uint32_t bits = 0;
  for (const YamlNode& item : entry.value.at("objects").items()) {
    const auto object = static_cast<std::uint32_t>(item.integer());
    const std::uint32_t size = object & 0xFFU;
    if (size == 0 || size % 8 != 0 || size > 32) {
      throw item.error(
          fmt::format("0x{:08X}: its last two digits are the size in bits, 08h, 10h, 18h or 20h, "
                      "and not {:02X}h",
                      object, size));
    }
    bits += size;
    pdo.objects.push_back(object);
  }
  if (bits > kFrameBits) {
    throw FileError(entry.spot,
                    fmt::format("{} maps {} bytes, a frame has 8", entry.key, bits / 8));
  }
  return pdo;
}

}  // namespace

const Schema& drive_profile_schema() {
  static const Schema kSchema(R"({
    "type": "object",
    "additionalProperties": false,
    "required": ["schema", "drive"],
    "properties": {
      "schema": {"const": 1},
      "about": {"type": "string"},
      "drive": {"$ref": "robot.schema.json#/definitions/drive"}
    }})",
                              {{"robot.schema.json", robot_schema_text()}});
  return kSchema;
}

YamlNode load_drive_profile(const YamlNode& profile) {
  const YamlNode file = load_yaml(drive_profile_path(profile));
  drive_profile_schema().check(file);
  const YamlNode& drive = file.at("drive");
  Problems problems;
  for (const std::string_view key : kOwnKeys) {
    if (drive.find(key) == nullptr) continue;
    problems.add(drive.key_spot(key), "`" + std::string(key) +
                                          "` is no key of a profile, which many drives share; "
                                          "put it into `drive` of the joint");
  }
  problems.throw_if_any();
  return drive;
}

void apply_drive_mapping(const YamlNode& keys, DriveConfig& drive, Problems& problems) {
  if (const YamlNode* without = keys.find("without")) {
    for (const YamlNode& item : without->items()) {
      problems.collect([&] { drive.without.push_back(dispensable_object(item)); });
    }
  }
  if (const YamlNode* pdos = keys.find("pdos")) {
    for (const YamlNode::Entry& entry : pdos->entries()) {
      problems.collect([&] { drive.pdos.push_back(read_pdo(entry)); });
    }
  }
}

}  // namespace jointrig::harness
