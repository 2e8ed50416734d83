#pragma once
/// A message that is a plain C++ struct of numbers: one list of its fields gives the schema and an
/// encoder that copies. Types, sizes and offsets come from the members themselves.
///
///     struct Sample { TimeStamp stamp; double q, v; std::uint8_t mode; bool limited; };
///     const auto schema = StructSchema<Sample>("jointrig_msgs/msg/Joint")
///                             .field("stamp", &Sample::stamp, "", "time of the cycle")
///                             .field("q", &Sample::q, "rad", "measured position")
///                             .field("v", &Sample::v, "rad/s")
///                             .field("mode", &Sample::mode)
///                             .field("limited", &Sample::limited);
///
/// Members named in the order of the struct, without holes, encode as one memcpy: put large members
/// first. Any other order works too, with one copy for each run of members.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/log/mcap/schema_encoder.h"
#include "harness/log/mcap/standard_messages.h"

namespace jointrig::harness {

template <typename T>
class StructSchema {
  static_assert(std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> &&
                    std::is_default_constructible_v<T>,
                "a logged struct is plain data");

 public:
  explicit StructSchema(std::string name) : name_(std::move(name)) {}

  /// Members are numbers, bools, enumerations, arrays of them (C or std::array) or a TimeStamp. The
  /// first call of schema() throws std::invalid_argument as MessageSchema does.
  template <typename M>
  StructSchema& field(std::string name, M T::*member, std::string unit = {},
                      std::string comment = {}) {
    if (schema_ != nullptr) throw std::logic_error(name_ + " is in use: no more fields");
    const T probe{};
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(&(probe.*member)) -
                               reinterpret_cast<std::uintptr_t>(&probe);
    MessageField description;
    description.name = std::move(name);
    description.unit = std::move(unit);
    description.comment = std::move(comment);
    describe<M>(description, offset);
    fields_.push_back(std::move(description));
    return *this;
  }

  /// Adds named values of the integer fields, for readers of the definition.
  StructSchema& constants(const std::vector<MessageConstant>& values) {
    if (schema_ != nullptr) throw std::logic_error(name_ + " is in use: no more constants");
    constants_.insert(constants_.end(), values.begin(), values.end());
    return *this;
  }

  SchemaPtr schema() const {
    if (schema_ == nullptr) schema_ = std::make_shared<MessageSchema>(name_, fields_, constants_);
    return schema_;
  }

  std::size_t encoded_size() const noexcept { return kCdrHeaderBytes + size_; }

  /// @param out  encoded_size() bytes
  void encode(const T& sample, std::byte* out) const noexcept {
    constexpr std::uint8_t kLittleEndian[kCdrHeaderBytes] = {0, 1, 0, 0};
    std::memcpy(out, kLittleEndian, kCdrHeaderBytes);
    out += kCdrHeaderBytes;
    const auto* from = reinterpret_cast<const std::byte*>(&sample);
    if (runs_.size() == 1) {
      std::memcpy(out, from + runs_.front().from, runs_.front().size);
      return;
    }
    std::size_t at = 0;
    for (const Run& run : runs_) {
      std::memset(out + at, 0,
                  run.to - at);  // alignment: zeros, not the struct's own padding bytes
      std::memcpy(out + run.to, from + run.from, run.size);
      at = run.to + run.size;
    }
  }

 private:
  struct Run {
    std::size_t from;
    std::size_t to;
    std::size_t size;
  };

  template <typename M>
  void describe(MessageField& field, std::size_t offset) {
    if constexpr (std::is_same_v<M, TimeStamp>) {
      field.type = FieldType::kMessage;
      field.message = time_schema();
      add_run(offset, 4, sizeof(TimeStamp));
    } else if constexpr (std::is_array_v<M>) {
      using Element = std::remove_extent_t<M>;
      describe_array<Element>(field, offset, std::extent_v<M>);
    } else if constexpr (requires {
                           std::tuple_size<M>::value;
                           typename M::value_type;
                         }) {
      describe_array<typename M::value_type>(field, offset, std::tuple_size_v<M>);
    } else {
      field.type = field_type_of<M>();
      add_run(offset, sizeof(M), sizeof(M));
    }
  }

  template <typename Element>
  void describe_array(MessageField& field, std::size_t offset, std::size_t count) {
    field.type = field_type_of<Element>();
    field.shape = FieldShape::kArray;
    field.count = static_cast<std::uint32_t>(count);
    add_run(offset, sizeof(Element), count * sizeof(Element));
  }

  void add_run(std::size_t from, std::size_t alignment, std::size_t size) {
    const std::size_t to = (size_ + alignment - 1) / alignment * alignment;
    size_ = to + size;
    if (!runs_.empty()) {
      Run& last = runs_.back();
      if (last.from + last.size == from && last.to + last.size == to) {
        last.size += size;
        return;
      }
    }
    runs_.push_back({from, to, size});
  }

  std::string name_;
  std::vector<MessageField> fields_;
  std::vector<MessageConstant> constants_;
  std::vector<Run> runs_;
  std::size_t size_ = 0;
  mutable SchemaPtr schema_;
};

}  // namespace jointrig::harness
