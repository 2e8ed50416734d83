#include "harness/report/html_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jointrig::harness::report {
namespace {

TEST(HtmlText, NothingOfANameIsMarkup) {
  EXPECT_EQ(escaped("<b a=\"1\" b='2'>&amp;"), "&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;");
}

TEST(HtmlText, LettersOfAllLanguagesStayAsTheyAre) {
  EXPECT_EQ(escaped("Ellbogen ü 肘 🦾"), "Ellbogen ü 肘 🦾");
}

TEST(HtmlText, BytesThatAreNoUtf8AndControlCharactersAreReplaced) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(escaped("a\xFFz"), "a" + mark + "z");
  EXPECT_EQ(escaped("a\xC3"), "a" + mark);  // cut off
  EXPECT_EQ(escaped(std::string("\0", 1)), mark);
  EXPECT_EQ(escaped("\x1B[31m"), mark + "[31m");
  EXPECT_EQ(escaped("two\nlines\tof"), "two\nlines\tof");
}

TEST(HtmlText, ALinkStaysBesideTheReport) {
  EXPECT_EQ(relative_link("logs/elbow[payload=1].mcap"), "./logs/elbow%5Bpayload%3D1%5D.mcap");
  EXPECT_EQ(relative_link("javascript:alert(1)"), "./javascript%3Aalert%281%29");
  EXPECT_EQ(relative_link("//host/x"), "./host/x");
}

TEST(HtmlText, NumbersHaveSixDigitsAndTimesMilliseconds) {
  EXPECT_EQ(number_text(3.14159265), "3.14159");
  EXPECT_EQ(number_text(1234567.0), "1.23457e+06");
  EXPECT_EQ(number_text(std::nullopt), "–");
  EXPECT_EQ(page_seconds(3.2075), "3.208 s");  // 3.2075 as a double lies above its half
  EXPECT_EQ(page_seconds(std::nan("")), "–");
}

TEST(HtmlText, JsonCannotEndItsScriptElement) {
  EXPECT_EQ(script_safe(R"(["</script>","<!--"])"), R"(["\u003c/script>","\u003c!--"])");
}

}  // namespace
}  // namespace jointrig::harness::report
