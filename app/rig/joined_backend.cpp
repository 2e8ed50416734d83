#include "app/rig/joined_backend.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace jointrig::app {
namespace {

constexpr std::size_t kLeftOut = ~std::size_t{0};

/// Adds the sites that the robot hasn't yet; a sensor that two parts have is that of the first.
std::vector<std::size_t> add_sites(const std::vector<std::string>& sites,
                                   std::vector<std::string>& all) {
  std::vector<std::size_t> places;
  for (const std::string& site : sites) {
    const bool is_new = std::find(all.begin(), all.end(), site) == all.end();
    places.push_back(is_new ? all.size() : kLeftOut);
    if (is_new) all.push_back(site);
  }
  return places;
}

template <typename Samples>
void put(const Samples& from, const std::vector<std::size_t>& places, Samples& to) noexcept {
  for (std::size_t i = 0; i < std::min<std::size_t>(from.size(), places.size()); ++i) {
    if (places[i] != kLeftOut) to[places[i]] = from[i];
  }
}

}  // namespace

JoinedBackend::JoinedBackend(TimeNs period_ns, std::size_t joints, std::vector<JoinedPart> parts,
                             sim::Pacer* pacer)
    : description_{.name = {}, .period_ns = period_ns}, pacer_(pacer) {
  description_.joints.resize(joints);
  std::vector<bool> seen(joints, false);
  parts_.reserve(parts.size());
  for (JoinedPart& part : parts) {
    if (part.keeps_time && keeper_) {
      throw std::invalid_argument(parts_[*keeper_].name + " and " + part.name +
                                  " both keep time: a robot has one clock");
    }
    if (part.keeps_time) keeper_ = parts_.size();
    describe(parts_.emplace_back(Part{std::move(part), {}}), seen);
  }
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing != seen.end()) {
    throw std::invalid_argument(
        fmt::format("joint {} of the robot is on no backend", missing - seen.begin()));
  }
  if (description_.force_torque_sites.size() > kMaxForceTorqueSensors ||
      description_.imu_sites.size() > kMaxImus) {
    throw std::invalid_argument("the backends " + description_.name +
                                " have more sensors than one robot can");
  }
}

void JoinedBackend::describe(Part& part, std::vector<bool>& seen) {
  const BackendDescription& its = part.backend->description();
  const TimeNs period = description_.period_ns;
  if (its.period_ns % period != 0 || (part.keeps_time && its.period_ns != period)) {
    throw std::invalid_argument(
        fmt::format("the cycle of {}, {} us, is no whole multiple of the robot's period, {} us",
                    part.name, its.period_ns / 1000, period / 1000));
  }
  if (its.joints.size() != part.joints.size()) {
    throw std::invalid_argument(part.name + " has other joints than the robot has on it");
  }
  part.every = static_cast<std::uint64_t>(its.period_ns / period);
  part.sample.joints.resize(its.joints.size());
  part.command.joints.resize(its.joints.size());
  for (std::size_t j = 0; j < part.joints.size(); ++j) {
    const JointIndex joint = part.joints[j];
    if (joint == kNoJoint) continue;
    if (joint >= seen.size() || seen[joint]) {
      throw std::invalid_argument("joint " + its.joints[j].joint +
                                  " is on two backends, one of them " + part.name);
    }
    seen[joint] = true;
    description_.joints[joint] = its.joints[j];
    if (part.every > 1) description_.joints[joint].cycle_ns = its.period_ns;
  }
  const std::string known = "+" + description_.name + "+";
  if (known.find("+" + part.name + "+") == std::string::npos) {
    description_.name += (description_.name.empty() ? "" : "+") + part.name;
  }
  part.forces = add_sites(its.force_torque_sites, description_.force_torque_sites);
  part.imus = add_sites(its.imu_sites, description_.imu_sites);
  if (its.gives_base && !base_) base_ = static_cast<std::size_t>(&part - parts_.data());
  description_.gives_base = base_.has_value();
}

/// The one that keeps time last: its boards wait for their next setpoint from then on.
void JoinedBackend::start() {
  std::vector<Part*> order;
  for (Part& part : parts_) {
    if (!part.keeps_time) order.push_back(&part);
  }
  if (keeper_) order.push_back(&parts_[*keeper_]);
  for (Part* part : order) {
    try {
      part->backend->start();
    } catch (const std::runtime_error& error) {
      stop();
      throw std::runtime_error(part->name + ": " + error.what());
    }
  }
  if (pacer_ != nullptr && !keeper_) pacer_->start();
}

/// @return false: the run is over
bool JoinedBackend::wait_for(std::size_t index) noexcept {
  Part& part = parts_[index];
  if (part.has_ended || !is_due(part) || part.backend->wait().is_due) return true;
  part.has_ended = true;
  if (keeper_) return true;
  ended_by_ = index;
  return false;
}

Tick JoinedBackend::wait() noexcept {
  if (ended_by_) return kRunIsOver;
  Tick tick;
  if (keeper_) {
    tick = parts_[*keeper_].backend->wait();
    if (!tick.is_due) ended_by_ = keeper_;
    if (!tick.is_due) return kRunIsOver;
  }
  if (!first_) ++cycle_;
  first_ = false;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (i != keeper_ && !wait_for(i)) return kRunIsOver;
  }
  if (pacer_ != nullptr && !keeper_) {
    const TimeNs now = static_cast<TimeNs>(cycle_) * description_.period_ns;
    tick.late_ns = pacer_->wait_until(now);
  }
  return tick;
}

void JoinedBackend::read(RobotState& state) noexcept {
  state.cycle = cycle_;
  state.time_ns = static_cast<TimeNs>(cycle_) * description_.period_ns;
  state.joints.resize(description_.joints.size());
  state.force_torque.resize(description_.force_torque_sites.size());
  state.imus.resize(description_.imu_sites.size());
  for (Part& part : parts_) {
    if (is_due(part) && !part.has_ended) {
      part.backend->read(part.sample);
    } else if (is_due(part)) {
      for (JointState& joint : part.sample.joints) ++joint.missed;
    }
    read(part, state);
  }
  if (keeper_) {
    state.cycle = parts_[*keeper_].sample.cycle;
    state.time_ns = parts_[*keeper_].sample.time_ns;
  }
  if (base_) {
    state.base = parts_[*base_].sample.base;
  } else {
    state.base = {};
  }
  for (const Part& part : parts_) {
    if (part.led != nullptr) lead(part, state);
  }
}

void JoinedBackend::read(const Part& part, RobotState& state) const noexcept {
  const auto since = static_cast<TimeNs>(cycle_ % part.every) * description_.period_ns;
  for (std::size_t j = 0; j < part.joints.size(); ++j) {
    if (part.joints[j] == kNoJoint) continue;
    JointState& joint = state.joints[part.joints[j]];
    joint = part.sample.joints[j];
    joint.extrapolated = joint.extrapolated || since > 0 || part.has_ended;
    if (!part.has_ended) joint.q += joint.v * to_seconds(since);
    if (part.has_ended) joint.v = 0.0;
  }
  put(part.sample.force_torque, part.forces, state.force_torque);
  put(part.sample.imus, part.imus, state.imus);
}

void JoinedBackend::lead(const Part& part, const RobotState& state) noexcept {
  JointSet own;
  for (const JointIndex joint : part.joints) {
    if (joint != kNoJoint) own.set(joint);
  }
  for (std::size_t i = 0; i < state.joints.size(); ++i) {
    if (!own.test(i)) part.led->lead(i, state.joints[i]);
  }
}

/// A part also tells of joints that others drive: nobody is interested.
std::optional<BoardNotice> JoinedBackend::next_notice() noexcept {
  for (Part& part : parts_) {
    if (part.has_ended) continue;
    while (std::optional<BoardNotice> notice = part.backend->next_notice()) {
      if (notice->joint >= part.joints.size()) return notice;
      notice->joint = part.joints[notice->joint];
      if (notice->joint != kNoJoint) return notice;
    }
  }
  return std::nullopt;
}

void JoinedBackend::write(const RobotCommand& command) noexcept {
  for (Part& part : parts_) {
    if (part.has_ended || (cycle_ + 1) % part.every != 0) continue;
    part.command.cycle = part.sample.cycle;
    for (std::size_t j = 0; j < part.joints.size(); ++j) {
      if (part.joints[j] != kNoJoint) part.command.joints[j] = command.joints[part.joints[j]];
    }
    part.backend->write(part.command);
  }
}

void JoinedBackend::stop() noexcept {
  for (Part& part : parts_) part.backend->stop();
}

JoinedBackend::State JoinedBackend::save() const {
  State state{{}, cycle_, first_};
  for (const Part& part : parts_) state.parts.push_back(static_cast<const PartState&>(part));
  return state;
}

void JoinedBackend::restore(const State& state) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    static_cast<PartState&>(parts_[i]) = state.parts[i];
  }
  cycle_ = state.cycle;
  first_ = state.first;
  ended_by_.reset();
}

}  // namespace jointrig::app
