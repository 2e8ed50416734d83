#include "control/stack/user_laws.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "control/core/user_law.h"
#include "control/stack/config_error.h"

namespace jointrig {
namespace {

/// For measuring a law only.
double seconds_on(clockid_t clock) noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + kSecondsPerNs * static_cast<double>(now.tv_nsec);
}

}  // namespace

/// Answers of the model to a law, in one cycle.
class UserLaws::Model final : public LawModel {
 public:
  Model(UserLaws& laws, PlacedModel& model, Joints joints, std::span<const ExternalTorque> external)
      : laws_(&laws), model_(&model), joints_(joints), external_(external) {}

  void serve(const Setup& setup) noexcept { setup_ = &setup; }

  void mass_matrix(double* inertia) noexcept override {
    if (!has_inertia_ && *model_) (*model_)->mass_matrix(laws_->inertia_);
    if (!has_inertia_ && !*model_) laws_->inertia_ = model_->inertia();
    has_inertia_ = true;
    const std::vector<JointIndex>& joints = setup_->config.joints;
    for (const JointIndex column : joints) {
      for (const JointIndex row : joints) *inertia++ = laws_->inertia_(row, column);
    }
  }
  void gravity(double* tau) noexcept override {
    for (const JointIndex joint : setup_->config.joints) *tau++ = model_->gravity(joint);
  }
  void coriolis(double* tau) noexcept override {
    if (!has_coriolis_ && *model_) {
      model_->place_velocities(joints_.controls);
      (*model_)->update_coriolis();
    }
    has_coriolis_ = true;
    for (const JointIndex joint : setup_->config.joints) *tau++ = model_->coriolis(joint);
  }
  void pose(std::size_t frame, double* position, double* rotation) noexcept override {
    const FramePose pose = frame < setup_->frames.size()
                               ? (*model_)->pose(setup_->frames[frame])
                               : FramePose{Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
    Eigen::Map<Eigen::Vector3d>{position} = pose.position;
    Eigen::Map<Eigen::Matrix3d>{rotation} = pose.rotation;
  }
  void jacobian(std::size_t frame, double* jacobian) noexcept override {
    const bool is_known = frame < setup_->frames.size();
    if (is_known) (*model_)->jacobian(setup_->frames[frame], laws_->jacobian_);
    for (const JointIndex joint : setup_->config.joints) {
      for (Eigen::Index row = 0; row < 6; ++row) {
        *jacobian++ = is_known ? laws_->jacobian_(row, joint) : 0.0;
      }
    }
  }
  void external_torque(double* tau) noexcept override {
    for (const JointIndex joint : setup_->config.joints) *tau++ = external_[joint].tau;
  }

 private:
  UserLaws* laws_;
  PlacedModel* model_;
  Joints joints_;
  std::span<const ExternalTorque> external_;
  const Setup* setup_ = nullptr;
  bool has_inertia_ = false;
  bool has_coriolis_ = false;
};

UserLaws::UserLaws(const RobotConfig& config, const PlacedModel& model)
    : dt_(to_seconds(config.period_ns)), torques_(config.joints.size(), 0.0) {
  const auto n = static_cast<Eigen::Index>(config.joints.size());
  if (config.laws.empty()) return;
  inertia_.setZero(n, n);
  jacobian_.setZero(6, n);
  for (const LawConfig& law : config.laws) {
    Setup setup;
    setup.config = law;
    setup.declared = declare_law(law, config);
    if (!model && !setup.declared.frames.empty()) {
      throw ConfigError(law.place + "law \"" + law.name + "\" asks for the frame \"" +
                        setup.declared.frames.front() + "\": that takes the controller's model");
    }
    for (const std::string& frame : setup.declared.frames) {
      try {
        setup.frames.push_back(model->find_frame(frame));
      } catch (const ModelError& e) {
        throw ConfigError(law.place + "law \"" + law.name + "\": " + e.what());
      }
    }
    One one;
    for (const LawParameter& parameter : setup.declared.parameters) {
      one.parameters.push_back(parameter.value);
    }
    one.memory.assign(setup.declared.memory, 0.0);
    one.signals.assign(setup.declared.signals.size(), 0.0);
    one.tau.assign(law.joints.size(), 0.0);
    one.on = law.on;
    setup.q = setup.v = setup.tau_board = one.tau;
    setups_.push_back(std::move(setup));
    state_.laws.push_back(std::move(one));
  }
}

Refusal UserLaws::check(LawIndex law) const noexcept {
  if (law < setups_.size()) return {};
  return {RejectReason::kUnknownLaw, kNoJoint, static_cast<double>(law),
          static_cast<double>(setups_.size())};
}

Refusal UserLaws::check(const SetLawParameter& command) const noexcept {
  if (const Refusal r = check(command.law)) return r;
  const std::vector<LawParameter>& parameters = setups_[command.law].declared.parameters;
  if (command.parameter >= parameters.size()) {
    return {RejectReason::kUnknownLaw, kNoJoint, static_cast<double>(command.parameter),
            static_cast<double>(parameters.size()), 2};
  }
  const LawParameter& parameter = parameters[command.parameter];
  const double value = command.value;
  if (value >= parameter.low && value <= parameter.high) return {};
  return {RejectReason::kOutOfRange, kNoJoint, value,
          value < parameter.low ? parameter.low : parameter.high, 3};
}

void UserLaws::take(const SwitchLaw& command) noexcept {
  One& law = state_.laws[command.law];
  if (command.on && law.failed) {
    law.failed = false;
    law.late = 0;
  }
  law.on = command.on;
}

void UserLaws::take(const SetLawParameter& command) noexcept {
  state_.laws[command.law].parameters[command.parameter] = command.value;
}

bool UserLaws::may_run(std::size_t i, std::span<const JointControl> controls) const noexcept {
  const LawConfig& law = setups_[i].config;
  return std::all_of(law.joints.begin(), law.joints.end(),
                     [&](JointIndex joint) { return controls[joint].is_free_for_law(law.modes); });
}

bool UserLaws::is_on(const WholeBody& body) const noexcept {
  if (body.law() >= setups_.size()) return false;
  const One& law = state_.laws[body.law()];
  return law.on && !law.failed;
}

WholeBody::Wish UserLaws::wish_of(const WholeBody& body, ConstJoints joints) const noexcept {
  if (body.law() >= setups_.size()) return {};
  const One& law = state_.laws[body.law()];
  const bool is_asked = law.on && may_run(body.law(), joints.controls);
  return {.runs = is_asked && body.may_run(),
          .asked = is_asked,
          .failed = law.failed,
          .parameters = law.parameters};
}

void UserLaws::take_over(std::size_t i, const WholeBody& body, EventReporter& events) noexcept {
  One& law = state_.laws[i];
  if (law.on) std::copy(body.torques().begin(), body.torques().end(), law.tau.begin());
  std::copy(body.signals().begin(), body.signals().end(), law.signals.begin());
  if (!body.failure()) return;
  law.failed = true;
  Event e = events.event(EventKind::kLawFailed, kNoJoint);
  e.law = static_cast<LawIndex>(i);
  e.detail = static_cast<std::uint8_t>(body.failure()->why);
  e.value = body.failure()->value;
  e.limit = body.failure()->limit;
  e.direction = static_cast<float>(body.failure()->direction);
  events.publish(e);
}

void UserLaws::advance(PlacedModel& model, Joints joints, const WholeBody& body,
                       std::span<const ExternalTorque> external, double time,
                       EventReporter& events) noexcept {
  if (setups_.empty()) return;
  std::fill(torques_.begin(), torques_.end(), 0.0);
  Model asked(*this, model, joints, external);
  for (std::size_t i = 0; i < setups_.size(); ++i) {
    asked.serve(setups_[i]);
    setups_[i].waits = i == body.law() && !body.may_run();
    setups_[i].holds = i == body.law() && body.holds();
    if (i == body.law()) take_over(i, body, events);
    advance_one(i, asked, joints, time, events);
  }
}

void UserLaws::advance_one(std::size_t i, Model& model, Joints joints, double time,
                           EventReporter& events) noexcept {
  Setup& setup = setups_[i];
  One& law = state_.laws[i];
  const std::vector<JointIndex>& claimed = setup.config.joints;
  setup.took = 0.0;
  // The whole-body controller damps its joints after it has failed.
  const bool is_out = law.failed && !setup.config.is_whole_body;
  if (is_out || setup.waits || !may_run(i, joints.controls)) {
    law.share = 0.0;
    const LawState ready = setup.holds ? LawState::kHolds : LawState::kWaits;
    const LawState idle = law.on ? ready : LawState::kOff;
    show(i, law.failed ? LawState::kFailed : idle, events);
    return;
  }
  if (law.on && !setup.config.is_whole_body) {
    if (!run(i, model, joints, time)) {
      return shut_out(i, LawFailure::kThrew, claimed.front(), 0.0, 0.0, joints, events);
    }
    for (std::size_t k = 0; k < claimed.size(); ++k) {
      if (std::isfinite(law.tau[k])) continue;
      return shut_out(i, LawFailure::kNotFinite, claimed[k], law.tau[k], 0.0, joints, events);
    }
    law.late = setup.took > setup.config.budget ? law.late + 1 : 0;
    if (law.late >= kPatience) {
      return shut_out(i, LawFailure::kOverran, claimed.front(), setup.took, setup.config.budget,
                      joints, events);
    }
  }
  blend(i);
  const LawState now = law.on ? LawState::kRuns : LawState::kOff;
  show(i, law.failed ? LawState::kFailed : now, events);
}

void UserLaws::blend(std::size_t i) noexcept {
  One& law = state_.laws[i];
  const std::vector<JointIndex>& claimed = setups_[i].config.joints;
  const double step = dt_ / JointLaw::kBlendTime;
  law.share = std::clamp(law.share + (law.on ? step : -step), 0.0, 1.0);
  for (std::size_t k = 0; k < claimed.size(); ++k) torques_[claimed[k]] += law.share * law.tau[k];
}

bool UserLaws::run(std::size_t i, Model& model, Joints joints, double time) noexcept {
  Setup& setup = setups_[i];
  One& law = state_.laws[i];
  const std::size_t n = setup.config.joints.size();
  for (std::size_t k = 0; k < n; ++k) {
    const JointState& joint = joints.controls[setup.config.joints[k]].state();
    setup.q[k] = joint.q;
    setup.v[k] = joint.v;
    setup.tau_board[k] = joint.tau;
  }
  const bool starts = law.shown != LawState::kRuns;
  if (starts) std::fill(law.memory.begin(), law.memory.end(), 0.0);
  std::fill(law.tau.begin(), law.tau.end(), 0.0);
  LawCycle cycle{.joints = n,
                 .time = time,
                 .dt = dt_,
                 .starts = starts,
                 .q = setup.q.data(),
                 .v = setup.v.data(),
                 .tau_board = setup.tau_board.data(),
                 .parameter = law.parameters.data(),
                 .memory = law.memory.data(),
                 .signal = law.signals.data(),
                 .tau = law.tau.data(),
                 .model = &model};
  const clockid_t clock = is_paced_ ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
  const double began = seconds_on(clock);
  bool is_well = true;
  call_.law.store(static_cast<LawIndex>(i), std::memory_order_relaxed);
  call_.number.fetch_add(1, std::memory_order_release);
  try {
    setup.declared.law->torque(cycle);
  } catch (...) {
    is_well = false;
  }
  call_.number.fetch_add(1, std::memory_order_release);
  setup.took = seconds_on(clock) - began;
  return is_well;
}

void UserLaws::shut_out(std::size_t i, LawFailure why, JointIndex joint, double value, double limit,
                        Joints joints, EventReporter& events) noexcept {
  One& law = state_.laws[i];
  law.failed = true;
  law.share = 0.0;
  for (const JointIndex claimed : setups_[i].config.joints) {
    joints.controls[claimed].hold(JointActivity::kLaw, joints.setups[claimed]);
  }
  Event e = events.event(EventKind::kLawFailed, joint, joints.controls[joint]);
  e.law = static_cast<LawIndex>(i);
  e.detail = static_cast<std::uint8_t>(why);
  e.value = value;
  e.limit = limit;
  events.publish(e);
  show(i, LawState::kFailed, events);
}

void UserLaws::show(std::size_t i, LawState state, EventReporter& events) noexcept {
  One& law = state_.laws[i];
  if (law.shown == state) return;
  law.shown = state;
  Event e = events.event(EventKind::kLawState, kNoJoint);
  e.law = static_cast<LawIndex>(i);
  e.detail = static_cast<std::uint8_t>(state);
  events.publish(e);
}

void UserLaws::publish(PerLaw<LawSnapshot>& shown, std::span<double> signals) const noexcept {
  constexpr double kMicro = 1e6;
  for (std::size_t i = 0; i < setups_.size(); ++i) {
    const One& law = state_.laws[i];
    std::copy(law.parameters.begin(), law.parameters.end(), shown[i].parameters.begin());
    std::copy(law.signals.begin(), law.signals.end(), signals.begin());
    signals = signals.subspan(law.signals.size());
    shown[i].took_us = static_cast<float>(kMicro * setups_[i].took);
    shown[i].state = law.shown;
  }
}

void UserLaws::restore(const State& state) { state_ = state; }

}  // namespace jointrig
