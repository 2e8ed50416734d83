#include "remote/law_message.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "remote/arm_message.h"
#include "remote/robot.pb.h"

namespace jointrig::remote {
namespace {

// Weights of the whole-body controller that a panel shows: fields have the names of the members.
#define JOINTRIG_REMOTE_BODY_WEIGHTS(X) \
  X(com_weight)                         \
  X(spin_weight)                        \
  X(upright_weight)                     \
  X(posture_weight)                     \
  X(hand_weight)                        \
  X(arm_weight)                         \
  X(height_weight)

void write_law(const LawConfig& law, const RobotConfig& robot, v1::Law& one) {
  one.set_name(law.name);
  one.set_budget(law.budget);
  one.set_is_whole_body(law.is_whole_body);
  for (const JointIndex joint : law.joints) one.add_joints(robot.joints[joint].name);
  for (const LawParameter& parameter : law.parameters) {
    v1::LawParameter& to = *one.add_parameters();
    to.set_name(parameter.name);
    to.set_unit(parameter.unit);
    to.set_value(parameter.value);
    to.set_low(parameter.low);
    to.set_high(parameter.high);
    to.set_is_target(parameter.is_target);
  }
  for (const LawSignal& signal : law.signals) {
    v1::LawSignal& to = *one.add_signals();
    to.set_name(signal.name);
    to.set_unit(signal.unit);
    to.set_meaning(signal.meaning);
  }
}

LawConfig law_of(const v1::Law& one, const RobotConfig& robot) {
  LawConfig law;
  law.name = one.name();
  law.budget = one.budget();
  law.is_whole_body = one.is_whole_body();
  for (const std::string& name : one.joints()) {
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      if (robot.joints[i].name == name) law.joints.push_back(static_cast<JointIndex>(i));
    }
  }
  for (const v1::LawParameter& from : one.parameters()) {
    law.parameters.push_back(
        {from.name(), from.unit(), from.value(), from.low(), from.high(), from.is_target()});
  }
  for (const v1::LawSignal& from : one.signals()) {
    law.signals.push_back({from.name(), from.unit(), from.meaning()});
  }
  return law;
}

void write_body(const WholeBodyConfig& body, v1::WholeBody& message) {
  for (const FootConfig& foot : body.feet) {
    v1::Foot& one = *message.add_feet();
    one.set_name(foot.name);
    one.set_frame(foot.frame);
    write_array(foot.centre, one.mutable_centre());
    write_array(foot.size, one.mutable_size());
  }
  for (const HandConfig& hand : body.hands) {
    v1::Hand& one = *message.add_hands();
    one.set_name(hand.name);
    one.set_frame(hand.frame);
    one.set_gripper(hand.gripper);
  }
  message.set_chest(body.chest);
  message.set_head(body.head);
  message.set_pelvis(body.pelvis);
  for (const std::string& frame : body.upright) message.add_upright(frame);
#define JOINTRIG_WRITE(weight) message.set_##weight(body.weight);
  JOINTRIG_REMOTE_BODY_WEIGHTS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
}

WholeBodyConfig body_of(const v1::WholeBody& message) {
  WholeBodyConfig body;
  for (const v1::Foot& one : message.feet()) {
    FootConfig& foot = body.feet.emplace_back();
    foot.name = one.name();
    foot.frame = one.frame();
    read_array(one.centre(), foot.centre);
    read_array(one.size(), foot.size);
  }
  for (const v1::Hand& one : message.hands()) {
    HandConfig& hand = body.hands.emplace_back();
    hand.name = one.name();
    hand.frame = one.frame();
    hand.gripper = one.gripper();
  }
  body.chest = message.chest();
  body.head = message.head();
  body.pelvis = message.pelvis();
  body.upright.assign(message.upright().begin(), message.upright().end());
#define JOINTRIG_READ(weight) body.weight = message.weight();
  JOINTRIG_REMOTE_BODY_WEIGHTS(JOINTRIG_READ)
#undef JOINTRIG_READ
  return body;
}

void check_size(const RobotConfig& robot) {
  bool fits = robot.laws.size() <= kMaxLaws && signal_count(robot.laws) <= kMaxSignals;
  for (const LawConfig& law : robot.laws) fits = fits && law.parameters.size() <= kMaxLawParameters;
  if (robot.whole_body) fits = fits && robot.whole_body->feet.size() <= kMaxFeet;
  if (fits) return;
  throw std::invalid_argument(
      fmt::format("{} has {} laws with {} signals: this is no robot of this version", robot.name,
                  robot.laws.size(), signal_count(robot.laws)));
}

}  // namespace

void write_law_facts(const RobotConfig& robot, v1::Description& message) {
  for (const LawConfig& law : robot.laws) write_law(law, robot, *message.add_laws());
  if (robot.whole_body) write_body(*robot.whole_body, *message.mutable_whole_body());
}

void read_law_facts(const v1::Description& message, RobotConfig& robot) {
  for (const v1::Law& one : message.laws()) robot.laws.push_back(law_of(one, robot));
  if (message.has_whole_body()) robot.whole_body = body_of(message.whole_body());
  check_size(robot);
}

void write_laws(const Snapshot& snapshot, const RobotConfig& robot, v1::State& message) {
  for (std::size_t i = 0; i < snapshot.laws.size() && i < robot.laws.size(); ++i) {
    const LawSnapshot& law = snapshot.laws[i];
    v1::LawNow& one = *message.add_laws();
    one.set_state(static_cast<std::uint32_t>(law.state));
    one.set_took_us(law.took_us);
    const auto count = static_cast<std::ptrdiff_t>(robot.laws[i].parameters.size());
    one.mutable_parameters()->Add(law.parameters.begin(), law.parameters.begin() + count);
  }
  message.mutable_law_signals()->Add(snapshot.law_signals.begin(), snapshot.law_signals.end());
}

void read_laws(const v1::State& message, const RobotConfig& robot, Snapshot& snapshot) {
  snapshot.laws.resize(robot.laws.size());
  snapshot.law_signals.resize(signal_count(robot.laws));
  if (static_cast<std::size_t>(message.law_signals_size()) == snapshot.law_signals.size()) {
    std::copy(message.law_signals().begin(), message.law_signals().end(),
              snapshot.law_signals.begin());
  }
  if (static_cast<std::size_t>(message.laws_size()) != robot.laws.size()) return;
  for (std::size_t i = 0; i < robot.laws.size(); ++i) {
    const v1::LawNow& one = message.laws(static_cast<int>(i));
    LawSnapshot& law = snapshot.laws[i];
    read_word(one.state(), law.state);
    law.took_us = one.took_us();
    if (static_cast<std::size_t>(one.parameters_size()) != robot.laws[i].parameters.size()) {
      continue;
    }
    std::copy(one.parameters().begin(), one.parameters().end(), law.parameters.begin());
  }
}

}  // namespace jointrig::remote
