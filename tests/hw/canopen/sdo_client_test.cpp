#include "hw/canopen/sdo_client.h"

#include <gtest/gtest.h>

#include "hw/canopen/sdo_server.h"
#include "tests/hw/canopen/frame_text.h"

namespace jointrig::canopen {
namespace {

using Bytes = std::vector<std::uint8_t>;
using State = SdoClient::State;

/// A client of node 5 with its sent frames.
struct Client {
  SdoClient sdo{5};
  FrameQueue out;
  std::int64_t now = 0;

  Texts read(std::uint16_t index, std::uint8_t sub) {
    EXPECT_TRUE(sdo.upload(index, sub, now, out));
    return taken_from(out);
  }
  Texts write(std::uint16_t index, std::uint8_t sub, const Bytes& value) {
    EXPECT_TRUE(sdo.download(index, sub, value, now, out));
    return taken_from(out);
  }
  Texts hear(const std::string& answer) {
    EXPECT_TRUE(sdo.receive(from_text("585#" + answer), now, out));
    return taken_from(out);
  }
  Texts wait(std::int64_t ns) {
    now += ns;
    sdo.poll(now, out);
    return taken_from(out);
  }
  Bytes value() const { return {sdo.value().begin(), sdo.value().end()}; }
};

TEST(SdoClient, ReadsUpToFourBytesInOneExchange) {
  Client client;
  EXPECT_EQ(client.read(0x6041, 0), Texts{"605#4041600000000000"});
  EXPECT_EQ(client.sdo.state(), State::kBusy);
  EXPECT_EQ(client.hear("4B41600037120000"), Texts{});
  EXPECT_EQ(client.sdo.state(), State::kDone);
  EXPECT_EQ(client.value(), (Bytes{0x37, 0x12}));
}

TEST(SdoClient, WritesUpToFourBytesInOneExchange) {
  const char* const requests[] = {"605#2F60600001000000", "605#2B60600001020000",
                                  "605#2760600001020300", "605#2360600001020304"};
  Bytes value;
  for (const char* const request : requests) {
    value.push_back(static_cast<std::uint8_t>(value.size() + 1));
    Client client;
    EXPECT_EQ(client.write(0x6060, 0, value), Texts{request});
    client.hear("6060600000000000");
    EXPECT_EQ(client.sdo.state(), State::kDone);
  }
}

TEST(SdoClient, ReadsInSegments) {
  Client client;
  client.read(0x1008, 0);
  EXPECT_EQ(client.hear("4108100009000000"), Texts{"605#6000000000000000"});
  EXPECT_EQ(client.hear("0061626364656667"), Texts{"605#7000000000000000"});
  EXPECT_EQ(client.hear("1B68690000000000"), Texts{});
  EXPECT_EQ(client.value(), (Bytes{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'}));
}

TEST(SdoClient, WritesInSegments) {
  Client client;
  EXPECT_EQ(client.write(0x2000, 4, {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'}),
            Texts{"605#2100200409000000"});
  EXPECT_EQ(client.hear("6000200400000000"), Texts{"605#0061626364656667"});
  EXPECT_EQ(client.hear("2000000000000000"), Texts{"605#1B68690000000000"});
  EXPECT_EQ(client.hear("3000000000000000"), Texts{});
  EXPECT_EQ(client.sdo.state(), State::kDone);
}

TEST(SdoClient, AnEmptyValueIsWrittenAsOneEmptySegment) {
  Client client;
  EXPECT_EQ(client.write(0x2000, 4, {}), Texts{"605#2100200400000000"});
  EXPECT_EQ(client.hear("6000200400000000"), Texts{"605#0F00000000000000"});
  client.hear("2000000000000000");
  EXPECT_EQ(client.sdo.state(), State::kDone);
}

TEST(SdoClient, WhatTheNodeRefusesIsFinalAndToldInWords) {
  Client client;
  client.write(0x6041, 0, {0, 0});
  EXPECT_EQ(client.hear("8041600002000106"), Texts{});
  EXPECT_EQ(client.sdo.state(), State::kFailed);
  EXPECT_EQ(client.sdo.failure(), AbortCode::kReadOnly);
  EXPECT_EQ(client.sdo.failure_text(),
            "node 5, 6041h:0: the object is read-only (0601 0002h, from the node)");
  EXPECT_EQ(client.wait(1'000'000'000), Texts{});
}

TEST(SdoClient, ASilentNodeIsAskedThreeTimes) {
  Client client;
  client.read(0x6041, 0);
  EXPECT_EQ(client.wait(99'999'999), Texts{});
  const Texts again{"605#8041600000000405", "605#4041600000000000"};
  EXPECT_EQ(client.wait(1), again);
  EXPECT_EQ(client.wait(100'000'000), again);
  EXPECT_EQ(client.wait(100'000'000), Texts{"605#8041600000000405"});
  EXPECT_EQ(client.sdo.state(), State::kFailed);
  EXPECT_FALSE(client.sdo.refused_by_node());
  EXPECT_EQ(client.sdo.failure_text(),
            "node 5, 6041h:0: no answer in time (0504 0000h, after 3 tries)");
}

TEST(SdoClient, ALostSegmentStartsTheTransferAnew) {
  Client client;
  client.read(0x1008, 0);
  client.hear("4108100009000000");
  client.hear("0061626364656667");
  EXPECT_EQ(client.wait(100'000'000), (Texts{"605#8008100000000405", "605#4008100000000000"}));
  client.hear("4108100009000000");
  client.hear("0061626364656667");
  client.hear("1B68690000000000");
  EXPECT_EQ(client.sdo.state(), State::kDone);
  EXPECT_EQ(client.value().size(), 9U);
  EXPECT_EQ(client.sdo.tries_made(), 2);
}

TEST(SdoClient, ASlowNodeIsGivenTimeForEveryAnswer) {
  Client client;
  client.read(0x1008, 0);
  EXPECT_EQ(client.wait(60'000'000), Texts{});
  client.hear("4108100009000000");
  EXPECT_EQ(client.wait(60'000'000), Texts{});
  client.hear("0061626364656667");
  EXPECT_EQ(client.wait(60'000'000), Texts{});
  client.hear("1B68690000000000");
  EXPECT_EQ(client.sdo.state(), State::kDone);
  EXPECT_EQ(client.sdo.tries_made(), 1);
}

TEST(SdoClient, AToggleBitOutOfStepIsGivenUpAndTriedAgain) {
  Client client;
  client.read(0x1008, 0);
  client.hear("4108100009000000");
  EXPECT_EQ(client.hear("1061626364656667"),
            (Texts{"605#8008100000000305", "605#4008100000000000"}));
  Client writer;
  writer.write(0x2000, 4, Bytes(9, 1));
  writer.hear("6000200400000000");
  EXPECT_EQ(writer.hear("3000000000000000"),
            (Texts{"605#8000200400000305", "605#2100200409000000"}));
}

TEST(SdoClient, AnAnswerThatDoesNotFitTheStepIsALateOne) {
  Client reader;
  reader.read(0x1008, 0);
  EXPECT_EQ(reader.hear("6008100000000000"), Texts{});  // of a write before
  EXPECT_EQ(reader.hear("0061626364656667"), Texts{});  // a segment of a read before
  EXPECT_EQ(reader.hear("4108100009000000"), Texts{"605#6000000000000000"});
  EXPECT_EQ(reader.hear("4108100009000000"), Texts{});  // the start's answer again
  EXPECT_EQ(reader.hear("2000000000000000"), Texts{});
  reader.hear("0061626364656667");
  reader.hear("1B68690000000000");
  EXPECT_EQ(reader.value(), (Bytes{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'}));
  EXPECT_EQ(reader.sdo.tries_made(), 1);
  EXPECT_EQ(reader.sdo.unexpected(), 4U);

  Client writer;
  writer.write(0x2000, 4, Bytes(9, 1));
  EXPECT_EQ(writer.hear("4100200409000000"), Texts{});
  EXPECT_EQ(writer.hear("2000000000000000"), Texts{});
  writer.hear("6000200400000000");
  EXPECT_EQ(writer.hear("6000200400000000"), Texts{});
  EXPECT_EQ(writer.hear("0000000000000000"), Texts{});
  writer.hear("2000000000000000");
  writer.hear("3000000000000000");
  EXPECT_EQ(writer.sdo.state(), State::kDone);
  EXPECT_EQ(writer.sdo.unexpected(), 4U);
}

TEST(SdoClient, ANodeThatAnswersAfterTheTimeOutIsReadAllTheSame) {
  Client client;  // each answer comes one try late
  client.read(0x1008, 0);
  client.wait(100'000'000);
  EXPECT_EQ(client.hear("4108100009000000"), Texts{"605#6000000000000000"});  // of the first try
  EXPECT_EQ(client.hear("4108100009000000"), Texts{});                        // of the second
  client.hear("0061626364656667");
  client.hear("1B68690000000000");
  EXPECT_EQ(client.sdo.state(), State::kDone);
  EXPECT_EQ(client.value().size(), 9U);
}

TEST(SdoClient, NonsenseDoesNotKeepATransferAlive) {
  Client client;
  client.read(0x1008, 0);
  for (int i = 0; i < 99; ++i) {
    EXPECT_EQ(client.wait(1'000'000), Texts{});
    client.hear("0061626364656667");
  }
  EXPECT_EQ(client.wait(1'000'000).size(), 2U) << "given up after 100 ms, and asked again";
}

TEST(SdoClient, FewerBytesThanAnnouncedAreNotBelieved) {
  Client client;
  client.read(0x1008, 0);
  client.hear("4108100009000000");
  EXPECT_EQ(client.hear("0161626364656667"),
            (Texts{"605#8008100010000706", "605#4008100000000000"}));
}

TEST(SdoClient, AValueLongerThanItsRoomIsRefused) {
  Client announced;
  announced.read(0x1008, 0);
  EXPECT_EQ(announced.hear("4108100001040000"), Texts{"605#8008100005000405"});  // 1025 bytes
  EXPECT_EQ(announced.sdo.failure(), AbortCode::kOutOfMemory);

  Client endless;
  endless.read(0x1008, 0);
  endless.hear("4008100000000000");  // no size said
  for (int i = 0; endless.sdo.state() == State::kBusy && i < 1000; ++i) {
    endless.hear(i % 2 == 0 ? "0061626364656667" : "1061626364656667");
  }
  EXPECT_EQ(endless.sdo.failure(), AbortCode::kOutOfMemory);
  FrameQueue out;
  EXPECT_FALSE(endless.sdo.download(0x2000, 4, Bytes(1025), 0, out));
}

TEST(SdoClient, AnswersThatNothingAskedForAreCountedNotUsed) {
  Client client;
  client.hear("4B41600037120000");
  client.read(0x6064, 0);
  EXPECT_EQ(client.hear("4B41600037120000"), Texts{});  // about another object: a late one
  EXPECT_EQ(client.hear("8041600000000405"), Texts{});
  EXPECT_EQ(client.hear("43646000"), Texts{});  // cut short
  EXPECT_EQ(client.sdo.state(), State::kBusy);
  client.hear("4364600001000000");
  EXPECT_EQ(client.sdo.state(), State::kDone);
  client.hear("4364600002000000");  // a second node that answers too
  EXPECT_EQ(client.value(), (Bytes{1, 0, 0, 0}));
  EXPECT_EQ(client.sdo.unexpected(), 5U);
}

TEST(SdoClient, AnAbortThatNamesNoObjectIsTheTransfersUnderWay) {
  Client client;
  client.read(0x1008, 0);
  client.hear("4108100009000000");
  client.hear("8000000001000405");
  EXPECT_EQ(client.sdo.state(), State::kFailed);
  EXPECT_EQ(client.sdo.failure(), AbortCode::kCommand);
}

TEST(SdoClient, DoesOneThingAtATimeAndCanBeCalledOff) {
  Client client;
  client.read(0x6041, 0);
  EXPECT_FALSE(client.sdo.upload(0x6064, 0, 0, client.out));
  EXPECT_FALSE(client.sdo.download(0x6064, 0, Bytes{1}, 0, client.out));
  client.sdo.cancel(client.out);
  EXPECT_EQ(taken_from(client.out), Texts{"605#8041600000000008"});
  EXPECT_EQ(client.sdo.state(), State::kFailed);
  EXPECT_FALSE(client.sdo.receive(from_text("586#4B41600037120000"), 0, client.out));
}

}  // namespace
}  // namespace jointrig::canopen
