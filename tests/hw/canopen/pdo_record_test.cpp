#include "hw/canopen/pdo_record.h"

#include <gtest/gtest.h>

#include "hw/canopen/joint_board_objects.h"

namespace jointrig::canopen {
namespace {

using Direction = PdoRecord::Direction;

struct Fixture {
  ObjectDictionary objects{joint_board(), 5};
  PdoRecord received{objects, Direction::kReceived, 0};
  PdoRecord sent{objects, Direction::kSent, 0};

  AbortCode write(std::uint16_t index, std::uint8_t sub, std::uint64_t value) {
    Entry* const entry = objects.find(index, sub);
    std::array<std::uint8_t, 8> bytes{};
    store_little_endian(bytes, value, 8);
    return objects.write(*entry, std::span(bytes).first(entry->storage.size()));
  }
  /// Off and with an empty mapping: ready for a new mapping.
  void open(std::uint16_t communication, std::uint32_t id) {
    ASSERT_EQ(write(communication, 1, kPdoInvalid | id), AbortCode::kNone);
    ASSERT_EQ(write(static_cast<std::uint16_t>(communication + 0x200), 0, 0), AbortCode::kNone);
  }
};

TEST(PdoRecord, StartsAsDescribed) {
  Fixture fixture;
  EXPECT_TRUE(fixture.received.runs());
  EXPECT_EQ(fixture.received.id(), 0x205U);
  EXPECT_EQ(fixture.received.type(), 1);
  EXPECT_EQ(fixture.received.bytes(), 8U);
  EXPECT_EQ(fixture.sent.id(), 0x185U);
  ASSERT_EQ(fixture.sent.mapped().size(), 4U);
  EXPECT_EQ(fixture.sent.mapped()[3].entry->index, 0x6064);
}

TEST(PdoRecord, IsRemappedInTheRightOrder) {
  Fixture fixture;
  fixture.open(0x1800, 0x185);
  EXPECT_FALSE(fixture.sent.runs());
  EXPECT_EQ(fixture.write(0x1A00, 1, 0x606C0020), AbortCode::kNone);
  EXPECT_EQ(fixture.write(0x1A00, 2, 0x60410010), AbortCode::kNone);
  EXPECT_EQ(fixture.write(0x1A00, 0, 2), AbortCode::kNone);
  EXPECT_EQ(fixture.write(0x1800, 1, 0x40000285), AbortCode::kNone);  // another identifier, on
  EXPECT_TRUE(fixture.sent.runs());
  EXPECT_EQ(fixture.sent.id(), 0x285U);
  EXPECT_EQ(fixture.sent.bytes(), 6U);
}

TEST(PdoRecord, NothingOfItsShapeChangesWhileItRuns) {
  Fixture fixture;
  EXPECT_EQ(fixture.write(0x1A00, 0, 0), AbortCode::kValue);
  EXPECT_EQ(fixture.write(0x1A00, 1, 0x606C0020), AbortCode::kValue);
  EXPECT_EQ(fixture.write(0x1800, 1, 0x40000286), AbortCode::kValue);
  EXPECT_EQ(fixture.write(0x1800, 1, 0x40000185), AbortCode::kNone);  // the same again
  EXPECT_EQ(fixture.write(0x1800, 3, 10), AbortCode::kValue);
  EXPECT_EQ(fixture.write(0x1800, 6, 1), AbortCode::kValue);
  EXPECT_EQ(fixture.write(0x1800, 5, 10), AbortCode::kNone);  // the event timer may
  EXPECT_EQ(fixture.write(0x1800, 2, 255), AbortCode::kNone);
  EXPECT_TRUE(fixture.sent.runs());
}

TEST(PdoRecord, EntriesAreWrittenOnlyIntoAnEmptyMapping) {
  Fixture fixture;
  ASSERT_EQ(fixture.write(0x1800, 1, kPdoInvalid | 0x185), AbortCode::kNone);
  EXPECT_EQ(fixture.write(0x1A00, 1, 0x606C0020), AbortCode::kValue);
  ASSERT_EQ(fixture.write(0x1A00, 0, 0), AbortCode::kNone);
  EXPECT_EQ(fixture.write(0x1A00, 1, 0x606C0020), AbortCode::kNone);
}

TEST(PdoRecord, MapsOnlyWhatCanGoItsWay) {
  struct Case {
    const char* what;
    std::uint16_t index;
    std::uint32_t word;
    AbortCode verdict;
  };
  for (const Case& c : {
           Case{"sent: a statusword", 0x1A00, 0x60410010, AbortCode::kNone},
           Case{"sent: a target (rww)", 0x1A00, 0x607A0020, AbortCode::kNotMappable},
           Case{"sent: not mappable at all", 0x1A00, 0x60650020, AbortCode::kNotMappable},
           Case{"sent: wrong length", 0x1A00, 0x60410020, AbortCode::kNotMappable},
           Case{"sent: a dummy", 0x1A00, 0x00050008, AbortCode::kNotMappable},
           Case{"sent: no object", 0x1A00, 0x50000020, AbortCode::kNoObject},
           Case{"sent: no sub-index", 0x1A00, 0x20300910, AbortCode::kNoSubIndex},
           Case{"sent: emptied", 0x1A00, 0, AbortCode::kNone},
           Case{"received: a target", 0x1600, 0x607A0020, AbortCode::kNone},
           Case{"received: a statusword (ro)", 0x1600, 0x60410010, AbortCode::kNotMappable},
           Case{"received: a limit (rw)", 0x1600, 0x60E00010, AbortCode::kNone},
           Case{"received: a dummy", 0x1600, 0x00050008, AbortCode::kNone},
           Case{"received: a dummy of wrong length", 0x1600, 0x00050010, AbortCode::kNotMappable},
       }) {
    Fixture fixture;
    fixture.open(static_cast<std::uint16_t>(c.index - 0x200), c.index == 0x1600 ? 0x205 : 0x185);
    EXPECT_EQ(fixture.write(c.index, 1, c.word), c.verdict) << c.what;
  }
}

TEST(PdoRecord, MapsNoMoreThanEightBytes) {
  Fixture fixture;
  fixture.open(0x1800, 0x185);
  ASSERT_EQ(fixture.write(0x1A00, 1, 0x60640020), AbortCode::kNone);
  ASSERT_EQ(fixture.write(0x1A00, 2, 0x606C0020), AbortCode::kNone);
  ASSERT_EQ(fixture.write(0x1A00, 3, 0x60610008), AbortCode::kNone);
  EXPECT_EQ(fixture.write(0x1A00, 0, 3), AbortCode::kMappingTooLong);
  EXPECT_EQ(fixture.write(0x1A00, 0, 9), AbortCode::kMappingTooLong);
  EXPECT_EQ(fixture.write(0x1A00, 0, 2), AbortCode::kNone);
}

TEST(PdoRecord, ACountIsTakenOnlyOverEntriesThatMapSomething) {
  Fixture fixture;
  fixture.open(0x1800, 0x185);
  ASSERT_EQ(fixture.write(0x1A00, 2, 0), AbortCode::kNone);
  EXPECT_EQ(fixture.write(0x1A00, 0, 2), AbortCode::kNoObject);  // 0000h is nothing
}

TEST(PdoRecord, OfADescriptionThatMapsTooMuchOnlyWhatFitsIsUsed) {
  DeviceDescription device = joint_board();
  for (ObjectDescription& object : device.objects) {
    if (object.index != 0x1A00) continue;
    object.entries[1].initial = 0x60640020;
    object.entries[2].initial = 0x606C0020;
    object.entries[3].initial = 0x60790020;
  }
  ObjectDictionary objects(device, 5);
  const PdoRecord sent(objects, Direction::kSent, 0);
  EXPECT_EQ(sent.mapped().size(), 2U);
  EXPECT_EQ(sent.bytes(), 8U);
}

TEST(PdoRecord, KnowsWhichIdentifiersAreNotForPdos) {
  for (const std::uint32_t id : {0x000U, 0x001U, 0x07FU, 0x101U, 0x180U, 0x581U, 0x5FFU, 0x601U,
                                 0x67FU, 0x6E0U, 0x701U, 0x7FFU}) {
    Fixture fixture;
    fixture.open(0x1800, 0x185);
    EXPECT_EQ(fixture.write(0x1800, 1, id), AbortCode::kValue) << std::hex << id;
    EXPECT_EQ(fixture.write(0x1800, 1, kPdoInvalid | id), AbortCode::kNone) << std::hex << id;
  }
  Fixture fixture;
  fixture.open(0x1800, 0x185);
  EXPECT_EQ(fixture.write(0x1800, 1, 0x20000185), AbortCode::kValue);  // 29 bits
  EXPECT_EQ(fixture.write(0x1800, 1, 0x00001185), AbortCode::kValue);
  EXPECT_EQ(fixture.write(0x1800, 1, 0x181), AbortCode::kNone);
}

TEST(PdoRecord, ReservedTypesAreRefused) {
  Fixture fixture;
  for (unsigned type = 0; type <= 255; ++type) {
    const bool reserved = type >= 241 && type <= 253;
    EXPECT_EQ(fixture.write(0x1800, 2, type), reserved ? AbortCode::kValue : AbortCode::kNone)
        << type;
  }
  fixture.open(0x1800, 0x185);
  EXPECT_EQ(fixture.write(0x1800, 6, 240), AbortCode::kNone);
  EXPECT_EQ(fixture.write(0x1800, 6, 241), AbortCode::kValueTooHigh);
}

}  // namespace
}  // namespace jointrig::canopen
