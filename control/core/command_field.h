#pragma once
/// A field of a command: its name, its quantity and the range that admission (control/safety)
/// checks. A command's struct lists its fields once; messages, logs, scenario files, the panel and
/// the tables in docs read them here.
///
/// Outside the loop a command's fields are numbers in a row, at places counted from 0. A number, a
/// flag and a word of an enumeration (its index) take one place each; a list takes one place per
/// element. A list without a fixed size is the last field.

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "control/core/enumeration.h"
#include "control/core/fixed_vector.h"
#include "control/core/quantity.h"

namespace jointrig {

/// Range, and its text for messages. A name with `max` is a setting of the joint or the arm.
#define JOINTRIG_RANGES(X)                                                                        \
  X(kFinite, "any", "any finite number")                                                          \
  X(kShaped, "shaped", "any finite number: limits shape it")                                      \
  X(kWord, "word", "one of its words")                                                            \
  X(kFlag, "flag", "true or false")                                                               \
  X(kSoftLimits, "soft_limits", "inside the soft limits")                                         \
  X(kSpeed, "speed", "0 to v_max; 0: half of it")                                                 \
  X(kVelocity, "velocity", "−v_max to v_max")                                                     \
  X(kAcceleration, "acceleration", "0 to a_max; 0: a_max")                                        \
  X(kJerk, "jerk", "0 to 0.4 of what the torque rate allows; 0: that")                            \
  X(kTorque, "torque", "−tau_max to tau_max")                                                     \
  X(kShare, "share", "−1 to 1")                                                                   \
  X(kDuration, "duration", "no shorter than its limits allow")                                    \
  X(kJointStiffness, "joint_stiffness", "0 to the most that a cycle of delay bears")              \
  X(kJointDamping, "joint_damping", "0 to the most that a cycle of delay bears")                  \
  X(kParameter, "parameter", "by the parameter: docs/panel.md")                                   \
  X(kSpeedOverride, "speed_override", "0.01 to 1")                                                \
  X(kReach, "reach", "within the arm's length of its shoulder")                                   \
  X(kUnitLength, "unit_length", "a quaternion of length 1")                                       \
  X(kToolStiffness, "tool_stiffness",                                                             \
    "0 to stiffness_max; a matrix: symmetric, no eigenvalue below 0")                             \
  X(kToolDamping, "tool_damping", "0 to damping_max; a matrix: symmetric, no eigenvalue below 0") \
  X(kDampingRatio, "damping_ratio", "0 to 2")                                                     \
  X(kSwitchedTerm, "switched_term", "a term that can be switched")                                \
  X(kFilter, "filter", "0 to half the loop's rate; 0: none")                                      \
  X(kPayload, "payload", "0 to payload_max")                                                      \
  X(kNearTool, "near_tool", "−1 to 1")                                                            \
  X(kToolInertia, "tool_inertia", "inertia_min to inertia_max; all 0: the arm's own")             \
  X(kLoadInertia, "load_inertia", "that of a rigid body; all 0: a point mass")                    \
  X(kForce, "force", "−force_max to force_max; a limit's is 0 or more")                           \
  X(kPostureStiffness, "posture_stiffness", "0 to posture_stiffness_max")                         \
  X(kGrasp, "grasp", "0 to 600")                                                                  \
  X(kTicket, "ticket", "that of a plan that waits in the pool")                                   \
  X(kLaw, "law", "number of one of the robot's laws, or of its parameter, from 0")                \
  X(kLawParameter, "law_parameter", "that of the parameter, by the law")                          \
  X(kMessageId, "message_id", "1 or more, the sender's choice")                                   \
  X(kPreviousId, "previous_id", "with queue: id of the last message of the part")                 \
  X(kHand, "hand", "number of one of the hands, from 0")                                          \
  X(kFoot, "foot", "number of one of the feet, from 0")                                           \
  X(kBearing, "bearing", "above 0, to hand_force_max")                                            \
  X(kUnitNormal, "unit_normal", "a vector of length 1")                                           \
  X(kWaypoints, "waypoints", "1 to 16 rows: docs/whole-body.md")                                  \
  X(kTaskWeight, "task_weight", "0 to 1e4; 0: that of robot.yaml")                                \
  X(kIntegration, "integration", "with stream: 0.002 to 1")                                       \
  X(kStepTime, "step_time", "0.1 to 10")                                                          \
  X(kSwingHeight, "swing_height", "0 to 0.3; 0: the robot's own")                                 \
  X(kUserAcceleration, "user_acceleration", "−acceleration_max to acceleration_max")              \
  X(kGripper, "gripper", "number of one of the robot's grippers, from 0")                         \
  X(kOpening, "opening", "0 to the gripper's width; as a share 0 to 1")                           \
  X(kGripperSpeed, "gripper_speed", "0 to what the joints' v_max allow; 0: half of it")           \
  X(kGripperWidth, "gripper_width", "0 to the gripper's width")                                   \
  X(kGraspForce, "grasp_force", "what friction leaves to force_max; 0: the gripper's own")        \
  X(kObstacleName, "obstacle_name", "a name of 1 to 16 bytes")                                    \
  X(kObstacleSize, "obstacle_size", "0.001 to 10; 0 where the shape has no such size")            \
  X(kObstaclePlace, "obstacle_place", "−100 to 100")                                              \
  X(kObstacleSpeed, "obstacle_speed", "−10 to 10")                                                \
  X(kObstacleTime, "obstacle_time", "0 to 60")                                                    \
  X(kArmNumber, "arm_number", "number of one of the robot's arms, from 0")                        \
  X(kToolVelocity, "tool_velocity", "at most speed_max, about its axis rotation_speed_max")       \
  X(kDriveTime, "drive_time", "above 0, to 600")                                                  \
  X(kFreeFall, "free_fall", "a vector no longer than 20")
JOINTRIG_ENUM(Range, JOINTRIG_RANGES)

#define JOINTRIG_RANGE_TEXT(member, word, sentence) std::string_view{sentence},
constexpr std::string_view describe(Range range) noexcept {
  constexpr std::array kSentences{JOINTRIG_RANGES(JOINTRIG_RANGE_TEXT)};
  return kSentences[static_cast<std::size_t>(range)];
}

template <typename Owner, typename Member>
struct Field {
  std::string_view name;
  Member Owner::*member;
  QuantityKind quantity = QuantityKind::kNone;
  Range range = Range::kFinite;
};

/// The fields of a struct, in order: `list(use)` calls `use(first, second, ...)`. A std::tuple
/// would do the same, but choosing among its constructors took a second in each file that names a
/// command.
template <typename... Fields>
constexpr auto field_list(Fields... of) noexcept {
  return [of...](auto&& use) { return use(of...); };
}

/// One list after another.
template <typename List>
constexpr auto joined_fields(List list) noexcept {
  return list;
}
template <typename First, typename... Others>
constexpr auto joined_fields(First first, Others... others) noexcept {
  return first([&](auto... before) {
    return joined_fields(others...)([&](auto... after) { return field_list(before..., after...); });
  });
}

// Conversion between a member and a number -------------------------------------------------------

template <typename T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <Scalar T>
constexpr double as_number(T value) noexcept {
  return static_cast<double>(value);
}
/// An index beyond the last word of an enumeration, or the last hand, stays as it is, so that
/// admission can refuse it; a number that is no index becomes the largest value of the type. A
/// number that is no count becomes 0, which is no ticket.
template <Scalar T>
constexpr void assign(T& value, double number) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    value = number != 0.0;
  } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, std::uint8_t>) {
    const bool is_index = number >= 0.0 && number < 255.0 && number == std::floor(number);
    value = static_cast<T>(is_index ? static_cast<std::uint8_t>(number) : std::uint8_t{255});
  } else if constexpr (std::is_integral_v<T>) {
    const bool is_count = number >= 0.0 && number <= as_number(std::numeric_limits<T>::max());
    value = is_count ? static_cast<T>(number) : T{0};
  } else {
    value = static_cast<T>(number);
  }
}

template <typename T>
struct FieldStorage {  // a scalar
  static constexpr std::size_t kMost = 1;
  static constexpr bool kIsList = false;
  using Element = T;
  static constexpr T* begin(T& member) noexcept { return &member; }
  static constexpr std::size_t size(const T& /*member*/) noexcept { return 1; }
};
template <typename T, std::size_t kSize>
struct FieldStorage<std::array<T, kSize>> {
  static constexpr std::size_t kMost = kSize;
  static constexpr bool kIsList = false;
  using Element = T;
  static constexpr T* begin(std::array<T, kSize>& member) noexcept { return member.data(); }
  static constexpr std::size_t size(const std::array<T, kSize>& /*member*/) noexcept {
    return kSize;
  }
};
template <typename T, std::size_t kCapacity>
struct FieldStorage<FixedVector<T, kCapacity>> {
  static constexpr std::size_t kMost = kCapacity;
  static constexpr bool kIsList = true;
  using Element = T;
  static T* begin(FixedVector<T, kCapacity>& member) noexcept { return member.data(); }
  static std::size_t size(const FixedVector<T, kCapacity>& member) noexcept {
    return member.size();
  }
};

/// Calls `visit(field, index, number)` for each number of the object, in the order of their places.
template <typename Object, typename Visit>
constexpr void for_each_number(const Object& object, Visit&& visit) {
  const auto each = [&](const auto& field) {
    auto& member = object.*(field.member);
    using Member = std::remove_cvref_t<decltype(member)>;
    const auto* first = FieldStorage<Member>::begin(const_cast<Member&>(member));
    for (std::size_t i = 0; i < FieldStorage<Member>::size(member); ++i) {
      visit(field, i, as_number(first[i]));
    }
  };
  Object::kFields([&](const auto&... field) { (each(field), ...); });
}

/// Fills the object from numbers in a row; a list takes all that remain. Returns false if there are
/// too few or too many numbers.
template <typename Object, typename Numbers>
constexpr bool fill_from(Object& object, const Numbers& numbers) noexcept {
  std::size_t next = 0;
  bool fits = true;
  const auto each = [&](const auto& field) {
    auto& member = object.*(field.member);
    using Storage = FieldStorage<std::remove_cvref_t<decltype(member)>>;
    if constexpr (Storage::kIsList) {
      member.clear();
      while (next < numbers.size() && member.size() < Storage::kMost) {
        member.push_back(numbers[next++]);
      }
    } else {
      auto* first = Storage::begin(member);
      for (std::size_t i = 0; i < Storage::kMost; ++i) {
        if (next >= numbers.size()) {
          fits = false;
          return;
        }
        assign(first[i], numbers[next++]);
      }
    }
  };
  Object::kFields([&](const auto&... field) { (each(field), ...); });
  return fits && next == numbers.size();
}

// Facts about a field ----------------------------------------------------

struct FieldInfo {
  std::string_view name;
  QuantityKind quantity = QuantityKind::kNone;
  Range range = Range::kFinite;
  std::size_t place = 0;                         ///< place of its first number
  std::size_t most = 1;                          ///< largest number of numbers
  bool is_list = false;                          ///< list without a fixed size: the last field
  std::span<const std::string_view> words = {};  ///< words of an enumeration
};

template <typename T>
constexpr std::span<const std::string_view> words_for() noexcept {
  if constexpr (std::is_enum_v<T>) return enum_words(T{});
  return {};
}

template <typename Object>
constexpr auto field_infos() noexcept {
  return Object::kFields([](const auto&... field) {
    std::array<FieldInfo, sizeof...(field)> infos{};
    std::size_t i = 0;
    std::size_t place = 0;
    const auto add = [&](const auto& one) {
      using Member = std::remove_cvref_t<decltype(std::declval<Object&>().*(one.member))>;
      using Storage = FieldStorage<Member>;
      infos[i++] = {one.name,
                    one.quantity,
                    one.range,
                    place,
                    Storage::kMost,
                    Storage::kIsList,
                    words_for<typename Storage::Element>()};
      place += Storage::kMost;
    };
    (add(field), ...);
    return infos;
  });
}

}  // namespace jointrig
