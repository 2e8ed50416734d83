#include "python/robot_facts.h"

#include <nanobind/stl/string.h>

#include <string_view>

#include "python/arrays.h"

namespace jointrig::python {

nb::dict parts_of(const RobotConfig& config) {
  nb::dict parts;
  for (const PartConfig& part : config.parts) {
    nb::list joints;
    for (const JointIndex joint : part.joints) joints.append(config.joints[joint].name);
    parts[part.name.c_str()] = nb::tuple(joints);
  }
  return parts;
}

nb::dict poses_of(const RobotConfig& config) {
  nb::dict poses;
  for (const PoseConfig& pose : config.poses) {
    nb::dict joints;
    for (std::size_t i = 0; i < pose.q.size(); ++i) {
      if (pose.q[i]) joints[config.joints[i].name.c_str()] = *pose.q[i];
    }
    poses[pose.name.c_str()] = joints;
  }
  return poses;
}

nb::dict limits_of(const RobotConfig& config) {
  nb::dict limits;
  const auto add = [&](const char* name, double JointLimits::*limit) {
    std::vector<double> values;
    for (const JointConfig& joint : config.joints) values.push_back(joint.limits.*limit);
    limits[name] = array_of(std::move(values));
  };
  add("q_min", &JointLimits::q_min);
  add("q_max", &JointLimits::q_max);
  add("soft_margin", &JointLimits::soft_margin);
  add("v_max", &JointLimits::v_max);
  add("a_max", &JointLimits::a_max);
  add("tau_max", &JointLimits::tau_max);
  add("tau_rate_max", &JointLimits::tau_rate_max);
  add("step_max", &JointLimits::step_max);
  return limits;
}

nb::dict dict_of(const ParameterTable& parameters) {
  nb::dict all;
  for (const JointParameter parameter : kAllJointParameter) {
    const std::string_view name = to_string(parameter);
    all[nb::str(name.data(), name.size())] =
        array_of(parameters[static_cast<std::size_t>(parameter)]);
  }
  return all;
}

}  // namespace jointrig::python
