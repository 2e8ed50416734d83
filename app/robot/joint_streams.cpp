#include "app/robot/joint_streams.h"

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

/// Behind a filter a sample that changes by less in a cycle has come to rest [1/s, by the
/// quantity].
constexpr double kSteady = 1e-9;

}  // namespace

void JointStreams::set(const std::vector<JointIndex>& joints, Kind kind,
                       const std::vector<double>& values, std::optional<TimeNs> until) {
  ++commands_;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    streams_[joints[i]] = {kind, values[i], values[i], 0, commands_, until};
  }
}

void JointStreams::clear(const JointSet& joints) {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (joints.test(i)) streams_[i] = {};
  }
}

JointSet JointStreams::of_kind(Kind kind) const {
  JointSet joints;
  for (std::size_t i = 0; i < streams_.size(); ++i) joints.set(i, streams_[i].kind == kind);
  return joints;
}

void JointStreams::filter(Kind kind, const Pass& pass) {
  const JointSet joints = of_kind(kind);
  if (joints.none()) return;
  std::vector<double> values;
  for (const Stream& stream : streams_) values.push_back(stream.value);
  const JointSet bad = pass(kind, joints, values);
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (!joints.test(i)) continue;
    const bool is_same_as_before = std::abs(values[i] - streams_[i].sent) <= kSteady;
    streams_[i].unchanged =
        is_same_as_before ? std::min(streams_[i].unchanged + 1, kSteadyCycles) : 0;
    streams_[i].sent = values[i];
    if (!bad.test(i)) continue;
    for (std::size_t k = 0; k < streams_.size(); ++k) {
      const bool is_same = joints.test(k) && streams_[k].command == streams_[i].command;
      if (is_same) refused_.set(k);
    }
  }
}

std::vector<Request> JointStreams::commands_at(TimeNs time, const Pass& pass) {
  StreamPosition position;
  StreamVelocity velocity;
  StreamTorque torque;
  Stop stop;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream& stream = streams_[i];
    if (!stream.until || time <= *stream.until) continue;
    stop.joints.set(i);
    stream = {};
  }
  refused_.reset();
  for (const Kind kind : {Kind::kPosition, Kind::kVelocity, Kind::kTorque}) filter(kind, pass);
  stop.joints |= refused_;
  clear(refused_);
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& stream = streams_[i];
    if (stream.kind == Kind::kPosition) {
      position.joints.set(i);
      position.values.push_back({stream.sent});
    } else if (stream.kind == Kind::kVelocity) {
      velocity.joints.set(i);
      velocity.values.push_back({stream.sent});
    } else if (stream.kind == Kind::kTorque) {
      torque.joints.set(i);
      torque.values.push_back({stream.sent});
    }
  }
  std::vector<Request> commands;
  if (stop.joints.any()) commands.emplace_back(stop);
  if (position.joints.any()) commands.emplace_back(position);
  if (velocity.joints.any()) commands.emplace_back(velocity);
  if (torque.joints.any()) commands.emplace_back(torque);
  return commands;
}

}  // namespace jointrig
