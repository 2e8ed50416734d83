#include "app/robot/joint_streams.h"

namespace jointrig {

void JointStreams::clear(const JointSet& joints) {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (joints.test(i)) streams_[i] = {};
  }
}

std::vector<Request> JointStreams::commands_at(TimeNs time) {
  StreamPosition position;
  StreamVelocity velocity;
  StreamTorque torque;
  Stop stop;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream& stream = streams_[i];
    if (stream.until && time > *stream.until) {
      stop.joints.set(i);
      stream = {};
    }
    if (stream.kind == Kind::kPosition) {
      position.joints.set(i);
      position.values.push_back({stream.value});
    } else if (stream.kind == Kind::kVelocity) {
      velocity.joints.set(i);
      velocity.values.push_back({stream.value});
    } else if (stream.kind == Kind::kTorque) {
      torque.joints.set(i);
      torque.values.push_back({stream.value});
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
