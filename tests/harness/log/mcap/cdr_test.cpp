#include "harness/log/mcap/cdr.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace jointrig::harness {
namespace {

std::vector<int> bytes_of(const CdrWriter& writer) {
  std::vector<int> bytes;
  for (const std::byte b : writer.bytes()) bytes.push_back(std::to_integer<int>(b));
  return bytes;
}

TEST(Cdr, BeginsWithTheLittleEndianHeader) {
  std::array<std::byte, 16> buffer{};
  const CdrWriter writer(buffer);
  EXPECT_EQ(bytes_of(writer), (std::vector<int>{0, 1, 0, 0}));
}

TEST(Cdr, AlignsEachNumberToItsOwnSizeCountedFromBehindTheHeader) {
  std::array<std::byte, 64> buffer{};
  buffer.fill(std::byte{0xEE});  // paddings have to be written, not left
  CdrWriter writer(buffer);
  writer.put(true);
  writer.put(std::uint16_t{0x1234});
  writer.put(std::int8_t{-1});
  writer.put(std::uint32_t{0xA1B2C3D4});
  writer.put(1.0);  // 0x3FF0000000000000
  writer.put(std::int8_t{7});
  writer.put(-2.0F);  // 0xC0000000
  ASSERT_TRUE(writer.fits());
  EXPECT_EQ(bytes_of(writer), (std::vector<int>{
                                  0,    1,    0,    0,                       // header
                                  1,    0,                                   // bool, padding
                                  0x34, 0x12,                                // uint16 at 2
                                  0xFF, 0,    0,    0,                       // int8 at 4, padding
                                  0xD4, 0xC3, 0xB2, 0xA1,                    // uint32 at 8
                                  0,    0,    0,    0,                       // padding
                                  0,    0,    0,    0,    0, 0, 0xF0, 0x3F,  // float64 at 16
                                  7,    0,    0,    0,                       // int8 at 24, padding
                                  0,    0,    0,    0xC0,                    // float32 at 28
                              }));
}

TEST(Cdr, WritesStringsWithTheirLengthAndNul) {
  std::array<std::byte, 64> buffer{};
  CdrWriter writer(buffer);
  writer.put(std::string_view("abc"));
  writer.put(std::string_view(""));
  writer.put(std::uint16_t{5});
  EXPECT_EQ(bytes_of(writer), (std::vector<int>{
                                  0, 1, 0, 0,                    // header
                                  4, 0, 0, 0, 'a', 'b', 'c', 0,  // length counts the NUL
                                  1, 0, 0, 0, 0,                 // empty: the NUL alone
                                  0, 5, 0,                       // padding, uint16 at 14
                              }));
}

TEST(Cdr, WritesSequencesWithTheirLengthAndArraysWithout) {
  std::array<std::byte, 80> buffer{};
  CdrWriter writer(buffer);
  const std::array<double, 1> one = {1.0};
  const std::array<std::uint16_t, 2> pair = {1, 2};
  const std::vector<std::string> names = {"a", "bc"};
  writer.put_sequence(std::span<const double>(one));
  writer.put_array(std::span<const std::uint16_t>(pair));
  writer.put_sequence(std::span<const double>());
  writer.put_strings(names);
  EXPECT_EQ(bytes_of(writer), (std::vector<int>{
                                  0, 1, 0, 0,                        // header
                                  1, 0, 0, 0, 0,   0,   0,    0,     // length, padding to 8
                                  0, 0, 0, 0, 0,   0,   0xF0, 0x3F,  // 1.0
                                  1, 0, 2, 0,                        // array, no length
                                  0, 0, 0, 0,                        // empty: no padding
                                  2, 0, 0, 0,                        // two strings
                                  2, 0, 0, 0, 'a', 0,   0,    0,     // padded to 4
                                  3, 0, 0, 0, 'b', 'c', 0,
                              }));
}

TEST(Cdr, WritesNothingPastTheEnd) {
  std::array<std::byte, 12> buffer{};
  buffer.fill(std::byte{0xEE});
  CdrWriter writer(std::span<std::byte>(buffer.data(), 11));
  writer.put(std::uint32_t{1});
  writer.put(std::uint32_t{2});  // needs bytes 8 to 11, one too many
  writer.put(std::uint8_t{3});   // would fit, but comes after what did not
  EXPECT_FALSE(writer.fits());
  EXPECT_EQ(writer.size(), 8U);
  EXPECT_EQ(buffer[8], std::byte{0xEE});
  EXPECT_EQ(buffer[11], std::byte{0xEE});
}

TEST(Cdr, ReadsBackWhatWasWrittenAndNoMore) {
  std::array<std::byte, 64> buffer{};
  CdrWriter writer(buffer);
  const double tiny = std::numeric_limits<double>::denorm_min();
  writer.put(true);
  writer.put(tiny);
  writer.put(std::string_view("q"));
  writer.put(std::int64_t{-3});

  CdrReader reader(writer.bytes());
  EXPECT_EQ(reader.get<bool>(), true);
  EXPECT_EQ(reader.get<double>(), tiny);
  EXPECT_EQ(reader.get_string(), "q");
  EXPECT_EQ(reader.get<std::int64_t>(), -3);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.left(), 0U);
  EXPECT_EQ(reader.get<std::uint8_t>(), 0);
  EXPECT_FALSE(reader.ok());
}

TEST(Cdr, RefusesToReadBigEndianAndLengthsBeyondTheEnd) {
  const std::array<std::byte, 8> big = {std::byte{0}, std::byte{0}};
  EXPECT_FALSE(CdrReader(big).ok());

  std::array<std::byte, 16> buffer{};
  CdrWriter writer(buffer);
  writer.put(std::uint32_t{0xFFFFFFFF});  // as a string's length
  CdrReader reader(writer.bytes());
  EXPECT_EQ(reader.get_string(), "");
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace jointrig::harness
