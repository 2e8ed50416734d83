#include <gtest/gtest.h>

#include "hw/canopen/eds_reader.h"
#include "hw/canopen/eds_writer.h"
#include "hw/canopen/joint_board_objects.h"

namespace jointrig::canopen {
namespace {

/// Content that an EDS cannot express.
DeviceDescription without_what_an_eds_leaves_out(DeviceDescription device) {
  for (ObjectDescription& object : device.objects) {
    for (EntryDescription& entry : object.entries) {
      entry.is_event = false;
      entry.capacity = 0;
    }
  }
  return device;
}

TEST(Eds, WhatIsWrittenIsReadBackTheSame) {
  const DeviceDescription board = joint_board();
  const EdsFile read = read_eds(write_eds(board, "joint.eds"), "joint.eds");
  EXPECT_TRUE(read.notes.empty());
  const DeviceDescription expected = without_what_an_eds_leaves_out(board);
  ASSERT_EQ(read.device.objects.size(), expected.objects.size());
  for (std::size_t i = 0; i < expected.objects.size(); ++i) {
    EXPECT_EQ(read.device.objects[i], expected.objects[i]) << expected.objects[i].name;
  }
  EXPECT_EQ(read.device, expected);
}

TEST(Eds, NamesTheNodeInDefaultsThatDependOnIt) {
  const std::string text = write_eds(joint_board(), "joint.eds");
  EXPECT_NE(text.find("[1400sub1]\nParameterName=COB-ID\nObjectType=0x7\nDataType=0x0007\n"
                      "AccessType=rw\nDefaultValue=$NODEID+0x200\n"),
            std::string::npos);
}

constexpr char kForeign[] =
    "; a comment\r\n"
    "[DeviceInfo]\r\n"
    "VendorName=Somebody\r\n"
    "VendorNumber=0x1F\r\n"
    "[MandatoryObjects]\r\n"
    "SupportedObjects=1\r\n"
    "1=0x1000\r\n"
    "[OptionalObjects]\r\n"
    "SupportedObjects=3\r\n"
    "1=0x607d\r\n"
    "2=0x6099\r\n"
    "3=0x1014\r\n"
    "[1000]\r\n"
    "ParameterName=Device Type\r\n"
    "DataType=0x7\r\n"
    "AccessType=RO\r\n"
    "DefaultValue=\r\n"
    "[1014]\r\n"
    "ParameterName=EMCY\r\n"
    "DataType=7\r\n"
    "AccessType=ro\r\n"
    "DefaultValue=0x80+$NodeId\r\n"
    "[607D]\r\n"
    "ParameterName=Limits\r\n"
    "ObjectType=0x8\r\n"
    "SubNumber=2\r\n"
    "[607DSub0]\r\n"
    "ParameterName=n\r\nDataType=5\r\nAccessType=const\r\nDefaultValue=1\r\n"
    "[607DSub1]\r\n"
    "ParameterName=Lowest\r\nDataType=4\r\nAccessType=rw\r\nDefaultValue=-5\r\n"
    "LowLimit=0x80000000\r\nHighLimit=0x7FFFFFFF\r\n"
    "[6099]\r\n"
    "ParameterName=Speeds\r\nObjectType=8\r\nCompactSubObj=2\r\nDataType=7\r\n"
    "AccessType=rw\r\nDefaultValue=0x10\r\n";

TEST(Eds, ReadsFilesAsOthersWriteThem) {
  const EdsFile file = read_eds(kForeign, "drive.eds");
  const DeviceDescription& device = file.device;
  EXPECT_EQ(device.vendor, 0x1FU);
  ASSERT_EQ(device.objects.size(), 4U);
  EXPECT_EQ(device.objects[1].index, 0x1014);
  EXPECT_EQ(device.objects[1].entries[0].initial, 0x80);
  EXPECT_TRUE(device.objects[1].entries[0].plus_node_id);
  const EntryDescription& lowest = device.objects[2].entries[1];
  EXPECT_EQ(lowest.limits, (Limits{-2147483648LL, 2147483647LL}));
  EXPECT_EQ(lowest.initial, -5);
  ASSERT_EQ(device.objects[3].entries.size(), 3U);  // compact: :0, :1, :2
  EXPECT_EQ(device.objects[3].entries[2].initial, 0x10);
}

std::string message_for(std::string text, const std::string& good, const std::string& bad) {
  text.replace(text.find(good), good.size(), bad);
  try {
    (void)read_eds(text, "drive.eds");
  } catch (const EdsError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Eds, SaysWhereAFileIsWrong) {
  EXPECT_EQ(message_for(kForeign, "AccessType=RO", "AccessType=read"),
            "drive.eds:16: AccessType 'read' is none of ro, wo, rw, rwr, rww, const");
  EXPECT_EQ(message_for(kForeign, "1=0x607d", "1=0x607e"),
            "drive.eds:10: object 607eh is listed, but there is no [607e]");
  EXPECT_EQ(message_for(kForeign, "VendorNumber=0x1F", "VendorNumber=one"),
            "drive.eds:4: vendornumber: 'one' is not an integer");
  EXPECT_EQ(message_for(kForeign, "[1000]", "[1000"),
            "drive.eds:13: a section's name ends with ']'");
  EXPECT_EQ(message_for(kForeign, "DataType=0x7", "Data Type"),
            "drive.eds:15: expected 'key=value' inside a [section]");
  EXPECT_EQ(message_for(kForeign, "DataType=0x7\r\n", ""),
            "drive.eds:13: the section has no 'datatype'");
}

TEST(Eds, LeavesOutTypesItDoesNotKnowAndSaysSo) {
  std::string text = kForeign;
  text.replace(text.find("DataType=0x7"), 12, "DataType=0xC");
  const EdsFile file = read_eds(text, "drive.eds");
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_EQ(file.notes[0], "drive.eds:15: [1000] left out: data type 12 is not read");
  EXPECT_EQ(file.device.objects.size(), 3U);
}

TEST(Eds, LeavesOutADefaultThatIsNoneAndSaysSo) {
  std::string text = kForeign;
  text.replace(text.find("DefaultValue=0x10"), 17, "DefaultValue=0.0");
  const EdsFile file = read_eds(text, "drive.eds");
  ASSERT_EQ(file.notes.size(), 2U);  // the compact object's two
  EXPECT_EQ(file.notes[0].substr(file.notes[0].find(": ")),
            ": DefaultValue left out: '0.0' is not an integer");
  EXPECT_EQ(file.device.objects[3].entries[2].initial, 0);
}

TEST(Eds, FindsWhatAPersonMeans) {
  const DeviceDescription board = joint_board();
  EXPECT_EQ(find_entry(board, "6064"), (EntryAddress{0x6064, 0}));
  EXPECT_EQ(find_entry(board, "0x1018:4"), (EntryAddress{0x1018, 4}));
  EXPECT_EQ(find_entry(board, "position ACTUAL value"), (EntryAddress{0x6064, 0}));
  EXPECT_EQ(find_entry(board, "identity object/serial number"), (EntryAddress{0x1018, 4}));
  EXPECT_EQ(find_entry(board, "identity object"), std::nullopt);
  EXPECT_EQ(find_entry(board, "1018:4x"), std::nullopt);
  EXPECT_EQ(find_entry(board, "no such thing"), std::nullopt);
}

}  // namespace
}  // namespace jointrig::canopen
