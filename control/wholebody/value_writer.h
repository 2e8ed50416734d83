#pragma once
/// Inner values of the whole-body controller by name, for log and panel: a function declares them,
/// another one writes them in the same order, in each cycle.

#include <Eigen/Geometry>
#include <array>
#include <cassert>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "control/core/robot_config.h"
#include "control/model/floating_model.h"
#include "control/wholebody/commands.h"
#include "control/wholebody/feedback.h"

namespace jointrig {

struct BodySignalWords {
  std::string name;
  const char* unit;
  std::string meaning;  ///< in a few words
};

/// Beginning of the names of a joint's values: "joint_l_elbow".
std::string joint_signal_of(const JointConfig& joint);

inline constexpr std::array<const char*, 3> kAxisEnds{"_x", "_y", "_z"};

/// A name with each of the three axes.
inline void add_axes(std::vector<BodySignalWords>& words, const std::string& name, const char* unit,
                     const std::string& meaning) {
  for (const char* axis : kAxisEnds) words.push_back({name + axis, unit, meaning});
}

/// Names for ValueWriter::turned(): an orientation that is wanted.
inline void add_turned(std::vector<BodySignalWords>& words, const std::string& task) {
  for (const char* end : {"_wanted_qw", "_wanted_qx", "_wanted_qy", "_wanted_qz"}) {
    words.push_back({task + end, "", "orientation wanted, in the world"});
  }
  add_axes(words, task + "_turn", "rad", "from its orientation to the wanted one, in the world");
  add_axes(words, task + "_turn_weight", "",
           "in the program, along the task's axes; 0: not driven");
}

/// Names for ValueWriter::placed(): a pose that is wanted.
inline void add_placed(std::vector<BodySignalWords>& words, const std::string& task) {
  add_axes(words, task + "_wanted", "m", "place wanted, in the world");
  add_axes(words, task + "_error", "m", "wanted place less its place, in the world");
  add_axes(words, task + "_weight", "", "in the program, along the task's axes; 0: not driven");
  add_turned(words, task);
}

/// Writes values one behind the other. For the cycle.
class ValueWriter {
 public:
  explicit ValueWriter(std::span<double> values) noexcept : values_(values) {}

  void put(double value) noexcept {
    assert(next_ < values_.size());
    values_[next_++] = value;
  }
  void put(const Eigen::Vector3d& values) noexcept {
    for (const double value : values) put(value);
  }
  void zeros(std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) put(0.0);
  }
  [[nodiscard]] std::size_t next() const noexcept { return next_; }

  void turned(const FloatingModel& model, const SpatialTask& task,
              const Eigen::Matrix3d& wanted) noexcept {
    if (!task.on) return zeros(kTurned);
    const Eigen::Quaterniond q(wanted);
    for (const double part : {q.w(), q.x(), q.y(), q.z()}) put(part);
    put(turn_between(model.rotation(task.frame), wanted));
    for (std::size_t axis = 3; axis < 6; ++axis) put(weight(task, axis));
  }
  void placed(const FloatingModel& model, const SpatialTask& task,
              const FrameGoal& wanted) noexcept {
    if (!task.on) return zeros(kPlaced);
    put(wanted.position);
    put(wanted.position - model.position(task.frame));
    for (std::size_t axis = 0; axis < 3; ++axis) put(weight(task, axis));
    turned(model, task, wanted.rotation);
  }
  static double weight(const SpatialTask& task, std::size_t axis) noexcept {
    return task.on && task.axes[axis] ? task.weights[static_cast<Eigen::Index>(axis)] : 0.0;
  }

  static constexpr std::size_t kTurned = 10;           ///< numbers of turned()
  static constexpr std::size_t kPlaced = 9 + kTurned;  ///< numbers of placed()

 private:
  std::span<double> values_;
  std::size_t next_ = 0;
};

}  // namespace jointrig
