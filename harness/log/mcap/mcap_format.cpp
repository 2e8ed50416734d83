#include "harness/log/mcap/mcap_format.h"

#include <utility>

namespace jointrig::harness::mcap {

void RecordBuilder::bytes(std::span<const std::byte> data) {
  out_.insert(out_.end(), data.begin(), data.end());
}

void RecordBuilder::text(std::string_view value) {
  number(static_cast<std::uint32_t>(value.size()));
  bytes(std::as_bytes(std::span(value)));
}

void RecordBuilder::map(const StringMap& values) {
  std::size_t length = 0;
  for (const auto& [key, value] : values) length += 8 + key.size() + value.size();
  number(static_cast<std::uint32_t>(length));
  for (const auto& [key, value] : values) {
    text(key);
    text(value);
  }
}

std::string FieldReader::text() {
  const auto found = bytes(number<std::uint32_t>());
  return {reinterpret_cast<const char*>(found.data()), found.size()};
}

StringMap FieldReader::map() {
  FieldReader inner(bytes(number<std::uint32_t>()));
  StringMap values;
  while (inner.ok_ && !inner.in_.empty()) {
    std::string key = inner.text();
    values[std::move(key)] = inner.text();
  }
  ok_ = ok_ && inner.ok_;
  return values;
}

void append(std::vector<std::byte>& out, const StoredSchema& schema) {
  RecordBuilder record(out);
  record.begin(Opcode::kSchema);
  record.number(schema.id);
  record.text(schema.name);
  record.text(schema.encoding);
  record.text(schema.text);
  record.end();
}

void append(std::vector<std::byte>& out, const StoredChannel& channel) {
  RecordBuilder record(out);
  record.begin(Opcode::kChannel);
  record.number(channel.id);
  record.number(channel.schema_id);
  record.text(channel.topic);
  record.text(channel.encoding);
  record.map(channel.metadata);
  record.end();
}

}  // namespace jointrig::harness::mcap
