#pragma once
/// Visits the values of an encoded message in the order of its schema.

#include <span>
#include <string_view>
#include <variant>

#include "harness/log/mcap/cdr.h"
#include "harness/log/mcap/message_schema.h"

namespace jointrig::harness {

using MessageValue =
    std::variant<bool, std::int64_t, std::uint64_t, float, double, std::string_view>;

inline MessageValue read_value(FieldType type, CdrReader& in) noexcept {
  switch (type) {
    case FieldType::kBool:
      return in.get<bool>();
    case FieldType::kInt8:
      return std::int64_t{in.get<std::int8_t>()};
    case FieldType::kByte:
    case FieldType::kUint8:
      return std::uint64_t{in.get<std::uint8_t>()};
    case FieldType::kInt16:
      return std::int64_t{in.get<std::int16_t>()};
    case FieldType::kUint16:
      return std::uint64_t{in.get<std::uint16_t>()};
    case FieldType::kInt32:
      return std::int64_t{in.get<std::int32_t>()};
    case FieldType::kUint32:
      return std::uint64_t{in.get<std::uint32_t>()};
    case FieldType::kInt64:
      return in.get<std::int64_t>();
    case FieldType::kUint64:
      return in.get<std::uint64_t>();
    case FieldType::kFloat32:
      return in.get<float>();
    case FieldType::kFloat64:
      return in.get<double>();
    case FieldType::kString:
      return in.get_string();
    case FieldType::kMessage:
      break;  // leaves are never messages
  }
  return false;
}

/// Calls `visit(leaf index, element, value)` for all values. Returns false if the bytes end too
/// early.
template <typename Visit>
bool for_each_value(const MessageSchema& schema, std::span<const std::byte> cdr, Visit visit) {
  CdrReader in(cdr);
  const auto leaves = schema.leaves();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::uint32_t count =
        leaves[i].shape == FieldShape::kSequence ? in.get<std::uint32_t>() : leaves[i].count;
    for (std::uint32_t element = 0; element < count && in.ok(); ++element) {
      const MessageValue value = read_value(leaves[i].type, in);
      if (in.ok()) visit(i, element, value);
    }
  }
  return in.ok();
}

}  // namespace jointrig::harness
