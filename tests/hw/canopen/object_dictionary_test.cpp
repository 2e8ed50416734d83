#include "hw/canopen/object_dictionary.h"

#include <gtest/gtest.h>

namespace jointrig::canopen {
namespace {

using enum DataType;

DeviceDescription a_device() {
  DeviceDescription device;
  device.objects.push_back(
      variable(0x1000, entry("Device type", kUnsigned32, Access::kReadOnly, 402)));
  device.objects.push_back(
      variable(0x1014, entry("COB-ID EMCY", kUnsigned32, Access::kReadOnly, 0x80).plus_node()));
  device.objects.push_back(
      record(0x2000, "Limits",
             {entry("Signed", kInteger16, Access::kReadWrite, -5).within(-10, 10),
              entry("Secret", kUnsigned8, Access::kWriteOnly),
              text_entry("Name", Access::kReadWrite, "ab", 6),
              text_entry("Nothing", Access::kReadOnly, "")}));
  device.objects.push_back(variable(0x6040, entry("Word", kUnsigned16, Access::kReadWrite)));
  return device;
}

std::vector<std::uint8_t> bytes_of(std::initializer_list<int> values) {
  return {values.begin(), values.end()};
}

TEST(ObjectDictionary, StartsWithTheValuesDescribed) {
  ObjectDictionary objects(a_device(), 5);
  EXPECT_EQ(objects.find(0x1000, 0)->bits(), 402U);
  EXPECT_EQ(objects.find(0x1014, 0)->bits(), 0x85U);  // 80h + node 5
  EXPECT_EQ(objects.find(0x2000, 0)->bits(), 4U);     // the highest sub-index
  EXPECT_EQ(objects.find(0x2000, 1)->integer(), -5);
  EXPECT_EQ(objects.find(0x2000, 3)->size, 2U);
  EXPECT_EQ(objects.longest(), 8U);
}

TEST(ObjectDictionary, KnowsAMissingObjectFromAMissingSubIndex) {
  ObjectDictionary objects(a_device(), 5);
  EXPECT_EQ(objects.find(0x3000, 0), nullptr);
  EXPECT_EQ(objects.find(0x2000, 9), nullptr);
  EXPECT_EQ(objects.why_absent(0x3000), AbortCode::kNoObject);
  EXPECT_EQ(objects.why_absent(0x2000), AbortCode::kNoSubIndex);
}

TEST(ObjectDictionary, HoldsTheBusToAccessLengthAndLimits) {
  ObjectDictionary objects(a_device(), 5);
  Entry& limited = *objects.find(0x2000, 1);
  EXPECT_EQ(objects.write(*objects.find(0x1000, 0), bytes_of({1, 0, 0, 0})), AbortCode::kReadOnly);
  EXPECT_EQ(objects.write(limited, bytes_of({1})), AbortCode::kTooShort);
  EXPECT_EQ(objects.write(limited, bytes_of({1, 0, 0})), AbortCode::kTooLong);
  EXPECT_EQ(objects.write(limited, bytes_of({11, 0})), AbortCode::kValueTooHigh);
  EXPECT_EQ(objects.write(limited, bytes_of({0xF5, 0xFF})), AbortCode::kValueTooLow);  // -11
  EXPECT_EQ(limited.integer(), -5);
  EXPECT_EQ(objects.write(limited, bytes_of({0xF6, 0xFF})), AbortCode::kNone);  // -10
  EXPECT_EQ(limited.integer(), -10);
  EXPECT_EQ(ObjectDictionary::may_read(*objects.find(0x2000, 2)), AbortCode::kWriteOnly);
  EXPECT_EQ(ObjectDictionary::may_read(*objects.find(0x2000, 4)), AbortCode::kNoData);
}

TEST(ObjectDictionary, TakesStringsUpToTheirRoom) {
  ObjectDictionary objects(a_device(), 5);
  Entry& name = *objects.find(0x2000, 3);
  EXPECT_EQ(objects.write(name, bytes_of({'t', 'o', 'r', 's', 'o', '1'})), AbortCode::kNone);
  EXPECT_EQ(name.size, 6U);
  EXPECT_EQ(objects.write(name, bytes_of({'1', '2', '3', '4', '5', '6', '7'})),
            AbortCode::kTooLong);
  EXPECT_EQ(objects.write(name, bytes_of({'x'})), AbortCode::kNone);
  EXPECT_EQ(name.size, 1U);
}

struct Owner {
  AbortCode verdict = AbortCode::kNone;
  std::uint64_t asked = 0;
  int told = 0;
  AbortCode check(const Entry& /*entry*/, std::uint64_t bits) noexcept {
    asked = bits;
    return verdict;
  }
  void stored(const Entry& /*entry*/) noexcept { ++told; }
};

TEST(ObjectDictionary, AsksTheOwnerBeforeItStoresAndTellsItAfter) {
  ObjectDictionary objects(a_device(), 5);
  Entry& word = *objects.find(0x6040, 0);
  Owner owner;
  objects.own<&Owner::check, &Owner::stored>(word, owner);

  owner.verdict = AbortCode::kDeviceState;
  EXPECT_EQ(objects.write(word, bytes_of({0x0F, 0x01})), AbortCode::kDeviceState);
  EXPECT_EQ(owner.asked, 0x010FU);
  EXPECT_EQ(owner.told, 0);
  EXPECT_EQ(word.bits(), 0U);

  owner.verdict = AbortCode::kNone;
  EXPECT_EQ(objects.write(word, bytes_of({0x0F, 0x01})), AbortCode::kNone);
  EXPECT_EQ(owner.told, 1);
  EXPECT_EQ(word.bits(), 0x010FU);
  EXPECT_THROW((objects.own<&Owner::check, &Owner::stored>(word, owner)), std::invalid_argument);
}

TEST(ObjectDictionary, CountsChangesNotWrites) {
  ObjectDictionary objects(a_device(), 5);
  const auto word = objects.object<std::uint16_t>(0x6040);
  const std::uint32_t before = word.entry().changes;
  word.set(7);
  word.set(7);
  EXPECT_EQ(objects.write(word.entry(), bytes_of({7, 0})), AbortCode::kNone);
  EXPECT_EQ(word.entry().changes, before + 1);
  EXPECT_EQ(objects.write(word.entry(), bytes_of({8, 0})), AbortCode::kNone);
  EXPECT_EQ(word.entry().changes, before + 2);
}

TEST(ObjectDictionary, RestoresOnlyTheRangeAskedFor) {
  ObjectDictionary objects(a_device(), 5);
  const auto low = objects.object<std::int16_t>(0x2000, 1);
  const auto high = objects.object<std::uint16_t>(0x6040);
  low.set(3);
  high.set(9);
  objects.restore(0x2000, 0x2FFF);
  EXPECT_EQ(low.get(), -5);
  EXPECT_EQ(high.get(), 9);

  const auto measured = objects.object<std::uint32_t>(0x1000);
  measured.set(3);
  objects.restore(0x1000, 0xFFFF);
  EXPECT_EQ(high.get(), 0);
  EXPECT_EQ(measured.get(), 3U) << "read-only: the device's own";
}

TEST(ObjectDictionary, RefusesADescriptionThatContradictsItself) {
  EXPECT_THROW(ObjectDictionary(a_device(), 0), std::invalid_argument);
  EXPECT_THROW(ObjectDictionary(a_device(), 128), std::invalid_argument);

  DeviceDescription twice = a_device();
  twice.objects.push_back(twice.objects.back());
  EXPECT_THROW(ObjectDictionary(twice, 5), std::invalid_argument);

  DeviceDescription too_big = a_device();
  too_big.objects.push_back(variable(0x7000, entry("Byte", kUnsigned8, Access::kReadWrite, 256)));
  EXPECT_THROW(ObjectDictionary(too_big, 5), std::invalid_argument);

  DeviceDescription outside = a_device();
  outside.objects.push_back(
      variable(0x7000, entry("Byte", kUnsigned8, Access::kReadWrite, 9).within(0, 8)));
  EXPECT_THROW(ObjectDictionary(outside, 5), std::invalid_argument);
}

TEST(ObjectDictionary, GivesNoHandleOfAnotherLength) {
  ObjectDictionary objects(a_device(), 5);
  EXPECT_THROW((void)objects.object<std::uint32_t>(0x6040), std::invalid_argument);
  EXPECT_THROW((void)objects.object<std::uint16_t>(0x6042), std::invalid_argument);
}

TEST(ObjectDictionary, MapsByDirection) {
  struct Case {
    Access access;
    bool sent;
    bool received;
  };
  for (const Case& c :
       {Case{Access::kReadOnly, true, false}, Case{Access::kWriteOnly, false, true},
        Case{Access::kReadWrite, true, true}, Case{Access::kReadWriteInput, true, false},
        Case{Access::kReadWriteOutput, false, true}}) {
    SCOPED_TRACE(to_string(c.access));
    Entry entry;
    entry.access = c.access;
    EXPECT_FALSE(entry.may_be_sent());
    EXPECT_FALSE(entry.may_be_received());
    entry.mappable = true;
    EXPECT_EQ(entry.may_be_sent(), c.sent);
    EXPECT_EQ(entry.may_be_received(), c.received);
  }
}

}  // namespace
}  // namespace jointrig::canopen
