// The thread that writes the log must keep up with the loop: it may allocate and call the system
// when a chunk ends, never for a message.

#include "harness/log/mcap/mcap_writer.h"
#include "tests/harness/log/mcap/log_fixture.h"
#include "tests/support/alloc_guard.h"

namespace jointrig::harness {
namespace {

class RecordAllocation : public LogTest {
 protected:
  RecordAllocation() : log_(path("log.mcap")) {
    joint_ = log_.add_channel("/j/elbow", joint_sample_schema());
    events_ = log_.add_channel<LogView>("/events");
    log_.write(events_, 0, line_);  // the first one makes the room that the others reuse
    log_.flush();
  }

  McapWriter log_;
  StructChannel<JointSample> joint_;
  ViewChannel<LogView> events_;
  const JointSample sample_ = JointSignals().at(0, 0);
  const LogView line_{{}, LogLevel::kInfo, "test", "as long as any that follows", "", "", 0};
};

TEST_F(RecordAllocation, IsNoneForAMessage) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  RealtimeGuard guard;
  for (int i = 0; i < 1000; ++i) log_.write(joint_, i, sample_);
  for (int i = 0; i < 100; ++i) log_.write(events_, i, line_);
  log_.poll();
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
}

TEST_F(RecordAllocation, IsAHandfulForAChunkOfThousands) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  RealtimeGuard guard;
  for (int i = 0; i < 120'000; ++i) log_.write(joint_, i, sample_);
  const std::uint64_t allocations = guard.violations()[RealtimeViolation::kAllocation];
  ASSERT_TRUE(log_.close().ok);
  const std::size_t chunks = McapReader(path("log.mcap")).contents().chunks.size();
  EXPECT_GE(chunks, 20U);
  EXPECT_LT(allocations, chunks * 16) << guard.report();
}

}  // namespace
}  // namespace jointrig::harness
