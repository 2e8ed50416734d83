#include "hw/canopen/value_text.h"

#include <gtest/gtest.h>

namespace jointrig::canopen {
namespace {

using enum DataType;
using Bytes = std::vector<std::uint8_t>;

TEST(ValueText, IntegersAreReadInThreeBases) {
  EXPECT_EQ(parse_integer(" 31 "), 31);
  EXPECT_EQ(parse_integer("0x1F"), 31);
  EXPECT_EQ(parse_integer("037"), 31);
  EXPECT_EQ(parse_integer("-0x10"), -16);
  EXPECT_EQ(parse_integer("0"), 0);
  for (const char* bad : {"", "x", "0x", "12k", "1 2", "089", "--1"}) {
    EXPECT_THROW((void)parse_integer(bad), std::invalid_argument) << bad;
  }
}

TEST(ValueText, ValuesBecomeTheBytesOnTheBus) {
  EXPECT_EQ(parse_value(kUnsigned16, "0x1234"), (Bytes{0x34, 0x12}));
  EXPECT_EQ(parse_value(kInteger32, "-2"), (Bytes{0xFE, 0xFF, 0xFF, 0xFF}));
  EXPECT_EQ(parse_value(kReal32, "1.5"), (Bytes{0x00, 0x00, 0xC0, 0x3F}));
  EXPECT_EQ(parse_value(kVisibleString, "hi"), (Bytes{'h', 'i'}));
  EXPECT_EQ(parse_value(kOctetString, "00fF"), (Bytes{0x00, 0xFF}));
}

TEST(ValueText, AValueThatDoesNotFitIsRefused) {
  EXPECT_THROW((void)parse_value(kUnsigned8, "256"), std::invalid_argument);
  EXPECT_THROW((void)parse_value(kUnsigned8, "-1"), std::invalid_argument);
  EXPECT_THROW((void)parse_value(kInteger8, "128"), std::invalid_argument);
  EXPECT_THROW((void)parse_value(kBoolean, "2"), std::invalid_argument);
  EXPECT_THROW((void)parse_value(kOctetString, "0"), std::invalid_argument);
  EXPECT_THROW((void)parse_value(kReal32, "1,5"), std::invalid_argument);
}

TEST(ValueText, BytesAreToldAsTheirTypeMeansThem) {
  EXPECT_EQ(format_value(kInteger8, Bytes{0xFF}), "-1");
  EXPECT_EQ(format_value(kUnsigned8, Bytes{0xFF}), "255");
  EXPECT_EQ(format_value(kUnsigned64, Bytes(8, 0xFF)), "18446744073709551615");
  EXPECT_EQ(format_value(kReal64, parse_value(kReal64, "0.1")), "0.1");
  EXPECT_EQ(format_value(kVisibleString, Bytes{'a', 'b'}), "ab");
  EXPECT_EQ(format_value(kDomain, Bytes{0x0A, 0xF0}), "0AF0");
}

}  // namespace
}  // namespace jointrig::canopen
