#include "app/bus/sdo_words.h"

#include <fmt/core.h>

#include <cctype>

#include "app/bus/frame_words.h"
#include "hw/canopen/abort_code.h"
#include "hw/canopen/bytes.h"
#include "hw/canopen/emergency.h"
#include "hw/canopen/sdo_frame.h"
#include "hw/canopen/value_text.h"
#include "hw/cia402/modes.h"

namespace jointrig::app {
namespace {

using canopen::DataType;
using canopen::DeviceDescription;
using canopen::EntryAddress;
using canopen::EntryDescription;

struct Found {
  const canopen::ObjectDescription* object = nullptr;
  const EntryDescription* entry = nullptr;
};

Found find(const DeviceDescription& objects, EntryAddress address) noexcept {
  for (const canopen::ObjectDescription& object : objects.objects) {
    if (object.index != address.index) continue;
    for (const EntryDescription& entry : object.entries) {
      if (entry.sub == address.sub) return {&object, &entry};
    }
  }
  return {};
}

/// Meaning of the number, if known.
std::string meaning(EntryAddress address, std::uint64_t bits) {
  switch (address.index) {
    case 0x6041:
      return statusword_in_words(static_cast<std::uint16_t>(bits));
    case 0x6060:
    case 0x6061:
      return std::string(cia402::mode_in_words(static_cast<std::int8_t>(bits)));
    case 0x603F:
      return bits == 0 ? "no error"
                       : std::string(canopen::emergency_in_words(static_cast<std::uint16_t>(bits)));
    default:
      return {};
  }
}

std::string in_hex(std::uint64_t bits, std::size_t bytes) {
  return fmt::format("{:0{}X}h", bits, 2 * bytes);
}

std::string bytes_in_hex(std::span<const std::uint8_t> bytes) {
  return canopen::format_value(DataType::kOctetString, bytes);
}

EntryAddress address_in(const can::Frame& frame) noexcept {
  return {static_cast<std::uint16_t>(canopen::load_little_endian(frame.bytes().subspan(1), 2)),
          frame.data[3]};
}

std::string abort_words(const can::Frame& frame, const DeviceDescription& objects) {
  const auto code =
      static_cast<std::uint32_t>(canopen::load_little_endian(frame.bytes().subspan(4), 4));
  return "abort of " + object_in_words(objects, address_in(frame)) + ": " +
         std::string(canopen::in_words(static_cast<canopen::AbortCode>(code))) + " (" +
         in_hex(code, 4) + ")";
}

/// The value in an expedited message, or the length of a segmented one.
std::string start_words(const can::Frame& frame, const DeviceDescription& objects) {
  const std::uint8_t command = frame.data[0];
  const EntryAddress address = address_in(frame);
  if ((command & canopen::sdo::kExpedited) != 0) {
    const auto value = frame.bytes().subspan(4, canopen::sdo::expedited_size(command));
    return value_in_words(address, entry_at(objects, address), value);
  }
  if ((command & canopen::sdo::kSizeGiven) == 0) return "in segments";
  return fmt::format("{} bytes in segments",
                     canopen::load_little_endian(frame.bytes().subspan(4), 4));
}

std::string segment_words(const can::Frame& frame) {
  const std::uint8_t command = frame.data[0];
  const auto data = frame.bytes().subspan(1, canopen::sdo::segment_size(command));
  return "segment " + bytes_in_hex(data) +
         ((command & canopen::sdo::kLastSegment) != 0 ? ", the last" : "");
}

}  // namespace

const EntryDescription* entry_at(const DeviceDescription& objects, EntryAddress address) noexcept {
  return find(objects, address).entry;
}

std::string in_digits(EntryAddress address) {
  return fmt::format("{}:{}", in_hex(address.index, 2), address.sub);
}

std::string object_in_words(const DeviceDescription& objects, EntryAddress address) {
  const Found found = find(objects, address);
  if (found.entry == nullptr || found.object == nullptr) return in_digits(address);
  const bool alone = found.object->entries.size() == 1;
  const std::string& name = found.object->name;
  return in_digits(address) + " " + canopen::lower(alone ? name : name + "/" + found.entry->name);
}

std::string value_in_words(EntryAddress address, const EntryDescription* entry,
                           std::span<const std::uint8_t> value) {
  const std::uint64_t bits = canopen::load_little_endian(value, value.size());
  if (entry == nullptr) {
    if (value.size() > 8) return bytes_in_hex(value);
    return fmt::format("{} ({})", bits, in_hex(bits, value.size()));
  }
  std::string words = canopen::format_value(entry->type, value);
  if (entry->type == DataType::kVisibleString) return "\"" + words + "\"";
  if (canopen::size_of(entry->type) == 0 || canopen::is_real(entry->type)) return words;
  if (!canopen::is_signed(entry->type)) words += " (" + in_hex(bits, value.size()) + ")";
  const std::string means = meaning(address, bits);
  return means.empty() ? words : words + ": " + means;
}

std::string sdo_request_words(const can::Frame& frame, const DeviceDescription& objects) {
  using canopen::sdo::Client;
  if (frame.size != 8) return "not 8 bytes: " + bytes_in_hex(frame.bytes());
  const std::string object = object_in_words(objects, address_in(frame));
  switch (static_cast<Client>(frame.data[0] >> 5)) {
    case Client::kStartUpload:
      return "read " + object;
    case Client::kStartDownload:
      return "write " + object + " = " + start_words(frame, objects);
    case Client::kUploadSegment:
      return "next segment";
    case Client::kDownloadSegment:
      return segment_words(frame);
    case Client::kAbort:
      return abort_words(frame, objects);
    case Client::kBlockUpload:
      return "read in blocks " + object;
    case Client::kBlockDownload:
      return "write in blocks " + object;
  }
  return bytes_in_hex(frame.bytes());
}

std::string sdo_answer_words(const can::Frame& frame, const DeviceDescription& objects) {
  using canopen::sdo::Server;
  if (frame.size != 8) return "not 8 bytes: " + bytes_in_hex(frame.bytes());
  const std::string object = object_in_words(objects, address_in(frame));
  switch (static_cast<Server>(frame.data[0] >> 5)) {
    case Server::kStartUpload:
      return object + " = " + start_words(frame, objects);
    case Server::kStartDownload:
      return object + " written";
    case Server::kUploadSegment:
      return segment_words(frame);
    case Server::kDownloadSegment:
      return "segment taken";
    case Server::kAbort:
      return abort_words(frame, objects);
  }
  return bytes_in_hex(frame.bytes());
}

}  // namespace jointrig::app
