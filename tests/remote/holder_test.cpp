/// A client of ours in a process of its own, which dies or freezes in the middle of a motion.

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "tests/remote/served_rig.h"
#include "tests/support/child_process.h"

namespace jointrig::remote {
namespace {

using jointrig::testing::ChildProcess;
using jointrig::testing::ServedRig;
using std::chrono::milliseconds;

constexpr std::uint64_t kLongestSilence = 200;  // cycles: 0.2 s
/// Its last message reaches the server a little after the look at the clock; busy machines take
/// their time.
constexpr std::uint64_t kSlack = 100;

std::string holder_program() {
  return std::filesystem::canonical("/proc/self/exe").parent_path() / "remote_holder";
}

class Holder : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(process_.line(), "moving");
    for (int i = 0; i < 100 && newest().joints[0].reference.v < 0.05; ++i) run(20);
    ASSERT_GT(newest().joints[0].reference.v, 0.05);
    watcher_.take_events();
  }
  const Snapshot& newest() {
    watcher_.newest(*snapshot_);
    return *snapshot_;
  }
  void run(std::uint64_t cycles) {
    ASSERT_TRUE(watcher_.wait_for(newest().cycle + cycles, milliseconds(5000)));
  }
  /// The next event of a kind, within two seconds; those before are skipped.
  EventRecord event(const std::string& kind, const std::string& sender) {
    for (int i = 0; i < 400; ++i) {
      for (EventRecord& one : watcher_.take_events()) waiting_.push_back(std::move(one));
      for (std::size_t k = 0; k < waiting_.size(); ++k) {
        if (waiting_[k].kind != kind || waiting_[k].sender != sender) continue;
        return waiting_[k];
      }
      std::this_thread::sleep_for(milliseconds(5));
    }
    ADD_FAILURE() << "no event " << kind << " of " << sender;
    return {};
  }
  void expect_held_and_free() {
    run(250);  // the brake's way
    const double q = newest().joints[0].reference.q;
    EXPECT_LT(q, 1.4) << "its goal is at 1.5";
    run(50);
    EXPECT_EQ(newest().joints[0].reference.q, q);
    EXPECT_EQ(newest().joints[0].reference.v, 0.0);
    EXPECT_EQ(watcher_.lease().holder, "");
    watcher_.take();
    EXPECT_TRUE(watcher_.answer(watcher_.post(SetSpeedOverride{1.0})).accepted);
  }

  ServedRig served_;
  Client watcher_{served_.options("watcher", 0.0)};
  ChildProcess process_{{holder_program(), "127.0.0.1:" + std::to_string(served_.port())}};
  std::unique_ptr<Snapshot> snapshot_ = std::make_unique<Snapshot>();
  std::vector<EventRecord> waiting_;
};

TEST_F(Holder, KilledIsFollowedByAHoldAndAFreeLease) {
  process_.send(SIGKILL);
  process_.wait_for_death();
  const std::uint64_t cycle = newest().cycle;
  EXPECT_LE(event("accepted", "lease").cycle, cycle + kLongestSilence + 1 + kSlack);
  EXPECT_NE(event("lease_lost", "remote2:holder").sentence.find("its connection ended"),
            std::string::npos);
  expect_held_and_free();
}

TEST_F(Holder, FrozenIsFollowedByAHoldAfterAFifthOfASecondAndAFreeLease) {
  process_.send(SIGSTOP);
  process_.wait_for_freeze();
  const std::uint64_t cycle = newest().cycle;
  const EventRecord lost = event("lease_lost", "remote2:holder");
  EXPECT_NE(lost.sentence.find("silent for 0.2 s"), std::string::npos) << lost.sentence;
  const std::uint64_t stopped = event("accepted", "lease").cycle;
  EXPECT_EQ(stopped, lost.cycle + 1);
  EXPECT_LE(stopped, cycle + kLongestSilence + 1 + kSlack);
  EXPECT_GT(stopped, cycle + kLongestSilence / 2);
  expect_held_and_free();
}

TEST_F(Holder, WhoWakesUpFindsTheLeaseOver) {
  process_.send(SIGSTOP);
  event("lease_lost", "remote2:holder");
  watcher_.take();
  process_.send(SIGCONT);
  const std::string told = process_.line();
  EXPECT_NE(told.find("lease"), std::string::npos) << told;
  EXPECT_EQ(watcher_.lease().holder, "watcher");
}

}  // namespace
}  // namespace jointrig::remote
