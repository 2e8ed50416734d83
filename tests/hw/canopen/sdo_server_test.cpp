#include "hw/canopen/sdo_server.h"

#include <gtest/gtest.h>

#include "tests/hw/canopen/frame_text.h"

namespace jointrig::canopen {
namespace {

using enum DataType;

DeviceDescription a_device() {
  DeviceDescription device;
  device.objects.push_back(
      variable(0x1000, entry("Device type", kUnsigned32, Access::kReadOnly, 0x00020192)));
  device.objects.push_back(
      variable(0x1008, text_entry("Name", Access::kConstant, "virtual joint board")));
  device.objects.push_back(
      record(0x2000, "Things",
             {entry("Word", kUnsigned16, Access::kReadWrite, 0x1234),
              entry("Byte", kUnsigned8, Access::kReadWrite, 2).within(2, 8),
              entry("Secret", kUnsigned8, Access::kWriteOnly),
              text_entry("Text", Access::kReadWrite, "", 12),
              entry("Long", kUnsigned64, Access::kReadWrite, 0x1122334455667788)}));
  return device;
}

/// A server of node 5, asked in hex.
struct Server {
  ObjectDictionary objects{a_device(), 5};
  SdoServer sdo{objects, 0x605, 0x585};
  FrameQueue out;
  std::int64_t now = 0;

  std::string ask(const std::string& request) {
    sdo.receive(from_text("605#" + request), now, out);
    const Texts answers = taken_from(out);
    return answers.size() == 1 ? answers[0] : std::to_string(answers.size()) + " answers";
  }
};

TEST(SdoServer, ReadsUpToFourBytesInOneAnswer) {
  Server server;
  EXPECT_EQ(server.ask("4000100000000000"), "585#4300100092010200");
  EXPECT_EQ(server.ask("4000200100000000"), "585#4B00200134120000");
  EXPECT_EQ(server.ask("4000200200000000"), "585#4F00200202000000");
}

TEST(SdoServer, WritesUpToFourBytesInOneRequest) {
  Server server;
  EXPECT_EQ(server.ask("2B002001CDAB0000"), "585#6000200100000000");
  EXPECT_EQ(server.objects.find(0x2000, 1)->bits(), 0xABCDU);
  EXPECT_EQ(server.ask("2F00200207000000"), "585#6000200200000000");
  EXPECT_EQ(server.objects.find(0x2000, 2)->bits(), 7U);
  // 22h: the client does not say how many bytes count, so the object does.
  EXPECT_EQ(server.ask("2200200178560000"), "585#6000200100000000");
  EXPECT_EQ(server.objects.find(0x2000, 1)->bits(), 0x5678U);
}

TEST(SdoServer, ReadsLongerValuesInSegments) {
  Server server;
  EXPECT_EQ(server.ask("4008100000000000"), "585#4108100013000000");  // 19 bytes
  EXPECT_EQ(server.ask("6000000000000000"), "585#007669727475616C");  // "virtual"
  EXPECT_EQ(server.ask("7000000000000000"), "585#10206A6F696E7420");  // " joint "
  EXPECT_EQ(server.ask("6000000000000000"), "585#05626F6172640000");  // "board", 2 unused, last
  EXPECT_EQ(server.ask("7000000000000000"), "585#8008100001000405");  // there is no transfer now
}

TEST(SdoServer, ATransferInSegmentsHasOneMomentsValue) {
  Server server;
  EXPECT_EQ(server.ask("4000200500000000"), "585#4100200508000000");
  server.objects.object<std::uint64_t>(0x2000, 5).set(0);
  EXPECT_EQ(server.ask("6000000000000000"), "585#0088776655443322");
  EXPECT_EQ(server.ask("7000000000000000"), "585#1D11000000000000");
}

TEST(SdoServer, WritesLongerValuesInSegments) {
  Server server;
  EXPECT_EQ(server.ask("2100200409000000"), "585#6000200400000000");  // 9 bytes
  EXPECT_EQ(server.ask("0061626364656667"), "585#2000000000000000");
  EXPECT_EQ(server.objects.find(0x2000, 4)->size, 0U) << "nothing is stored before the end";
  EXPECT_EQ(server.ask("1B68690000000000"), "585#3000000000000000");  // toggled, 5 unused, last
  const auto text = server.objects.find(0x2000, 4)->bytes();
  EXPECT_EQ(std::string(text.begin(), text.end()), "abcdefghi");
}

TEST(SdoServer, WritesInSegmentsWithoutASizeSaidBefore) {
  Server server;
  EXPECT_EQ(server.ask("2000200400000000"), "585#6000200400000000");
  EXPECT_EQ(server.ask("0D61000000000000"), "585#2000000000000000");  // 6 unused, last
  EXPECT_EQ(server.objects.find(0x2000, 4)->size, 1U);
}

struct Refusal {
  const char* why;
  const char* request;
  const char* answer;
};

TEST(SdoServer, EveryRefusalHasItsCode) {
  for (const Refusal& refusal : {
           Refusal{"no object", "4000300000000000", "585#8000300000000206"},
           Refusal{"no object to write", "2F00300000000000", "585#8000300000000206"},
           Refusal{"no sub-index", "4000200900000000", "585#8000200911000906"},
           Refusal{"write-only", "4000200300000000", "585#8000200301000106"},
           Refusal{"read-only", "2300100000000000", "585#8000100002000106"},
           Refusal{"constant, in segments", "2108100004000000", "585#8008100002000106"},
           Refusal{"too long", "2300200100000000", "585#8000200112000706"},
           Refusal{"too short", "2F00200100000000", "585#8000200113000706"},
           Refusal{"string too long, said before", "210020040D000000", "585#8000200412000706"},
           Refusal{"too high", "2F00200209000000", "585#8000200231000906"},
           Refusal{"too low", "2F00200201000000", "585#8000200232000906"},
           Refusal{"no data", "4000200400000000", "585#8000200424000008"},
           Refusal{"unknown command", "E000200100000000", "585#8000200101000405"},
           Refusal{"block download", "C000200401000000", "585#8000200401000405"},
       }) {
    Server server;
    EXPECT_EQ(server.ask(refusal.request), refusal.answer) << refusal.why;
  }
}

TEST(SdoServer, ABlockUploadFallsBackToAnOrdinaryOneIfTheClientAllowsIt) {
  Server server;
  // Bytes 4, 5: segments a block, and the size up to which the protocol may be switched.
  EXPECT_EQ(server.ask("A008100020130000"), "585#4108100013000000");
  EXPECT_EQ(server.ask("A008100020120000"), "585#8008100001000405");  // 19 bytes are more than 18
  EXPECT_EQ(server.ask("A008100020000000"), "585#8008100001000405");  // 0: no switch allowed
  EXPECT_EQ(server.ask("A300000000000000"), "585#8000000001000405");  // a step of no transfer
}

TEST(SdoServer, ATogglingBitOutOfStepEndsTheTransfer) {
  Server server;
  server.ask("4008100000000000");
  EXPECT_EQ(server.ask("7000000000000000"), "585#8008100000000305");
  EXPECT_EQ(server.ask("6000000000000000"), "585#8008100001000405");

  server.ask("2100200409000000");
  EXPECT_EQ(server.ask("1061626364656667"), "585#8000200400000305");
  EXPECT_EQ(server.objects.find(0x2000, 4)->size, 0U);
}

TEST(SdoServer, SegmentsThatAreNotAsManyAsSaidAreRefused) {
  Server server;
  server.ask("2100200409000000");
  EXPECT_EQ(server.ask("0161626364656667"), "585#8000200410000706");  // 7 of 9
  server.ask("2000200400000000");
  server.ask("0061626364656667");
  EXPECT_EQ(server.ask("1161626364656667"), "585#8000200412000706");  // 14, there is room for 12
}

TEST(SdoServer, AnEndlessDownloadIsCutOff) {
  Server server;
  server.ask("2000200400000000");
  EXPECT_EQ(server.ask("0061626364656667"), "585#2000000000000000");
  EXPECT_EQ(server.ask("1061626364656667"), "585#3000000000000000");
  EXPECT_EQ(server.ask("0061626364656667"), "585#8000200412000706");  // 21: the longest has 19
  EXPECT_EQ(server.objects.find(0x2000, 4)->size, 0U);
}

TEST(SdoServer, AClientThatFallsSilentIsGivenUp) {
  Server server;
  server.ask("4008100000000000");
  server.sdo.poll(SdoServer::kPatience - 1, server.out);
  EXPECT_EQ(taken_from(server.out), Texts{});
  server.sdo.poll(SdoServer::kPatience, server.out);
  EXPECT_EQ(taken_from(server.out), Texts{"585#8008100000000405"});
  server.sdo.poll(10 * SdoServer::kPatience, server.out);
  EXPECT_EQ(taken_from(server.out), Texts{});
}

TEST(SdoServer, AnAbortOfTheClientIsNotAnswered) {
  Server server;
  server.ask("4008100000000000");
  EXPECT_EQ(server.ask("8008100000000405"), "0 answers");
  EXPECT_EQ(server.ask("6000000000000000"), "585#8008100001000405");
}

TEST(SdoServer, ANewRequestEndsTheTransferBefore) {
  Server server;
  server.ask("4008100000000000");
  EXPECT_EQ(server.ask("4000200100000000"), "585#4B00200134120000");
  EXPECT_EQ(server.ask("6000000000000000"), "585#8000200101000405");
}

TEST(SdoServer, RequestsThatAreNotEightBytesLongAreIgnored) {
  Server server;
  EXPECT_EQ(server.ask("40001000000000"), "0 answers");
  EXPECT_EQ(server.ask(""), "0 answers");
}

struct Owner {
  AbortCode verdict = AbortCode::kNone;
  AbortCode check(const Entry& /*entry*/, std::uint64_t /*bits*/) noexcept { return verdict; }
};

TEST(SdoServer, WhateverTheDeviceAnswersGoesOut) {
  Server server;
  Owner owner;
  server.objects.own<&Owner::check, nullptr>(*server.objects.find(0x2000, 1), owner);
  for (const AbortCode code : kAllAbortCodes) {
    owner.verdict = code;
    std::uint8_t bytes[8] = {0x80, 0x00, 0x20, 0x01};
    store_little_endian(std::span(bytes).subspan(4), static_cast<std::uint32_t>(code), 4);
    EXPECT_EQ(server.ask("2B00200100000000"), to_text(can::data_frame(0x585, bytes)));
    EXPECT_NE(in_words(code), in_words(static_cast<AbortCode>(0xFFFFFFFF))) << in_words(code);
  }
}

}  // namespace
}  // namespace jointrig::canopen
