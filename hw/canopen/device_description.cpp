#include "hw/canopen/device_description.h"

#include <utility>

namespace jointrig::canopen {

namespace {

ObjectDescription compound(std::uint16_t index, std::string name, ObjectCode code,
                           std::vector<EntryDescription> entries) {
  ObjectDescription object{.index = index, .name = std::move(name), .code = code, .entries = {}};
  std::uint8_t sub = 0;
  for (EntryDescription& each : entries) {
    sub = each.sub == 0 ? static_cast<std::uint8_t>(sub + 1) : each.sub;
    each.sub = sub;
  }
  object.entries.push_back(
      entry("Highest sub-index supported", DataType::kUnsigned8, Access::kConstant, sub));
  for (EntryDescription& each : entries) object.entries.push_back(std::move(each));
  return object;
}

}  // namespace

std::string_view to_string(Access access) noexcept {
  switch (access) {
    case Access::kReadOnly:
      return "ro";
    case Access::kWriteOnly:
      return "wo";
    case Access::kReadWrite:
      return "rw";
    case Access::kReadWriteInput:
      return "rwr";
    case Access::kReadWriteOutput:
      return "rww";
    case Access::kConstant:
      return "const";
  }
  return "?";
}

EntryDescription EntryDescription::at(std::uint8_t new_sub) && {
  sub = new_sub;
  return std::move(*this);
}

EntryDescription EntryDescription::within(std::int64_t low, std::int64_t high) && {
  limits = Limits{low, high};
  return std::move(*this);
}

EntryDescription EntryDescription::mapped() && {
  mappable = true;
  return std::move(*this);
}

EntryDescription EntryDescription::event() && {
  is_event = true;
  return std::move(*this);
}

EntryDescription EntryDescription::plus_node() && {
  plus_node_id = true;
  return std::move(*this);
}

EntryDescription entry(std::string name, DataType type, Access access, std::int64_t initial) {
  EntryDescription made;
  made.name = std::move(name);
  made.type = type;
  made.access = access;
  made.initial = initial;
  return made;
}

EntryDescription text_entry(std::string name, Access access, std::string initial,
                            std::uint16_t capacity) {
  EntryDescription made = entry(std::move(name), DataType::kVisibleString, access);
  made.initial_text = std::move(initial);
  made.capacity = capacity;
  return made;
}

ObjectDescription variable(std::uint16_t index, EntryDescription value) {
  ObjectDescription object{
      .index = index, .name = value.name, .code = ObjectCode::kVariable, .entries = {}};
  object.entries.push_back(std::move(value));
  return object;
}

ObjectDescription array(std::uint16_t index, std::string name,
                        std::vector<EntryDescription> entries) {
  return compound(index, std::move(name), ObjectCode::kArray, std::move(entries));
}

ObjectDescription record(std::uint16_t index, std::string name,
                         std::vector<EntryDescription> entries) {
  return compound(index, std::move(name), ObjectCode::kRecord, std::move(entries));
}

}  // namespace jointrig::canopen
