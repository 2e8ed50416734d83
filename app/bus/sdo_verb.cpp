#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "app/bus/bus_link.h"
#include "app/bus/bus_verbs.h"
#include "app/bus/object_request.h"
#include "app/bus/sdo_talk.h"
#include "app/bus/sdo_words.h"
#include "hw/canopen/data_type.h"
#include "hw/canopen/joint_board_objects.h"
#include "hw/canopen/value_text.h"

namespace jointrig::app {
namespace {

constexpr canopen::SdoClientOptions kPatient{
    .time_out = 500 * can::kMillisecond, .tries = 3, .longest = 65'536};

/// @param notes  receives notes on ignored parts of the EDS
ObjectWords words_of(const SdoOptions& options, std::vector<std::string>& notes) {
  ObjectWords words;
  if (!options.type.empty()) words.type = parse_type(options.type);
  if (options.eds.empty()) {
    words.device = canopen::joint_board();
    return words;
  }
  std::ifstream file(options.eds, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    throw std::runtime_error("can't read the EDS " + options.eds);
  }
  canopen::EdsFile eds = canopen::read_eds(text.str(), options.eds);
  notes = std::move(eds.notes);
  words.device = std::move(eds.device);
  words.is_the_drives = true;
  return words;
}

/// --type gives the type of an object that the EDS lacks.
std::string told(const ObjectWords& words, const ObjectRequest& request,
                 std::span<const std::uint8_t> value) {
  const bool by_type = request.entry == nullptr && words.type.has_value();
  const std::string text = by_type ? canopen::format_value(*words.type, value)
                                   : value_in_words(request.object, request.entry, value);
  return object_in_words(words.device, request.object) + " = " + text;
}

/// True for a value with the length of its type, or a type without a length.
bool fits(const ObjectRequest& request, std::span<const std::uint8_t> value) {
  const std::size_t size = request.entry == nullptr ? 0 : canopen::size_of(request.entry->type);
  return size == 0 || size == value.size();
}

bool read(SdoTalk& talk, const ObjectWords& words, const ObjectRequest& request) {
  const auto value = talk.read(request.object);
  if (!value) {
    std::printf("! %s\n", talk.failure().c_str());
    return false;
  }
  if (fits(request, *value)) {
    std::printf("%s\n", told(words, request, *value).c_str());
    return true;
  }
  std::printf("! %s has %zu bytes, and %s by the EDS: %s; is it this device's EDS?\n",
              object_in_words(words.device, request.object).c_str(), value->size(),
              std::string(to_string(request.entry->type)).c_str(),
              canopen::format_value(canopen::DataType::kOctetString, *value).c_str());
  return false;
}

/// Writes, and reads the node's value back.
bool write(SdoTalk& talk, const ObjectWords& words, const ObjectRequest& request) {
  if (!talk.write(request.object, *request.value)) {
    std::printf("! %s\n", talk.failure().c_str());
    return false;
  }
  const auto now = talk.read(request.object);
  if (!now) {
    const std::string object = object_in_words(words.device, request.object);
    if (talk.was_refused()) {
      std::printf("%s written; it can't be read back\n", object.c_str());
      return true;
    }
    std::printf("! %s\n", talk.failure().c_str());
    return false;
  }
  const bool same = *now == *request.value;
  std::printf("%s%s%s\n", same ? "" : "! ", told(words, request, *now).c_str(),
              same ? ", written and read back" : " after the write: the node took another value");
  return same;
}

}  // namespace

int sdo_verb(const SdoOptions& options) {
  std::vector<std::string> notes;
  const ObjectWords words = words_of(options, notes);
  std::vector<ObjectRequest> requests;
  if (options.all) requests = all_requests(words.device);
  for (const std::string& object : options.objects) {
    requests.push_back(parse_request(words, object));
  }
  if (requests.empty()) {
    throw std::invalid_argument("which object? Say 6041, \"statusword\", 605A=6, or --all");
  }
  const std::vector<ChosenBus> buses = choose_buses(options.bus);
  const ChosenNode node = choose_node(buses, options.node);
  const std::unique_ptr<can::Transport> link = open_bus(*node.bus);
  SdoTalk talk(*link, node.node, kPatient);
  std::size_t failed = 0;
  for (const ObjectRequest& request : requests) {
    const bool fine = request.value ? write(talk, words, request) : read(talk, words, request);
    if (fine) continue;
    ++failed;
    if (!options.all || !talk.was_refused())
      break;  // later objects may depend on it; or the node is gone
  }
  if (options.all) {
    for (const std::string& note : notes) std::printf("note: %s\n", note.c_str());
    std::printf("%zu objects, %zu not read\n", requests.size(), failed);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace jointrig::app
