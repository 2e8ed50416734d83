#include "app/bus/object_request.h"

#include <gtest/gtest.h>

#include "hw/canopen/joint_board_objects.h"

namespace jointrig::app {
namespace {

using Bytes = std::vector<std::uint8_t>;

ObjectWords board() {
  ObjectWords words;
  words.device = canopen::joint_board();
  return words;
}

std::string refusal(const ObjectWords& words, const std::string& text) {
  try {
    static_cast<void>(parse_request(words, text));
    return "taken";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(ObjectRequest, ReadsByIndexAndByName) {
  const ObjectWords words = board();
  EXPECT_EQ(parse_request(words, "6064").object, (canopen::EntryAddress{0x6064, 0}));
  EXPECT_EQ(parse_request(words, "1018:4").object, (canopen::EntryAddress{0x1018, 4}));
  EXPECT_EQ(parse_request(words, "Position actual value").object,
            (canopen::EntryAddress{0x6064, 0}));
  EXPECT_EQ(parse_request(words, "identity object/serial number").object,
            (canopen::EntryAddress{0x1018, 4}));
  EXPECT_FALSE(parse_request(words, "6064").value);
}

TEST(ObjectRequest, ValuesHaveTheTypeOfTheirObject) {
  const ObjectWords words = board();
  EXPECT_EQ(parse_request(words, "605A=6").value, (Bytes{6, 0}));
  EXPECT_EQ(parse_request(words, "target position=-100").value, (Bytes{0x9C, 0xFF, 0xFF, 0xFF}));
  EXPECT_EQ(parse_request(words, "6040 = 0x0F").value, (Bytes{0x0F, 0}));
  EXPECT_EQ(refusal(words, "6060=200"), "6060h:0 modes of operation: '200' does not fit INTEGER8");
  EXPECT_EQ(refusal(words, "6060=fast"), "6060h:0 modes of operation: 'fast' is not an integer");
}

TEST(ObjectRequest, AMisspeltNameIsMetWithTheNearestOne) {
  EXPECT_EQ(refusal(board(), "postion actual valu"),
            "there is no object \"postion actual valu\" in the EDS; did you mean \"Position actual "
            "value\"?");
  EXPECT_NE(refusal(board(), "xyzzy").find("an index in hex does as well"), std::string::npos);
}

TEST(ObjectRequest, AnObjectOfSeveralValuesAsksWhichOne) {
  EXPECT_EQ(refusal(board(), "Gear ratio"),
            "\"Gear ratio\" has several values: say Gear ratio/ and one of Highest sub-index "
            "supported, Motor revolutions, Shaft revolutions");
}

TEST(ObjectRequest, WhatTheDrivesOwnEdsForbidsIsNotSent) {
  ObjectWords words = board();
  words.is_the_drives = true;
  EXPECT_EQ(refusal(words, "605A=9"),
            "605Ah:0 quick stop option code: 9 is outside 0 to 8, says the EDS");
  EXPECT_EQ(refusal(words, "6041=0"),
            "6041h:0 statusword can't be written, says the EDS: it is ro");
  EXPECT_EQ(parse_request(board(), "605A=9").value, (Bytes{9, 0})) << "by a data sheet of others";
}

TEST(ObjectRequest, AnObjectThatNoEdsHasNeedsItsType) {
  ObjectWords words = board();
  EXPECT_EQ(parse_request(words, "3FF0:2").entry, nullptr);
  EXPECT_EQ(refusal(words, "3FF0:2=5"),
            "the EDS has no 3FF0h:2: say what it is with --type, such as u16");
  words.type = parse_type("i16");
  EXPECT_EQ(parse_request(words, "3FF0:2=-5").value, (Bytes{0xFB, 0xFF}));
}

TEST(ObjectRequest, TypesHaveShortNamesAndThoseOfTheStandard) {
  EXPECT_EQ(parse_type("u16"), canopen::DataType::kUnsigned16);
  EXPECT_EQ(parse_type("unsigned16"), canopen::DataType::kUnsigned16);
  EXPECT_THROW(static_cast<void>(parse_type("word")), std::invalid_argument);
}

TEST(ObjectRequest, AllAreThoseThatCanBeRead) {
  canopen::DeviceDescription device;
  device.objects.push_back(canopen::variable(
      0x2000,
      canopen::entry("secret", canopen::DataType::kUnsigned8, canopen::Access::kWriteOnly)));
  device.objects.push_back(canopen::array(
      0x2001, "pair",
      {canopen::entry("first", canopen::DataType::kUnsigned8, canopen::Access::kReadOnly)}));
  const auto all = all_requests(device);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].object, (canopen::EntryAddress{0x2001, 0}));
  EXPECT_EQ(all[1].object, (canopen::EntryAddress{0x2001, 1}));
}

}  // namespace
}  // namespace jointrig::app
