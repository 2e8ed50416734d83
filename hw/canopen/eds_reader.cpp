#include "hw/canopen/eds_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

#include "hw/can/text.h"
#include "hw/canopen/value_text.h"

namespace jointrig::canopen {

namespace {

struct Value {
  std::string text;
  int line = 0;
};

struct Section {
  int line = 0;
  std::map<std::string, Value> values;  // keys in lower case
};

/// The file as sections of keys, all names in lower case.
class Ini {
 public:
  Ini(std::string_view text, std::string file_name) : file_(std::move(file_name)) {
    Section* section = nullptr;
    int number = 0;
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      const std::string_view line = can::trimmed(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      ++number;
      if (line.empty() || line.front() == ';' || line.front() == '#') continue;
      if (line.front() == '[') {
        if (line.back() != ']') throw error(number, "a section's name ends with ']'");
        section = &sections_[lower(line.substr(1, line.size() - 2))];
        section->line = number;
        continue;
      }
      const auto equals = line.find('=');
      if (equals == std::string_view::npos || section == nullptr) {
        throw error(number, "expected 'key=value' inside a [section]");
      }
      section->values[lower(can::trimmed(line.substr(0, equals)))] = {
          std::string(can::trimmed(line.substr(equals + 1))), number};
    }
  }

  [[nodiscard]] EdsError error(int line, const std::string& what) const {
    return EdsError(fmt::format("{}:{}: {}", file_, line, what));
  }

  [[nodiscard]] const Section* find(const std::string& name) const {
    const auto found = sections_.find(name);
    return found == sections_.end() ? nullptr : &found->second;
  }

  [[nodiscard]] std::string text(const Section& section, const std::string& key,
                                 const std::string& otherwise = {}) const {
    const auto found = section.values.find(key);
    return found == section.values.end() ? otherwise : found->second.text;
  }

  [[nodiscard]] int line_of(const Section& section, const std::string& key) const {
    const auto found = section.values.find(key);
    return found == section.values.end() ? section.line : found->second.line;
  }

  [[nodiscard]] std::int64_t number(const Section& section, const std::string& key,
                                    std::optional<std::int64_t> otherwise) const {
    const std::string value = text(section, key);
    if (value.empty()) {
      if (otherwise) return *otherwise;
      throw error(section.line, "the section has no '" + key + "'");
    }
    try {
      return parse_integer(value);
    } catch (const std::invalid_argument& problem) {
      throw error(line_of(section, key), key + ": " + problem.what());
    }
  }

 private:
  std::string file_;
  std::map<std::string, Section> sections_;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file_name) : ini_(text, file_name) {}

  EdsFile read() {
    if (const Section* const info = ini_.find("deviceinfo"); info != nullptr) {
      result_.device.vendor_name = ini_.text(*info, "vendorname");
      result_.device.product_name = ini_.text(*info, "productname");
      result_.device.vendor = unsigned32(*info, "vendornumber");
      result_.device.product = unsigned32(*info, "productnumber");
      result_.device.revision = unsigned32(*info, "revisionnumber");
    }
    bool any = false;
    for (const char* const list : {"mandatoryobjects", "optionalobjects", "manufacturerobjects"}) {
      if (const Section* const section = ini_.find(list); section != nullptr) {
        any = true;
        read_list(*section);
      }
    }
    if (!any) throw ini_.error(1, "no [MandatoryObjects]: not an EDS file");
    std::ranges::sort(result_.device.objects, {}, &ObjectDescription::index);
    return std::move(result_);
  }

 private:
  std::uint32_t unsigned32(const Section& section, const std::string& key) const {
    return static_cast<std::uint32_t>(ini_.number(section, key, 0));
  }

  void read_list(const Section& list) {
    const std::int64_t count = ini_.number(list, "supportedobjects", std::nullopt);
    for (std::int64_t i = 1; i <= count; ++i) {
      const std::string key = fmt::format("{}", i);
      const std::int64_t index = ini_.number(list, key, std::nullopt);
      if (index < 1 || index > 0xFFFF) {
        throw ini_.error(ini_.line_of(list, key), "an index is 0x0001..0xFFFF");
      }
      read_object(static_cast<std::uint16_t>(index), ini_.line_of(list, key));
    }
  }

  void read_object(std::uint16_t index, int listed_at) {
    char name[8];
    const auto end = std::to_chars(name, name + sizeof name, index, 16).ptr;
    const std::string digits(name, end);
    const std::string title = std::string(4 - digits.size(), '0') + digits;
    const Section* const section = ini_.find(title);
    if (section == nullptr) {
      throw ini_.error(listed_at,
                       "object " + title + "h is listed, but there is no [" + title + "]");
    }
    ObjectDescription object;
    object.index = index;
    object.name = ini_.text(*section, "parametername");
    object.code = static_cast<ObjectCode>(ini_.number(*section, "objecttype", 7));
    if (object.code == ObjectCode::kArray || object.code == ObjectCode::kRecord) {
      read_subs(*section, title, object);
    } else if (auto entry = read_entry(*section, 0, title); entry) {
      object.entries.push_back(std::move(*entry));
    }
    if (!object.entries.empty()) result_.device.objects.push_back(std::move(object));
  }

  void read_subs(const Section& section, const std::string& title, ObjectDescription& object) {
    const std::int64_t compact = ini_.number(section, "compactsubobj", 0);
    if (compact > 0) {
      read_compact(section, title, compact, object);
      return;
    }
    for (int sub = 0; sub < 255; ++sub) {
      char digits[4];
      const auto end = std::to_chars(digits, digits + sizeof digits, sub, 16).ptr;
      const std::string name = title + "sub" + std::string(digits, end);
      const Section* const found = ini_.find(name);
      if (found == nullptr) continue;
      auto entry = read_entry(*found, static_cast<std::uint8_t>(sub), name);
      if (entry) object.entries.push_back(std::move(*entry));
    }
    if (object.entries.empty()) throw ini_.error(section.line, "[" + title + "] has no sub-index");
  }

  /// One section stands for all sub-indices 1..n of an array.
  void read_compact(const Section& section, const std::string& title, std::int64_t count,
                    ObjectDescription& object) {
    if (count > 254) throw ini_.error(section.line, "CompactSubObj is at most 254");
    object.entries.push_back(canopen::entry("Highest sub-index supported", DataType::kUnsigned8,
                                            Access::kReadOnly, count));
    for (std::int64_t sub = 1; sub <= count; ++sub) {
      auto entry = read_entry(section, static_cast<std::uint8_t>(sub), title);
      if (!entry) return;
      entry->name += fmt::format(" {}", sub);
      object.entries.push_back(std::move(*entry));
    }
  }

  std::optional<EntryDescription> read_entry(const Section& section, std::uint8_t sub,
                                             const std::string& title) {
    const std::int64_t code = ini_.number(section, "datatype", std::nullopt);
    EntryDescription entry;
    entry.sub = sub;
    entry.name = ini_.text(section, "parametername");
    entry.type = static_cast<DataType>(code);
    if (code < 0 || code > 0xFFFF || to_string(entry.type) == "?") {
      result_.notes.push_back(
          ini_.error(ini_.line_of(section, "datatype"),
                     fmt::format("[{}] left out: data type {} is not read", title, code))
              .what());
      return std::nullopt;
    }
    entry.access = read_access(section);
    entry.mappable = ini_.number(section, "pdomapping", 0) != 0;
    read_default(section, entry);
    // Those of 64 bits do not all fit Limits, and are not needed.
    if (is_integer(entry.type) && size_of(entry.type) < 8 &&
        !ini_.text(section, "lowlimit").empty() && !ini_.text(section, "highlimit").empty()) {
      entry.limits = Limits{typed_number(section, "lowlimit", entry.type),
                            typed_number(section, "highlimit", entry.type)};
    }
    return entry;
  }

  Access read_access(const Section& section) const {
    const std::string word = lower(ini_.text(section, "accesstype"));
    for (const Access access :
         {Access::kReadOnly, Access::kWriteOnly, Access::kReadWrite, Access::kReadWriteInput,
          Access::kReadWriteOutput, Access::kConstant}) {
      if (word == to_string(access)) return access;
    }
    throw ini_.error(ini_.line_of(section, "accesstype"),
                     "AccessType '" + word + "' is none of ro, wo, rw, rwr, rww, const");
  }

  /// Files write 0x80000000 where they mean the lowest INTEGER32.
  std::int64_t typed_number(const Section& section, const std::string& key, DataType type) const {
    const std::int64_t value = ini_.number(section, key, 0);
    const std::size_t size = size_of(type);
    const bool within = value >= 0 && (size == 8 || value < std::int64_t{1} << (8 * size));
    return within ? as_integer(type, static_cast<std::uint64_t>(value)) : value;
  }

  /// Files of makers have defaults that are none ("0.0" of an UNSIGNED16): such a one is noted and
  /// left out, for it tells nothing that is needed to speak to the drive.
  void read_default(const Section& section, EntryDescription& entry) {
    const std::string text = ini_.text(section, "defaultvalue");
    try {
      if (size_of(entry.type) == 0) {
        const auto bytes = parse_value(entry.type, text);
        entry.initial_text.assign(bytes.begin(), bytes.end());
      } else if (is_real(entry.type)) {
        entry.initial_real = text.empty() ? 0 : parse_real(text);
      } else if (!text.empty()) {
        read_integer_default(section, text, entry);
      }
    } catch (const std::invalid_argument& problem) {
      result_.notes.push_back(ini_.error(ini_.line_of(section, "defaultvalue"),
                                         std::string("DefaultValue left out: ") + problem.what())
                                  .what());
    }
  }

  void read_integer_default(const Section& section, const std::string& text,
                            EntryDescription& entry) const {
    const auto at = lower(text).find("$nodeid");
    if (at == std::string::npos) {
      (void)parse_integer(text);  // throws what read_default() takes
      entry.initial = typed_number(section, "defaultvalue", entry.type);
      return;
    }
    // "$NODEID+0x180", "0x180+$NODEID" and "$NODEID" all occur.
    constexpr std::size_t kLength = 7;
    std::string rest = text.substr(0, at) + text.substr(at + kLength);
    std::erase(rest, '+');
    entry.initial = can::trimmed(rest).empty() ? 0 : parse_integer(rest);
    entry.plus_node_id = true;
  }

  Ini ini_;
  EdsFile result_;
};

std::optional<EntryAddress> parse_address(std::string_view name) {
  const auto colon = std::min(name.find(':'), name.size());
  std::string_view digits = name.substr(0, colon);
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  if (digits.size() != 4) return std::nullopt;
  EntryAddress address;
  const auto [at, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), address.index, 16);
  if (error != std::errc{} || at != digits.data() + digits.size()) return std::nullopt;
  if (colon == name.size()) return address;
  try {
    const std::int64_t sub = parse_integer(name.substr(colon + 1));
    if (sub < 0 || sub > 255) return std::nullopt;
    address.sub = static_cast<std::uint8_t>(sub);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  return address;
}

}  // namespace

EdsFile read_eds(std::string_view text, const std::string& file_name) {
  return Reader(text, file_name).read();
}

std::optional<EntryAddress> find_entry(const DeviceDescription& device, std::string_view name) {
  if (const auto address = parse_address(name); address) return address;
  const std::string wanted = lower(can::trimmed(name));
  for (const ObjectDescription& object : device.objects) {
    const bool whole = lower(object.name) == wanted;
    if (whole && object.entries.size() == 1) return EntryAddress{object.index, 0};
    for (const EntryDescription& entry : object.entries) {
      if (lower(object.name + "/" + entry.name) == wanted) {
        return EntryAddress{object.index, entry.sub};
      }
    }
  }
  return std::nullopt;
}

}  // namespace jointrig::canopen
