// The driver of moteus servos under invalid answers: damaged, cut off, doubled, in others' names,
// and frames of any kind between them. No servo is driven without a command, none harder than
// commanded, every reported state is finite, and after the noise every servo is back.

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <random>

#include "hw/driver/moteus_bus.h"
#include "hw/moteus/servo_machine.h"
#include "tests/hw/can/random_frame.h"

namespace jointrig::hw {
namespace {

constexpr std::int64_t kCycle = 1'000'000;  // [ns]
constexpr double kAsked = 0.2;              // [N·m]
constexpr double kInertia = 0.05;           // [kg·m²]
constexpr std::array<std::uint8_t, 3> kIds{3, 5, 9};

/// A servo with a wheel on it.
struct Wheel {
  moteus::ServoMachine servo;
  double angle = 0.0;  // [rev]
  double speed = 0.0;  // [rev/s]
  moteus::ServoDrive drive;

  void turn() {
    servo.sense({.position = angle,
                 .velocity = speed,
                 .torque = drive.torque,
                 .voltage = 24.0,
                 .temperature = 30.0});
    drive = servo.update(1e-3);
    const double torque = drive.stage == moteus::ServoDrive::Stage::kTorque ? drive.torque : 0.0;
    speed += 1e-3 * torque / kInertia / (2.0 * M_PI);
    angle += 1e-3 * speed;
  }
};

MoteusJoint joint_of(std::uint8_t id) {
  MoteusJoint joint;
  joint.name = "joint" + std::to_string(id);
  joint.id = id;
  joint.host.units = MoteusUnits(MoteusFacts{}, false);
  joint.host.v_max = 1e6;
  return joint;
}

class Round {
 public:
  explicit Round(std::uint32_t seed)
      : random_(seed), bus_({joint_of(kIds[0]), joint_of(kIds[1]), joint_of(kIds[2])}) {
    for (const std::uint8_t id : kIds) {
      moteus::ServoConfig config;
      config.id = id;
      config.max_torque = 10.0;
      wheels_.push_back({moteus::ServoMachine(config), 0.0, 0.0, {}});
    }
  }

  void run() {
    noisy_ = random_() % 2 == 0;  // from the start on, or from when it runs on
    if (!start()) {
      EXPECT_TRUE(noisy_) << "on a quiet bus they are found";
      return;
    }
    ++started;
    noisy_ = true;
    for (int i = 0; i < 10; ++i) {
      drives_ = random_() % 2 == 0;
      cycles(static_cast<int>(20 + random_() % 80));
      if (testing::Test::HasFatalFailure()) return;
    }
    come_back();
  }

  static inline int started = 0;
  static inline std::uint64_t hurt = 0;
  static inline std::uint64_t silent = 0;
  static inline std::uint64_t driven = 0;

 private:
  std::uint32_t pick(std::uint32_t below) { return random_() % below; }

  bool start() {
    bus_.start(now_);
    for (int i = 0; i < 200 && !bus_.all_running(); ++i) {
      now_ += kCycle;
      bus_.poll(now_);
      exchange();
      for (Wheel& wheel : wheels_) {
        wheel.turn();
        EXPECT_EQ(wheel.drive.stage, moteus::ServoDrive::Stage::kOff) << "before anything is asked";
      }
    }
    if (!bus_.all_running()) {
      EXPECT_FALSE(bus_.problems(false).empty()) << "a refused start says why";
      return false;
    }
    bus_.begin();
    return true;
  }

  void exchange() {
    while (const auto frame = bus_.out().pop()) {
      ASSERT_TRUE(can::valid(*frame));
      for (Wheel& wheel : wheels_) {
        if (auto answer = wheel.servo.receive(*frame)) deliver(*answer);
      }
      if (noisy_ && pick(4) == 0) bus_.receive(can::random_frame(random_), now_);
    }
  }

  /// An answer on its way to the host.
  void deliver(can::Frame answer) {
    const std::uint32_t what = noisy_ ? pick(12) : 99;
    if (what < 6) ++hurt;
    if (what == 0) return;
    if (what == 1) {
      for (std::uint32_t bits = 1 + pick(4); bits > 0; --bits) {
        answer.data[pick(answer.size)] ^= static_cast<std::uint8_t>(1U << pick(8));
      }
    }
    if (what == 2) answer.size = can::kFdSizes[pick(16)];
    if (what == 3) bus_.receive(answer, now_);
    if (what == 4) answer.id ^= 1U << pick(29);
    if (what == 5) std::swap(answer, late_);
    bus_.receive(answer, now_);
  }

  void cycles(int count) {
    for (int i = 0; i < count; ++i) {
      now_ += kCycle;
      bus_.open_cycle(now_);
      exchange();
      bus_.close_cycle();
      for (std::size_t j = 0; j < bus_.size(); ++j) look_at(j);
      undriven_ = drives_ ? 0 : undriven_ + 1;
      for (Wheel& wheel : wheels_) {
        wheel.turn();
        look_at(wheel);
      }
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  void look_at(std::size_t j) {
    JointState state;
    bus_.read(j, 0.0, state);
    for (const double value : {state.q, state.v, state.tau, state.current_A}) {
      ASSERT_TRUE(std::isfinite(value)) << "joint " << j;
    }
    if (state.missed > 0) ++silent;
    JointSetpoint setpoint;
    if (drives_) {
      setpoint.drive = DriveMode::kTorque;
      setpoint.tau = j == 1 ? -kAsked : kAsked;
    }
    bus_.write(j, setpoint);
  }

  void look_at(const Wheel& wheel) {
    if (wheel.drive.stage == moteus::ServoDrive::Stage::kOff) return;
    ASSERT_TRUE(std::isfinite(wheel.drive.torque));
    // A servo without commands is in its time-out, which damps.
    if (wheel.servo.mode() != moteus::Mode::kPosition) return;
    // A command acts with the next burst, and one that is lost is followed by another.
    ASSERT_LE(undriven_, 30) << "servo " << int{wheel.servo.config().id}
                             << " is driven, and nobody asks for it";
    ASSERT_LE(std::abs(wheel.drive.torque), 1.01 * kAsked);
    if (std::abs(wheel.drive.torque) > 0.99 * kAsked) ++driven;
  }

  void come_back() {
    noisy_ = false;
    drives_ = false;
    cycles(200);
    if (testing::Test::HasFatalFailure()) return;
    for (std::size_t j = 0; j < bus_.size(); ++j) {
      JointState state;
      bus_.read(j, 0.0, state);
      const bool refused = bus_.phase(j) == MoteusBus::Phase::kFailed;
      if (refused) {
        EXPECT_FALSE(bus_.problems(true).empty());
        continue;
      }
      EXPECT_EQ(state.missed, 0U) << "joint " << j << " is heard again";
      EXPECT_NEAR(state.q, 2.0 * M_PI * wheels_[j].angle, 0.01) << "and told as it is";
    }
    drives_ = true;
    cycles(5);
  }

  std::mt19937 random_;
  MoteusBus bus_;
  std::deque<Wheel> wheels_;
  can::Frame late_;
  std::int64_t now_ = 0;
  bool noisy_ = false;
  bool drives_ = false;
  int undriven_ = 0;
};

TEST(MoteusDriverFuzz, NothingIsDrivenThatWasNotAskedAndWhatIsToldIsANumber) {
  constexpr int kRounds = 300;
  for (std::uint32_t seed = 1; seed <= kRounds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Round(seed).run();
    if (HasFailure()) return;
  }
  EXPECT_GT(Round::started, kRounds / 2);
  EXPECT_GT(Round::hurt, 500U * kRounds) << "it was noisy";
  EXPECT_GT(Round::silent, 100U * kRounds) << "and the driver missed answers";
  EXPECT_GT(Round::driven, 500U * kRounds) << "and the servos were driven";
}

}  // namespace
}  // namespace jointrig::hw
