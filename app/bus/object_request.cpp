#include "app/bus/object_request.h"

#include <fmt/core.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "app/bus/sdo_words.h"
#include "control/core/nearest_word.h"
#include "control/core/text.h"
#include "hw/canopen/bytes.h"
#include "hw/canopen/value_text.h"

namespace jointrig::app {
namespace {

using canopen::DataType;
using canopen::EntryAddress;
using canopen::EntryDescription;
using canopen::ObjectDescription;

constexpr std::array<std::pair<std::string_view, DataType>, 14> kTypes{
    {{"bool", DataType::kBoolean},
     {"i8", DataType::kInteger8},
     {"i16", DataType::kInteger16},
     {"i32", DataType::kInteger32},
     {"i64", DataType::kInteger64},
     {"u8", DataType::kUnsigned8},
     {"u16", DataType::kUnsigned16},
     {"u32", DataType::kUnsigned32},
     {"u64", DataType::kUnsigned64},
     {"f32", DataType::kReal32},
     {"f64", DataType::kReal64},
     {"text", DataType::kVisibleString},
     {"bytes", DataType::kOctetString},
     {"domain", DataType::kDomain}}};

/// Names as find_entry() accepts them.
std::vector<std::string> names_of(const canopen::DeviceDescription& device) {
  std::vector<std::string> names;
  for (const ObjectDescription& object : device.objects) {
    if (object.entries.size() == 1) {
      names.push_back(object.name);
      continue;
    }
    for (const EntryDescription& entry : object.entries) {
      names.push_back(object.name + "/" + entry.name);
    }
  }
  return names;
}

/// The sub-indices of an object that was named as a whole; "" if there is none of that name.
std::string parts_of(const canopen::DeviceDescription& device, std::string_view name) {
  for (const ObjectDescription& object : device.objects) {
    if (edit_distance(object.name, name) != 0) continue;
    return joined(object.entries, ", ", &EntryDescription::name);
  }
  return {};
}

EntryAddress address_of(const canopen::DeviceDescription& device, std::string_view name) {
  if (const auto found = canopen::find_entry(device, name)) return *found;
  const std::string quoted = "\"" + std::string(name) + "\"";
  if (const std::string parts = parts_of(device, name); !parts.empty()) {
    throw std::invalid_argument(quoted + " has several values: say " + std::string(name) +
                                "/ and one of " + parts);
  }
  const std::string meant = did_you_mean(name, names_of(device));
  throw std::invalid_argument(
      "there is no object " + quoted + " in the EDS" +
      (meant.empty() ? "; an index in hex does as well, as 6064 or 1018:1" : meant));
}

void check_limits(const EntryDescription& entry, const std::string& object,
                  std::span<const std::uint8_t> bytes) {
  if (!entry.limits) return;
  const std::int64_t value =
      canopen::as_integer(entry.type, canopen::load_little_endian(bytes, bytes.size()));
  if (value >= entry.limits->low && value <= entry.limits->high) return;
  throw std::invalid_argument(fmt::format("{}: {} is outside {} to {}, says the EDS", object, value,
                                          entry.limits->low, entry.limits->high));
}

std::vector<std::uint8_t> value_of(const ObjectWords& words, const ObjectRequest& request,
                                   std::string_view text) {
  const std::string object = object_in_words(words.device, request.object);
  if (request.entry == nullptr && !words.type) {
    throw std::invalid_argument("the EDS has no " + object +
                                ": say what it is with --type, such as u16");
  }
  const DataType type = request.entry != nullptr ? request.entry->type : *words.type;
  try {
    std::vector<std::uint8_t> bytes = canopen::parse_value(type, text);
    if (words.is_the_drives && request.entry != nullptr) {
      check_limits(*request.entry, object, bytes);
    }
    return bytes;
  } catch (const std::invalid_argument& error) {
    const std::string why = error.what();
    throw std::invalid_argument(why.starts_with(object) ? why : object + ": " + why);
  }
}

void check_access(const ObjectWords& words, const ObjectRequest& request) {
  if (!words.is_the_drives || request.entry == nullptr) return;
  const std::string object = object_in_words(words.device, request.object);
  if (request.value && !canopen::is_writable(request.entry->access)) {
    throw std::invalid_argument(object + " can't be written, says the EDS: it is " +
                                std::string(to_string(request.entry->access)));
  }
  if (!request.value && !canopen::is_readable(request.entry->access)) {
    throw std::invalid_argument(object + " can't be read, says the EDS: it is " +
                                std::string(to_string(request.entry->access)));
  }
}

}  // namespace

canopen::DataType parse_type(const std::string& word) {
  for (const auto& [name, type] : kTypes) {
    if (word == name || edit_distance(word, canopen::to_string(type)) == 0) return type;
  }
  throw std::invalid_argument("there is no type \"" + word + "\"; there are " +
                              joined(kTypes, ", ", [](const auto& known) { return known.first; }));
}

ObjectRequest parse_request(const ObjectWords& words, std::string_view text) {
  const std::size_t sign = text.find('=');
  ObjectRequest request;
  request.object = address_of(words.device, trimmed(text.substr(0, sign)));
  request.entry = entry_at(words.device, request.object);
  if (sign != std::string_view::npos) {
    request.value = value_of(words, request, text.substr(sign + 1));
  }
  check_access(words, request);
  return request;
}

std::vector<ObjectRequest> all_requests(const canopen::DeviceDescription& device) {
  std::vector<ObjectRequest> requests;
  for (const ObjectDescription& object : device.objects) {
    for (const EntryDescription& entry : object.entries) {
      if (!canopen::is_readable(entry.access)) continue;
      requests.push_back({{object.index, entry.sub}, &entry, std::nullopt});
    }
  }
  return requests;
}

}  // namespace jointrig::app
