#include "python/views.h"

#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "remote/state_fields.h"

namespace jointrig::python {
namespace {

/// The number behind an enumeration or a set of bits.
template <typename T>
struct Stored {
  using Number = std::conditional_t<std::is_enum_v<T>, std::uint8_t, T>;
};
template <>
struct Stored<LimitNotices> {
  using Number = std::uint8_t;
};
template <typename Enum>
struct Stored<FewBits<Enum>> {
  using Number = std::uint16_t;
};

/// Makes arrays whose memory the owner keeps.
class ViewMaker {
 public:
  explicit ViewMaker(const SnapshotOwner& owner)
      : owner_(new SnapshotOwner(owner),
               [](void* kept) noexcept { delete static_cast<SnapshotOwner*>(kept); }) {}

  /// One number of each of `count` objects that lie `Stride` bytes apart.
  template <std::size_t Stride, typename T>
  [[nodiscard]] nb::object strided(const T& first, std::size_t count) const {
    using Number = Stored<T>::Number;
    static_assert(sizeof(T) == sizeof(Number) && Stride % sizeof(Number) == 0);
    return array<Number>(&first, {count}, {static_cast<std::int64_t>(Stride / sizeof(Number))});
  }

  /// The numbers of an array inside the snapshot.
  template <typename T, std::size_t kSize>
  [[nodiscard]] nb::object whole(const std::array<T, kSize>& numbers) const {
    return array<typename Stored<T>::Number>(numbers.data(), {kSize}, {1});
  }

  template <typename Number>
  [[nodiscard]] nb::object array(const void* first, std::initializer_list<std::size_t> shape,
                                 std::initializer_list<std::int64_t> strides) const {
    using Array = nb::ndarray<nb::numpy, const Number>;
    // Read-only by its type: nanobind takes the address of what is never written through it.
    return nb::cast(Array(const_cast<void*>(first), shape, owner_, strides));
  }

 private:
  nb::capsule owner_;
};

}  // namespace

nb::dict joint_views(const SnapshotOwner& owner, const Snapshot& now) {
  const ViewMaker views(owner);
  const std::size_t count = now.joints.size();
  nb::dict all;
  if (count > 0) {
    const JointSnapshot& first = now.joints[0];
    const auto add = [&](const char* name, const auto& member) {
      all[name] = views.strided<sizeof(JointSnapshot)>(member, count);
    };
#define JOINTRIG_VIEW(name, member) add(#name, first.member);
    JOINTRIG_REMOTE_JOINT_NUMBERS(JOINTRIG_VIEW)
    JOINTRIG_REMOTE_JOINT_BYTES(JOINTRIG_VIEW)
#undef JOINTRIG_VIEW
    add("progress", first.state.progress);
    add("missed", first.state.missed);
    constexpr std::size_t kCount = sizeof(std::uint32_t);
    static_assert(sizeof(JointSnapshot) % kCount == 0);
    all["limit_cycles"] =
        views.array<std::uint32_t>(first.limit_cycles.data(), {count, first.limit_cycles.size()},
                                   {static_cast<std::int64_t>(sizeof(JointSnapshot) / kCount), 1});
  }
  all["base_position"] = views.whole(now.base.position);
  all["base_orientation"] = views.whole(now.base.orientation);
  all["base_linear_velocity"] = views.whole(now.base.linear_velocity);
  all["base_angular_velocity"] = views.whole(now.base.angular_velocity);
  // Force and torque of a sensor lie beside each other.
  static_assert(offsetof(ForceTorqueState, torque) == 3 * sizeof(double));
  all["force_torque"] = views.array<double>(
      now.force_torque.data(), {now.force_torque.size(), 6},
      {static_cast<std::int64_t>(sizeof(ForceTorqueState) / sizeof(double)), 1});
  return all;
}

nb::dict arm_views(const SnapshotOwner& owner, const Snapshot& now, const RobotConfig& robot) {
  const ViewMaker views(owner);
  nb::dict all;
  for (std::size_t i = 0; i < now.arms.size(); ++i) {
    const ArmSnapshot& arm = now.arms[i];
    nb::dict one;
#define JOINTRIG_VIEW(name, member) one[#name] = views.whole(arm.member);
    JOINTRIG_REMOTE_ARM_NUMBERS(JOINTRIG_VIEW)
#undef JOINTRIG_VIEW
    const auto add = [&](const char* name, const auto& member) {
      one[name] = views.strided<sizeof(ArmSnapshot)>(member, 1);
    };
    add("drive_share", arm.drive.share);
    add("drive_left", arm.drive.left);
    add("drives", arm.drive.is_on);
    add("damping_ratio", arm.damping_ratio);
    add("payload_mass", arm.payload.mass);
    add("timeout_left", arm.timeout_left);
    add("cuff_left", arm.interaction.cuff_left);
    add("drift", arm.interaction.drift);
    add("_terms", arm.terms);
    add("_limits", arm.limits);
    add("interaction", arm.interaction.active);
    add("cuff", arm.interaction.cuff);
    add("_guide", arm.interaction.guide);
    add("_sensor", arm.forces.sensor);
    add("taring", arm.forces.taring);
    add("knows_external", arm.forces.has_external);
    add("runs", arm.runs);
    add("moving", arm.moving);
    add("timed_out", arm.timed_out);
    all[robot.arms[i].name.c_str()] = one;
  }
  return all;
}

nb::dict gripper_views(const SnapshotOwner& owner, const Snapshot& now, const RobotConfig& robot) {
  const ViewMaker views(owner);
  nb::dict all;
  for (std::size_t i = 0; i < now.grippers.size(); ++i) {
    const GripperSnapshot& gripper = now.grippers[i];
    nb::dict one;
    const auto add = [&](const char* name, const auto& member) {
      one[name] = views.strided<sizeof(GripperSnapshot)>(member, 1);
    };
    add("_width", gripper.width);
    add("_share", gripper.share);
    add("_force", gripper.force);
    add("_asked", gripper.asked);
    add("_state", gripper.state);
    all[robot.grippers[i].name.c_str()] = one;
  }
  return all;
}

nb::list plans_of(const Snapshot& now, const RobotConfig& robot) {
  nb::list all;
  for (const PlanSnapshot& plan : now.plans) {
    nb::list joints;
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      if (plan.joints[i]) joints.append(nb::str(robot.joints[i].name.c_str()));
    }
    nb::dict one;
    one["joints"] = nb::tuple(joints);
    one["time"] = plan.time;
    one["duration"] = plan.duration;
    one["pace"] = plan.pace;
    one["waypoint"] = plan.waypoint;
    one["waypoints"] = plan.waypoints;
    one["number"] = plan.number;
    all.append(one);
  }
  return all;
}

nb::dict laws_of(const Snapshot& now, const RobotConfig& robot) {
  nb::dict all;
  for (std::size_t i = 0; i < now.laws.size(); ++i) {
    const LawSnapshot& law = now.laws[i];
    const LawConfig& config = robot.laws[i];
    nb::dict parameters;
    for (std::size_t k = 0; k < config.parameters.size(); ++k) {
      parameters[config.parameters[k].name.c_str()] = law.parameters[k];
    }
    nb::dict signals;
    const std::size_t first = first_signal(robot.laws, i);
    for (std::size_t k = 0; k < config.signals.size(); ++k) {
      signals[config.signals[k].name.c_str()] = now.law_signals[first + k];
    }
    const std::string_view state = to_string(law.state);
    nb::dict one;
    one["state"] = nb::str(state.data(), state.size());
    one["parameters"] = parameters;
    one["signals"] = signals;
    one["took"] = 1e-6 * static_cast<double>(law.took_us);
    all[config.name.c_str()] = one;
  }
  return all;
}

nb::dict obstacles_of(const Snapshot& now) {
  const auto row = [](std::span<const double> numbers) {
    nb::list list;
    for (const double number : numbers) list.append(number);
    return nb::tuple(list);
  };
  const auto text = [](std::string_view words) { return nb::str(words.data(), words.size()); };
  nb::dict all;
  for (const KnownObstacle& obstacle : now.obstacles) {
    nb::dict one;
    one["shape"] = text(to_string(obstacle.shape));
    one["size"] = row(std::span(obstacle.size).first(size_count(obstacle.shape)));
    one["position"] = row(obstacle.position);
    one["orientation"] = row(obstacle.orientation);
    one["velocity"] = row(obstacle.velocity);
    one["moves_for"] = obstacle.moves_for;
    all[text(text_of(obstacle.name))] = one;
  }
  return all;
}

}  // namespace jointrig::python
