/// Frames in the hundred thousands against a whole slave with a drive's machine behind it. The
/// conditions are watched from outside, by the standard's words and not by our tables.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/hw/canopen/any_frames.h"
#include "tests/hw/canopen/frame_text.h"
#include "tests/hw/canopen/ideal_drive.h"

namespace jointrig::canopen {
namespace {

constexpr std::uint8_t kNode = 5;

/// Looks at the machine after each of its steps.
class WatchedDrive : public IdealDrive {
 public:
  explicit WatchedDrive(std::uint8_t node) : IdealDrive(node) {}

  void sample(std::int64_t now) noexcept override {
    IdealDrive::sample(now);
    look();
  }
  void act(std::int64_t now) noexcept override {
    IdealDrive::act(now);
    look();
  }
  void on_sync(std::int64_t now) noexcept override {
    IdealDrive::on_sync(now);
    look();
  }
  void on_reset(bool whole_device) noexcept override {
    IdealDrive::on_reset(whole_device);
    seen_ = 0;  // a reset leads out of every state, and switches off
    look();
  }

  std::string wrong;                    ///< the first thing that must not be
  std::map<std::uint16_t, int> visits;  ///< by the state's bits

 private:
  void complain(const std::string& what, std::uint16_t state) {
    if (!wrong.empty()) return;
    wrong = what + ": from " + std::to_string(seen_) + " to " + std::to_string(state) +
            " with controlword " + std::to_string(controlword());
  }
  std::uint16_t controlword() { return node().objects().object<std::uint16_t>(0x6040).get(); }

  /// A step upwards needs the command that makes it, from a state that it may be made from.
  void look() noexcept {
    const std::uint16_t word = drive().statusword;
    const auto state = static_cast<std::uint16_t>((word & 0x08) != 0   ? word & 0x4F
                                                  : (word & 0x40) != 0 ? 0x40
                                                                       : word & 0x6F);
    const std::uint16_t command = controlword() & 0x8F;
    const bool enable = command == 0x0F;
    const bool on = command == 0x07 || enable;
    const bool shutdown = (command & 0x87) == 0x06;
    if (state != seen_) {
      ++visits[state];
      if (state == 0x27 && !(enable && (seen_ == 0x23 || seen_ == 0x07))) {
        complain("enabled without being asked", state);
      }
      if (state == 0x23 && !(on && (seen_ == 0x21 || seen_ == 0x27))) {
        complain("switched on without being asked", state);
      }
      if (state == 0x21 && !(shutdown && (seen_ == 0x40 || seen_ == 0x23 || seen_ == 0x27))) {
        complain("ready without being asked", state);
      }
      if (seen_ == 0x08 && !(state == 0x40 && (command & 0x80) != 0)) {
        complain("left a fault without a reset", state);
      }
      if (state == 0x07 && seen_ != 0x27) complain("quick stop out of nowhere", state);
    }
    const bool may_be_on = state == 0x27 || state == 0x07 || state == 0x0F;
    if (drive().power_stage() && !may_be_on) complain("power stage on", state);
    seen_ = state;
  }

  std::uint16_t seen_ = 0;
};

/// Identifiers that are the node's own besides its PDOs.
bool is_service_of_the_node(std::uint32_t id) {
  return id == 0x080U + kNode || id == 0x580U + kNode || id == 0x700U + kNode;
}

/// Identifiers forbidden for PDOs: NMT, EMCY's reserve, the SDOs and heartbeats of others.
bool is_others(std::uint32_t id) {
  return id < 0x080 || (id > 0x100 && id <= 0x180) || (id > 0x580 && id < 0x600) ||
         (id > 0x600 && id <= 0x67F) || id >= 0x6E0;
}

struct Watch {
  WatchedDrive drive{kNode};
  bool started = false;  // the last order that reached the node was to start
  std::map<NmtState, int> states;
  std::map<std::uint32_t, int> aborts;
  int operational_pdos = 0;

  void order(const can::Frame& frame) {
    const bool is_order = frame.id == 0 && !frame.extended && !frame.remote && !frame.fd &&
                          frame.size == 2 && (frame.data[1] == 0 || frame.data[1] == kNode);
    if (!is_order) return;
    const std::set<int> known{0x01, 0x02, 0x80, 0x81, 0x82};
    if (known.count(frame.data[0]) != 0) started = frame.data[0] == 0x01;
  }

  void check_sent(bool was_operational) {
    const bool operational = was_operational || drive.node().state() == NmtState::kOperational;
    while (const auto frame = drive.node().out().pop()) {
      ASSERT_TRUE(can::valid(*frame));
      ASSERT_FALSE(frame->extended || frame->remote || frame->fd);
      if (frame->id == 0x580U + kNode) {
        ASSERT_EQ(frame->size, 8);
        if (frame->data[0] == 0x80) {
          ++aborts[static_cast<std::uint32_t>(load_little_endian(frame->bytes().subspan(4), 4))];
        }
      }
      if (is_service_of_the_node(frame->id)) continue;
      ASSERT_FALSE(is_others(frame->id)) << to_text(*frame);
      ASSERT_TRUE(operational) << to_text(*frame) << " outside operational";
      ++operational_pdos;
    }
  }

  void check_values() {
    for (const Entry& entry : drive.node().objects().entries()) {
      if (!entry.has_limits) continue;
      ASSERT_GE(entry.integer(), entry.limits.low) << std::hex << entry.index;
      ASSERT_LE(entry.integer(), entry.limits.high) << std::hex << entry.index;
    }
  }
};

class SlaveFuzz : public testing::TestWithParam<std::uint32_t> {};

TEST_P(SlaveFuzz, StaysWithinTheStandardWhateverItHears) {
  constexpr int kFrames = 100'000;
  Watch watch;
  SlaveNode& node = watch.drive.node();
  AnyFrames frames(GetParam(), node.objects());
  std::int64_t now = 0;
  node.power_on(now);
  watch.check_sent(false);
  for (int i = 0; i < kFrames; ++i) {
    now += frames.below(10) == 0 ? frames.below(40) * kMillisecond : frames.below(1'000'000);
    const can::Frame frame = frames.next(watch.drive.drive().statusword);
    const bool was_operational = node.state() == NmtState::kOperational;
    watch.order(frame);
    node.receive(frame, now);
    if (frames.below(200) == 0) watch.drive.raise_fault(0x7320);
    node.poll(now);
    ++watch.states[node.state()];
    SCOPED_TRACE("frame " + std::to_string(i) + " " + to_text(frame));
    ASSERT_TRUE(watch.started || node.state() != NmtState::kOperational);
    ASSERT_EQ(watch.drive.wrong, "");
    watch.check_sent(was_operational);
    if (i % 100 == 0) watch.check_values();
    if (HasFatalFailure()) return;
  }
  // It was tested in earnest: all states of both machines were there, and most refusals.
  for (const NmtState state :
       {NmtState::kStopped, NmtState::kPreOperational, NmtState::kOperational}) {
    EXPECT_GT(watch.states[state], 1000) << to_string(state);
  }
  for (const std::uint16_t state : {0x40, 0x21, 0x23, 0x27, 0x07, 0x08}) {
    EXPECT_GT(watch.drive.visits[state], 50) << std::hex << state;
  }
  for (const std::uint32_t code :
       {0x05030000U, 0x05040001U, 0x06010002U, 0x06020000U, 0x06040041U, 0x06040042U, 0x06070012U,
        0x06070013U, 0x06090011U, 0x06090030U, 0x06090031U}) {
    EXPECT_GT(watch.aborts[code], 0) << std::hex << code;
  }
  EXPECT_GT(watch.operational_pdos, 1000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SlaveFuzz, testing::Values(1U, 2U, 3U));

}  // namespace
}  // namespace jointrig::canopen
