#include "harness/log/mcap/channel_list.h"

#include "tests/harness/log/mcap/log_fixture.h"

namespace jointrig::harness {
namespace {

class ChannelListTest : public LogTest {};

TEST_F(ChannelListTest, NamesEachTypeOnceWithItsTopicsMessagesFieldsAndUnits) {
  write_small_log(path("log.mcap"), Compression::kZstd);
  const std::string list = channel_list(path("log.mcap"));
  EXPECT_TRUE(
      list.starts_with(path("log.mcap") + ": 3 channels, 27 messages from 0.000 s to 0.012 s\n"))
      << list;
  EXPECT_NE(list.find("\njointrig_msgs/msg/Number\n"
                      "  /a (12) /b (12)\n"
                      "  fields:\n"
                      "  value [rad]\n"),
            std::string::npos)
      << list;
  EXPECT_NE(list.find("  /events (3)\n  fields:\n  stamp [s] level"), std::string::npos) << list;
}

TEST_F(ChannelListTest, TellsThatALogIsCutOff) {
  write_small_log(path("log.mcap"), Compression::kNone);
  const std::string bytes = contents_of(path("log.mcap"));
  write_file(path("cut.mcap"), bytes.substr(0, bytes.find("chunk ends") + 200));
  EXPECT_NE(channel_list(path("cut.mcap")).find("its end is cut off"), std::string::npos);
}

TEST_F(ChannelListTest, RefusesAFileThatIsNoLog) {
  write_file(path("log.mcap"), "no log");
  EXPECT_THROW(channel_list(path("log.mcap")), LogFileError);
}

}  // namespace
}  // namespace jointrig::harness
