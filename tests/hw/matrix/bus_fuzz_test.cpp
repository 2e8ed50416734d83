/// Boards, buses, driver and stack under frames that nobody should send: random and malformed ones,
/// SDOs of all kinds, states and emergencies in others' names, wires that lose, double and destroy,
/// lines of SLCAN, cannelloni and socketcand that are damaged. The host takes all of it: no crash,
/// no hang; no joint moves that is not driven, none that holds leaves its place further than its
/// stop takes, and no motor goes on without being asked.
///
///     bus_fuzz_test                     some rounds, the same each time
///     bus_fuzz_test --seconds 3600      as many as fit; each failure names its seed
///     bus_fuzz_test --seed 17           this one alone

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "tests/hw/can/random_frame.h"
#include "tests/hw/canopen/any_frames.h"
#include "tests/hw/matrix/damaged_line.h"
#include "tests/hw/matrix/matrix_rig.h"

namespace jointrig::matrix {
namespace {

constexpr std::uint32_t kBoundedRounds = 24;  // each protocol, each pace of the noise, each start
constexpr int kNoisyCycles = 300;
constexpr double kStill = 1e-3;  // [rad], where nothing drives: gravity does not pull here

double seconds_to_run = 0;     // 0: kBoundedRounds
std::uint32_t first_seed = 1;  // and the only one where `one_seed`
bool one_seed = false;

/// Results of the rounds, so that a fuzz without effect fails.
struct Tally {
  std::uint64_t rounds = 0;
  std::uint64_t frames = 0;
  std::uint64_t hurt = 0;
  std::uint64_t faults = 0;
  std::uint64_t joints_back = 0;
  std::uint64_t refused_starts = 0;
  double furthest = 0.0;  ///< of a joint that held [rad]
};

/// The frames by which a second master could drive a motor: orders, and SDO writes to what an order
/// acts on.
/// While joints are driven SYNC too: each is a period of the boards' physics, and many of them let
/// time run away from the loop that holds the joints.
bool may_drive(const can::Frame& frame, bool while_driven) {
  if (frame.extended || frame.remote) return false;
  if (while_driven && frame.id == 0x080) return true;
  const std::uint32_t function = frame.id & 0x780U;
  const bool is_order =
      function == 0x200 || function == 0x300 || function == 0x400 || function == 0x500;
  if (is_order) return true;
  const bool is_download = function == 0x600 && (frame.data[0] & 0xE0U) == 0x20;
  if (!is_download) return false;
  const unsigned index = frame.data[1] | unsigned{frame.data[2]} << 8;
  return while_driven || index == 0x6040 || (index >= 0x1400 && index < 0x1C00);
}

class Round {
 public:
  Round(std::uint32_t seed, Tally& tally)
      : seed_(seed), random_(seed), damage_(seed), tally_(&tally), rig_(options(seed)) {
    for (std::size_t joint = kYaw; joint <= kRight; ++joint) {
      frames_.emplace_back(seed * 8 + static_cast<std::uint32_t>(joint),
                           rig_.virtual_drive(joint).node().objects());
    }
    constexpr std::array<can::TimeNs, 4> kGaps{100, 400, 2000, 8000};  // [µs]
    gap_ = kGaps[seed / 3 % kGaps.size()] * can::kMicrosecond;
    for (const std::size_t bus : {0U, 1U}) add_noise(bus);
  }

  void run() {
    start_under_noise();
    if (testing::Test::HasFatalFailure()) return;
    rest_under_noise();
    if (testing::Test::HasFatalFailure()) return;
    come_back();
    if (testing::Test::HasFatalFailure()) return;
    hold_under_noise();
    if (testing::Test::HasFatalFailure()) return;
    come_back();
    ++tally_->rounds;
    tally_->hurt += line_.hurt;
  }

 private:
  RigOptions options(std::uint32_t seed) {
    line_.may_hurt = [this](const can::Frame& frame) { return !driving_ && frame.id >= 0x580; };
    RigOptions options;
    options.link = [this, seed](std::unique_ptr<can::Transport> link) {
      return std::make_unique<DamagedLine>(std::move(link), kAllLineProtocol[seed % 3], line_);
    };
    options.start = false;
    return options;
  }

  /// A sender of invalid frames, and the time since its last one.
  void add_noise(std::size_t bus) {
    const can::NodeId node = rig_.wire(bus).attach("noise");
    noise_[bus] = node;
    rig_.add(bus, [this, bus, node, next = can::TimeNs{0}](can::TimeNs now) mutable {
      std::array<can::Delivery, 16> heard;
      while (rig_.wire(bus).receive(node, heard) == heard.size()) continue;
      if (!noisy_) return can::kNever;
      if (now < next) return next;
      const can::Frame frame = noise(bus);
      if (!may_drive(frame, driving_)) {
        rig_.wire(bus).send(node, frame, now);
        ++tally_->frames;
      }
      next = now + 1 + damage_.pick(static_cast<std::uint32_t>(2 * gap_));
      return next;
    });
  }

  /// Boards are found and set up, or the start is refused in words; without noise it succeeds.
  void start_under_noise() {
    SCOPED_TRACE("start_under_noise");
    const auto before = places();
    const can::TimeNs gap = gap_;
    begin_noise();
    // One line or one boot-up in another's name is enough for a refusal: half of the starts are
    // left a chance.
    if (seed_ / 12 % 2 == 0) line_.damage = nullptr;
    if (seed_ / 12 % 2 == 0) gap_ = std::max(200 * gap, 300 * can::kMillisecond);
    const bool refused = !starts();
    const bool was_off = rig_.link(0).status().bus == can::BusState::kBusOff;
    if (refused && was_off) {
      EXPECT_NE(why_.find("bus-off"), std::string::npos) << why_;
    }
    quiet();
    gap_ = gap;
    expect_off(before);
    tally_->refused_starts += refused ? 1 : 0;
    if (!refused) return;
    for (int attempt = 0; attempt < 3; ++attempt) {
      if (starts()) return;
    }
    FAIL() << "it does not start any more; links of the buses: "
           << to_string(rig_.link(0).status().bus) << ", " << to_string(rig_.link(1).status().bus)
           << "; " << why_;
  }

  bool starts() {
    try {
      rig_.backend().start();
      return true;
    } catch (const std::runtime_error& error) {
      why_ = error.what();
      EXPECT_FALSE(why_.empty());
      return false;
    }
  }

  /// Nothing is asked of the robot: nothing may move, no stage may go on.
  void rest_under_noise() {
    SCOPED_TRACE("rest_under_noise");
    rig_.mode("all", ModeRequest::kIdle);
    rig_.run(5);
    const auto before = places();
    begin_noise();
    for (int cycle = 0; cycle < kNoisyCycles; ++cycle) {
      if (damage_.pick(30) == 0) hurt_the_wire();
      rig_.run(1);
      if (testing::Test::HasFatalFailure()) return;
      expect_off(before);
    }
    quiet();
  }

  /// All joints hold: what the noise takes them out of ends in their stop, and not in a new mode.
  void hold_under_noise() {
    SCOPED_TRACE("hold_under_noise");
    driving_ = true;
    rig_.mode("all", ModeRequest::kPosition);
    rig_.run(60);
    const auto before = places();
    std::array<bool, kRight + 1> fell{};
    begin_noise();
    for (int cycle = 0; cycle < kNoisyCycles; ++cycle) {
      if (damage_.pick(30) == 0) hurt_the_wire();
      rig_.run(1);  // torques, rates and ways are checked there
      if (testing::Test::HasFatalFailure()) return;
      for (std::size_t joint = kYaw; joint <= kRight; ++joint) {
        const double way = std::abs(rig_.where(joint) - before[joint]);
        tally_->furthest = std::max(tally_->furthest, way);
        const JointLimits& limits = rig_.config().joints[joint].limits;
        ASSERT_LE(way, limits.v_max * limits.v_max / (2 * limits.a_max) + 0.35) << joint;
        const bool drives = rig_.mode(joint) == JointMode::kPosition;
        ASSERT_FALSE(fell[joint] && drives) << "joint " << joint << " drives again by itself";
        if (!drives && !fell[joint]) ++tally_->faults;
        fell[joint] = fell[joint] || !drives;
      }
    }
    quiet();
    driving_ = false;
  }

  /// Silence, then the operator: every joint off, and still.
  void come_back() {
    SCOPED_TRACE("come_back");
    // An operator's way: SDO writes are lost with the drives' supply.
    for (const std::size_t bus : {0U, 1U}) rig_.intrude(bus, 0x000, {0x81, 0x00});
    rig_.run(300);  // whoever fell out of the network is set up again
    rig_.mode("all", ModeRequest::kForceIdle);
    rig_.run(300);
    const auto before = places();
    // A joint that is let go in motion coasts: no joint gets further than the fastest would have.
    double fastest = 0.0;
    for (std::size_t joint = kYaw; joint <= kRight; ++joint) {
      fastest = std::max(fastest, std::abs(rig_.speed(joint)));
    }
    constexpr int kLook = 20;
    rig_.run(kLook);
    expect_off(before, kStill + fastest * kLook * kPeriod);
    for (std::size_t joint = kYaw; joint <= kRight; ++joint) {
      tally_->joints_back += rig_.mode(joint) == JointMode::kIdle ? 1 : 0;
    }
  }

  void expect_off(const std::array<double, kRight + 1>& before, double way = kStill) {
    for (std::size_t joint = kYaw; joint <= kRight; ++joint) {
      // One that was lost while it drove has stopped quickly, and holds there until a mode is
      // asked.
      const cia402::DriveOutputs& drive = rig_.drive(joint);
      const bool has_stopped = drive.state == cia402::PowerState::kQuickStopActive;
      ASSERT_FALSE(drive.power_stage() && !has_stopped)
          << "joint " << joint << " went on by itself, shown as " << to_string(rig_.mode(joint));
      ASSERT_LE(std::abs(rig_.where(joint) - before[joint]), way)
          << "joint " << joint << ", at " << rig_.speed(joint) << " rad/s";
    }
  }

  [[nodiscard]] std::array<double, kRight + 1> places() const {
    std::array<double, kRight + 1> all{};
    for (std::size_t joint = kYaw; joint <= kRight; ++joint) all[joint] = rig_.where(joint);
    return all;
  }

  can::Frame noise(std::size_t bus) {
    const std::size_t joint = bus == 0 ? damage_.pick(3) : kWrist + damage_.pick(3);
    if (damage_.pick(3) == 0) return pretence(joint);
    if (damage_.pick(4) == 0) return can::random_frame(random_);
    return frames_[joint].next(rig_.drive(joint).statusword);
  }

  /// Frames that only the board of this joint may send.
  can::Frame pretence(std::size_t joint) {
    constexpr std::array<std::uint32_t, 7> kTheirs{0x080, 0x180, 0x280, 0x380, 0x580, 0x700, 0x700};
    can::Frame frame = can::random_frame(random_, can::FrameKinds::kClassicData);
    frame.extended = false;
    frame.id = kTheirs[damage_.pick(kTheirs.size())] + MatrixRig::node_of(joint);
    if (damage_.pick(4) != 0) frame.size = frame.id >= 0x700 ? 1 : 8;
    return frame;
  }

  void hurt_the_wire() {
    using can::FaultKind;
    constexpr std::array kKinds{FaultKind::kLose,   FaultKind::kDelay,   FaultKind::kHold,
                                FaultKind::kDouble, FaultKind::kReorder, FaultKind::kCorrupt};
    const std::size_t bus = damage_.pick(2);
    rig_.clear(bus);
    rig_.hit(bus, {.kind = kKinds[damage_.pick(kKinds.size())],
                   .id = damage_.pick(0x800),
                   .mask = damage_.pick(2) == 0 ? 0U : 0x780U,
                   .count = 1 + damage_.pick(30),
                   .delay = damage_.pick(3 * kPeriodNs),
                   .for_cycles = 1.0 + damage_.pick(30),
                   .copies = 1 + static_cast<int>(damage_.pick(5))});
  }

  void begin_noise() {
    noisy_ = true;
    line_.damage = &damage_;
  }

  /// Two senders that send different frames under one identifier may take a controller off the bus,
  /// the host's or a board's: the operator brings it back, and nobody else may.
  void quiet() {
    noisy_ = false;
    line_.damage = nullptr;
    for (const std::size_t bus : {0U, 1U}) {
      rig_.clear(bus);
      for (const bool online : {false, true}) {  // what it had still to send goes
        rig_.wire(bus).set_online(noise_[bus], online, 0);
      }
      if (rig_.link(bus).status().bus == can::BusState::kBusOff) {
        rig_.wire(bus).recover(rig_.host_node(bus), 0);
      }
    }
    for (std::size_t joint = kYaw; joint <= kRight; ++joint) {
      can::VirtualBus& wire = rig_.wire(MatrixRig::bus_of(joint));
      const can::NodeId node = rig_.board_node(joint);
      if (wire.state(node).bus == can::BusState::kBusOff) wire.recover(node, 0);
    }
  }

  std::uint32_t seed_;
  std::mt19937 random_;
  can::Damage damage_;
  Tally* tally_;
  bool driving_ = false;
  bool noisy_ = false;
  can::TimeNs gap_ = 0;  ///< from frame to frame of the noise, on the average
  std::string why_;      ///< the last start was refused
  std::array<can::NodeId, 2> noise_{};
  DamagedLine::Control line_;
  MatrixRig rig_;
  std::vector<canopen::AnyFrames> frames_;
};

TEST(BusFuzz, NothingMovesThatIsNotDrivenAndNothingIsDrivenThatWasNotAsked) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  Tally tally;
  for (std::uint32_t seed = first_seed;; ++seed) {
    const bool is_over = seconds_to_run > 0 ? passed() >= seconds_to_run
                                            : seed >= first_seed + (one_seed ? 1 : kBoundedRounds);
    if (is_over) break;
    SCOPED_TRACE("--seed " + std::to_string(seed));
    Round(seed, tally).run();
    if (HasFatalFailure()) return;
  }
  std::printf(
      "%llu rounds, %llu frames of noise, %llu damaged lines, %llu joints fell, "
      "%llu came back, %llu starts refused, furthest %.4f rad, %.0f s\n",
      static_cast<unsigned long long>(tally.rounds), static_cast<unsigned long long>(tally.frames),
      static_cast<unsigned long long>(tally.hurt), static_cast<unsigned long long>(tally.faults),
      static_cast<unsigned long long>(tally.joints_back),
      static_cast<unsigned long long>(tally.refused_starts), tally.furthest, passed());
  if (one_seed) return;
  EXPECT_GT(tally.refused_starts, 0U);
  EXPECT_LT(tally.refused_starts, tally.rounds);
  EXPECT_GT(tally.frames, 300 * tally.rounds);
  EXPECT_GT(tally.hurt, 100 * tally.rounds);
  EXPECT_GT(tally.faults, tally.rounds) << "the noise was not harmless";
  EXPECT_GT(tally.joints_back, 3 * tally.rounds) << "of twelve a round";
}

}  // namespace

void read_arguments(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--seconds") == 0) seconds_to_run = std::atof(argv[i + 1]);
    if (std::strcmp(argv[i], "--seed") == 0) {
      first_seed = static_cast<std::uint32_t>(std::atoi(argv[i + 1]));
      one_seed = seconds_to_run <= 0;
    }
  }
}

}  // namespace jointrig::matrix

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  jointrig::matrix::read_arguments(argc, argv);
  return RUN_ALL_TESTS();
}
