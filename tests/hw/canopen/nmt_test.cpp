#include "hw/canopen/nmt.h"

#include <gtest/gtest.h>

#include "hw/canopen/nmt_master.h"
#include "tests/hw/canopen/frame_text.h"

namespace jointrig::canopen {
namespace {

constexpr NmtState kAllStates[] = {NmtState::kInitialising, NmtState::kPreOperational,
                                   NmtState::kOperational, NmtState::kStopped};

TEST(Nmt, EveryCommandInEveryStateLeadsWhereCia301Says) {
  constexpr auto kInit = NmtState::kInitialising;
  constexpr auto kPre = NmtState::kPreOperational;
  constexpr auto kOp = NmtState::kOperational;
  constexpr auto kStop = NmtState::kStopped;
  struct Row {
    NmtCommand command;
    NmtState from_init, from_pre, from_op, from_stop;
  };
  for (const Row& row : {Row{NmtCommand::kStart, kInit, kOp, kOp, kOp},
                         Row{NmtCommand::kStop, kInit, kStop, kStop, kStop},
                         Row{NmtCommand::kEnterPreOperational, kInit, kPre, kPre, kPre},
                         Row{NmtCommand::kResetNode, kInit, kInit, kInit, kInit},
                         Row{NmtCommand::kResetCommunication, kInit, kInit, kInit, kInit}}) {
    SCOPED_TRACE(static_cast<int>(row.command));
    EXPECT_EQ(after(kInit, row.command), row.from_init);
    EXPECT_EQ(after(kPre, row.command), row.from_pre);
    EXPECT_EQ(after(kOp, row.command), row.from_op);
    EXPECT_EQ(after(kStop, row.command), row.from_stop);
  }
}

TEST(Nmt, TheStateSaysWhichServicesRun) {
  for (const NmtState state : kAllStates) {
    SCOPED_TRACE(to_string(state));
    const bool pre = state == NmtState::kPreOperational;
    const bool op = state == NmtState::kOperational;
    EXPECT_EQ(sdo_allowed(state), pre || op);
    EXPECT_EQ(emergency_allowed(state), pre || op);
    EXPECT_EQ(sync_allowed(state), pre || op);
    EXPECT_EQ(pdo_allowed(state), op);
  }
}

TEST(Nmt, OrdersAreTwoBytesOfIdentifierZero) {
  EXPECT_EQ(to_text(frame_of({NmtCommand::kStart, 5})), "000#0105");
  EXPECT_EQ(to_text(frame_of({NmtCommand::kResetCommunication, kAllNodes})), "000#8200");
  EXPECT_EQ(nmt_order_of(from_text("000#8005"))->command, NmtCommand::kEnterPreOperational);
  EXPECT_EQ(nmt_order_of(from_text("000#8005"))->node, 5);
  for (const char* none : {"000#80", "000#800500", "001#8005", "000#0305", "000#0180"}) {
    EXPECT_FALSE(nmt_order_of(from_text(none))) << none;
  }
}

TEST(NmtMaster, TellsAnOrderedRebootFromOneThatWasNot) {
  NmtMaster master;
  FrameQueue out;
  master.order(NmtCommand::kResetNode, 5, out);
  EXPECT_EQ(taken_from(out), Texts{"000#8105"});

  master.receive(from_text("705#00"), 0);
  master.receive(from_text("705#00"), 1);  // a second one: two nodes, or it fell over
  const auto first = master.next_event();
  const auto second = master.next_event();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->what.kind, HeartbeatEvent::Kind::kBootUp);
  EXPECT_TRUE(first->ordered);
  EXPECT_EQ(second->what.kind, HeartbeatEvent::Kind::kBootUp);
  EXPECT_FALSE(second->ordered);
  EXPECT_FALSE(master.next_event());
}

TEST(NmtMaster, TellsAStateThatNobodyOrdered) {
  NmtMaster master;
  FrameQueue out;
  master.receive(from_text("705#7F"), 0);
  EXPECT_TRUE(master.next_event()->ordered);  // pre-operational is where a node goes by itself

  master.order(NmtCommand::kStart, kAllNodes, out);
  master.receive(from_text("705#05"), 1);
  const auto started = master.next_event();
  EXPECT_EQ(started->what.kind, HeartbeatEvent::Kind::kChanged);
  EXPECT_TRUE(started->ordered);

  master.receive(from_text("705#04"), 2);
  const auto stopped = master.next_event();
  EXPECT_EQ(stopped->what.kind, HeartbeatEvent::Kind::kChanged);
  EXPECT_EQ(stopped->what.state, NmtState::kStopped);
  EXPECT_FALSE(stopped->ordered);
}

TEST(NmtMaster, AfterABootUpPreOperationalIsWhatIsExpected) {
  NmtMaster master;
  FrameQueue out;
  master.order(NmtCommand::kStart, 5, out);
  master.receive(from_text("705#05"), 0);
  master.receive(from_text("705#00"), 1);
  master.receive(from_text("705#7F"), 2);
  EXPECT_TRUE(master.next_event()->ordered);   // operational
  EXPECT_FALSE(master.next_event()->ordered);  // the boot-up
  const auto first = master.next_event();
  EXPECT_EQ(first->what.kind, HeartbeatEvent::Kind::kFirst);
  EXPECT_TRUE(first->ordered);
}

TEST(NmtMaster, OrdersNothingByItself) {
  NmtMaster master;
  master.watch(5, 100);
  master.receive(from_text("705#00"), 0);
  master.receive(from_text("705#7F"), 1);
  master.poll(1'000'000'000);
  int events = 0;
  while (master.next_event()) ++events;
  EXPECT_EQ(events, 3);  // boot-up, first, lost; and there is nowhere it could have sent a frame
}

}  // namespace
}  // namespace jointrig::canopen
