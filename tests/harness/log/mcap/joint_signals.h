#pragma once
/// Samples as a controlled joint gives them, for tests and for measuring: smooth, with an encoder's
/// steps in the position and a little noise in the torque.

#include <array>
#include <cmath>
#include <cstdint>
#include <random>

#include "harness/log/mcap/struct_schema.h"

namespace jointrig::harness {

struct JointSample {
  TimeStamp stamp;
  double q = 0, v = 0, tau = 0;
  double q_ref = 0, v_ref = 0, tau_ff = 0;
  double q_set = 0, v_set = 0, tau_set = 0;
  double stiffness = 0, damping = 0, duty = 0;
  double current = 0, temperature = 0, supply = 0, tau_motor = 0;
  std::uint8_t mode = 0, interaction = 0, status = 0, fault = 0;
  std::uint16_t limits = 0;
  bool moving = false, fresh = false;
};

inline StructSchema<JointSample> joint_sample_schema() {
  using S = JointSample;
  StructSchema<S> schema("jointrig_msgs/msg/Joint");
  schema.field("stamp", &S::stamp, "", "time of the cycle");
  schema.field("q", &S::q, "rad", "measured")
      .field("v", &S::v, "rad/s")
      .field("tau", &S::tau, "N·m");
  schema.field("q_ref", &S::q_ref, "rad").field("v_ref", &S::v_ref, "rad/s");
  schema.field("tau_ff", &S::tau_ff, "N·m");
  schema.field("q_set", &S::q_set, "rad").field("v_set", &S::v_set, "rad/s");
  schema.field("tau_set", &S::tau_set, "N·m").field("stiffness", &S::stiffness, "N·m/rad");
  schema.field("damping", &S::damping, "N·m·s/rad").field("duty", &S::duty);
  schema.field("current", &S::current, "A").field("temperature", &S::temperature, "degC");
  schema.field("supply", &S::supply, "V").field("tau_motor", &S::tau_motor, "N·m");
  schema.field("mode", &S::mode).field("interaction", &S::interaction);
  schema.field("status", &S::status).field("fault", &S::fault).field("limits", &S::limits);
  schema.field("moving", &S::moving).field("fresh", &S::fresh);
  return schema;
}

class JointSignals {
 public:
  JointSample at(std::int64_t cycle, int joint) {
    constexpr double kTwoPi = 6.283185307179586;
    constexpr double kCounts = 65536 / kTwoPi;  // a 16 bit encoder
    const double t = static_cast<double>(cycle) * 1e-3;
    const double w = 1.0 + 0.3 * joint;
    JointSample s;
    s.stamp = to_stamp(cycle * 1'000'000);
    s.q_ref = std::sin(w * t);
    s.v_ref = w * std::cos(w * t);
    s.q = std::round((s.q_ref - 1e-3 * std::cos(7 * t)) * kCounts) / kCounts;
    s.v = s.v_ref + 0.01 * noise_(random_);
    s.tau = 5 * std::sin(w * t + joint) + 0.02 * noise_(random_);
    s.tau_ff = 5 * std::sin(w * t + joint);
    s.q_set = s.q_ref;
    s.v_set = s.v_ref;
    s.tau_set = s.tau_ff + 300 * (s.q_ref - s.q) + 20 * (s.v_ref - s.v);
    s.stiffness = 300;
    s.damping = 20;
    s.current = s.tau_set * 0.35;
    s.temperature = 35 + 0.01 * t;
    s.supply = 48;
    s.tau_motor = s.tau_set;
    s.mode = 1;
    s.status = 3;
    s.moving = true;
    s.fresh = true;
    return s;
  }

 private:
  std::mt19937 random_{1};
  std::normal_distribution<double> noise_;
};

}  // namespace jointrig::harness
