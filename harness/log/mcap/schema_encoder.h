#pragma once
/// Encodes a message value by value and checks each against its schema: for the rare messages with
/// strings and sequences. StructSchema encodes messages of fixed size.

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "harness/log/mcap/cdr.h"
#include "harness/log/mcap/message_schema.h"

namespace jointrig::harness {

/// The field type of a C++ number; enumerations are stored as their underlying type.
template <typename T>
constexpr FieldType field_type_of() noexcept {
  if constexpr (std::is_enum_v<T>) {
    return field_type_of<std::underlying_type_t<T>>();
  } else if constexpr (std::is_same_v<T, bool>) {
    return FieldType::kBool;
  } else if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) <= 8, "no long double in a message");
    return sizeof(T) == 4 ? FieldType::kFloat32 : FieldType::kFloat64;
  } else {
    static_assert(std::is_integral_v<T>, "no such field in a message");
    constexpr bool kSigned = std::is_signed_v<T>;
    switch (sizeof(T)) {
      case 1:
        return kSigned ? FieldType::kInt8 : FieldType::kUint8;
      case 2:
        return kSigned ? FieldType::kInt16 : FieldType::kUint16;
      case 4:
        return kSigned ? FieldType::kInt32 : FieldType::kUint32;
      default:
        return kSigned ? FieldType::kInt64 : FieldType::kUint64;
    }
  }
}

class SchemaEncoder {
 public:
  SchemaEncoder(const MessageSchema& schema, std::span<std::byte> out) noexcept
      : leaves_(schema.leaves()), out_(out) {}

  template <CdrNumber T>
  void put(T value) noexcept {
    if (next_is(field_type_of<T>(), FieldShape::kSingle)) out_.put(value);
  }

  void put(std::string_view text) noexcept {
    if (next_is(FieldType::kString, FieldShape::kSingle)) out_.put(text);
  }

  template <CdrNumber T>
  void put_sequence(std::span<const T> values) noexcept {
    if (next_is(field_type_of<T>(), FieldShape::kSequence)) out_.put_sequence(values);
  }

  template <typename Strings>
  void put_strings(const Strings& values) noexcept {
    if (next_is(FieldType::kString, FieldShape::kSequence)) out_.put_strings(values);
  }

  /// True if every field was put with its type and all of them fit.
  bool complete() const noexcept { return ok_ && leaf_ == leaves_.size() && out_.fits(); }
  std::span<const std::byte> bytes() const noexcept { return out_.bytes(); }

 private:
  bool next_is(FieldType type, FieldShape shape) noexcept {
    ok_ = ok_ && leaf_ < leaves_.size() && leaves_[leaf_].type == type &&
          leaves_[leaf_].shape == shape;
    ++leaf_;
    return ok_;
  }

  std::span<const MessageLeaf> leaves_;
  CdrWriter out_;
  std::size_t leaf_ = 0;
  bool ok_ = true;
};

}  // namespace jointrig::harness
