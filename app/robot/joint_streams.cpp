#include "app/robot/joint_streams.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace jointrig {
namespace {

/// Behind a filter a sample that changes by less in a cycle has come to rest [1/s, by the
/// quantity].
constexpr double kSteady = 1e-9;

bool has(JointStreams::Kind kind, FilterOn quantity) {
  using Kind = JointStreams::Kind;
  if (kind == Kind::kSample) return true;
  return (kind == Kind::kPosition && quantity == FilterOn::kCommandedPosition) ||
         (kind == Kind::kVelocity && quantity == FilterOn::kCommandedVelocity) ||
         (kind == Kind::kTorque && quantity == FilterOn::kCommandedTorque);
}

using Quantity = double JointStreams::Sample::*;

Quantity quantity_of(JointStreams::Kind kind) {
  using Kind = JointStreams::Kind;
  using Sample = JointStreams::Sample;
  return kind == Kind::kPosition ? &Sample::q : kind == Kind::kVelocity ? &Sample::v : &Sample::tau;
}

/// The command, with no joint.
template <typename C>
C& started(Command& command) {
  C& of = std::get<C>(command.request);
  of.joints.reset();
  of.values.clear();
  return of;
}

template <typename C>
void post_if_any(Command& command, const JointStreams::Post& post) {
  const JointSet& joints = std::get<C>(command.request).joints;
  if (joints.any()) post(command, joints);
}

}  // namespace

void JointStreams::set(const std::vector<JointIndex>& joints, Kind kind,
                       const std::vector<double>& values, std::optional<TimeNs> until) {
  ++number_;
  const Quantity quantity = quantity_of(kind);
  const TimeNs last = until.value_or(kEndless);
  bool is_as_before = is_sorted_ && !is_filtered_;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Stream& stream = streams_[joints[i]];
    if (stream.kind != kind || stream.until != last) {
      is_as_before = false;
      stream = {};
      stream.kind = kind;
      stream.until = last;
    }
    // One by one: a copy of what has just been written waits for it.
    stream.wanted.*quantity = values[i];
    stream.sent.*quantity = values[i];
    stream.unchanged = 0;
    stream.command = number_;
  }
  is_sorted_ = is_as_before;
  if (!is_as_before) return;
  // Samples of each cycle: the command is there, but for its numbers.
  if (kind == Kind::kPosition) refill<StreamPosition>(position_, joints, values);
  if (kind == Kind::kVelocity) refill<StreamVelocity>(velocity_, joints, values);
  if (kind == Kind::kTorque) refill<StreamTorque>(torque_, joints, values);
}

template <typename C>
void JointStreams::refill(Command& command, const std::vector<JointIndex>& joints,
                          const std::vector<double>& values) {
  C& of = std::get<C>(command.request);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    of.values[streams_[joints[i]].place] = {values[i]};
  }
}

void JointStreams::set_samples(const StreamTrajectory& samples) {
  ++number_;
  is_sorted_ = false;
  std::size_t place = 0;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (!samples.joints[i]) continue;
    streams_[i] = {};
    streams_[i].kind = Kind::kSample;
    streams_[i].wanted = streams_[i].sent = samples.values[place++];
    streams_[i].command = number_;
  }
}

void JointStreams::clear(const JointSet& joints) {
  if (joints.none()) return;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (!joints[i] || streams_[i].kind == Kind::kNone) continue;
    streams_[i] = {};
    is_sorted_ = false;
  }
}

JointSet JointStreams::take_ended(TimeNs time) {
  JointSet ended;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].kind != Kind::kNone && time > streams_[i].until) ended.set(i);
  }
  return ended;
}

// Filters -----------------------------------------------------------------------------------------

void JointStreams::filter(const Pass& pass) {
  filter(FilterOn::kCommandedPosition, &Sample::q, pass);
  filter(FilterOn::kCommandedVelocity, &Sample::v, pass);
  filter(FilterOn::kCommandedTorque, &Sample::tau, pass);
  filter(FilterOn::kCommandedAcceleration, &Sample::a, pass);
  is_filtered_ = true;
  is_sorted_ = false;
}

/// All joints that send this quantity together, whatever command it is of.
void JointStreams::filter(FilterOn on, Quantity quantity, const Pass& pass) {
  JointSet joints;
  std::vector<double> values;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    joints.set(i, has(streams_[i].kind, on) && !refused_[i]);
    values.push_back(streams_[i].wanted.*quantity);
  }
  if (joints.none()) return;
  const JointSet bad = pass(on, joints, values);
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (!joints[i]) continue;
    Stream& stream = streams_[i];
    const bool is_as_before = std::abs(values[i] - stream.sent.*quantity) <= kSteady;
    stream.unchanged = is_as_before ? std::min(stream.unchanged + 1, kSteadyCycles) : 0;
    stream.sent.*quantity = values[i];
    if (bad[i]) refuse_with(i);
  }
}

/// The command of this joint, whole.
void JointStreams::refuse_with(std::size_t joint) {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& stream = streams_[i];
    const bool is_of_it =
        stream.kind == streams_[joint].kind && stream.command == streams_[joint].command;
    if (is_of_it) refused_.set(i);
  }
}

/// Filters have gone.
void JointStreams::unfilter() {
  for (Stream& stream : streams_) stream.sent = stream.wanted;
  is_filtered_ = is_sorted_ = false;
}

// The commands of a cycle -------------------------------------------------------------------------

void JointStreams::sort() {
  auto& position = started<StreamPosition>(position_);
  auto& velocity = started<StreamVelocity>(velocity_);
  auto& torque = started<StreamTorque>(torque_);
  samples_.reset();
  first_end_ = kEndless;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream& stream = streams_[i];
    if (stream.kind == Kind::kNone) continue;
    first_end_ = std::min(first_end_, stream.until);
    if (stream.kind == Kind::kPosition) {
      stream.place = position.values.size();
      position.joints.set(i);
      position.values.push_back({stream.sent.q});
    } else if (stream.kind == Kind::kVelocity) {
      stream.place = velocity.values.size();
      velocity.joints.set(i);
      velocity.values.push_back({stream.sent.v});
    } else if (stream.kind == Kind::kTorque) {
      stream.place = torque.values.size();
      torque.joints.set(i);
      torque.values.push_back({stream.sent.tau});
    } else {
      samples_.set(i);
    }
  }
  is_sorted_ = true;
}

void JointStreams::send(TimeNs time, const Pass& pass, const Post& post) {
  if (!is_sorted_) sort();
  JointSet ended;
  if (time > first_end_) ended = take_ended(time);
  clear(ended);
  refused_.reset();
  if (pass) filter(pass);
  if (!pass && is_filtered_) unfilter();
  clear(refused_);
  if (!is_sorted_) sort();
  // A post may throw: samples that were given for this step go out in this step or never.
  const Samples samples = samples_.any() ? take_samples() : Samples{};
  const JointSet over = ended | refused_;
  if (over.any()) {  // a command clears the room of the largest one
    Command stop{.request = Stop{.joints = over}};
    post(stop, over);
  }
  post_if_any<StreamPosition>(position_, post);
  post_if_any<StreamVelocity>(velocity_, post);
  post_if_any<StreamTorque>(torque_, post);
  for (const auto& [number, sample] : samples) {
    Command command{.request = sample};
    post(command, sample.joints);
  }
}

/// By command, in their order; then they are over.
JointStreams::Samples JointStreams::take_samples() {
  Samples commands;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (!samples_[i]) continue;
    StreamTrajectory& samples = commands[streams_[i].command];
    samples.joints.set(i);
    samples.values.push_back(streams_[i].sent);
  }
  clear(samples_);
  return commands;
}

}  // namespace jointrig
