#pragma once
/// Filters on what a program reads of a robot, and on what it commands at once: low-pass, range,
/// rate, or any function of one's own.
///
///     arm.set_filter(FilterOn::kSensedVelocity, "quiet", std::make_shared<LowPass>(20.0));
///     arm.set_filter(FilterOn::kCommandedPosition, "box", std::make_shared<RangeLimit>(low,
///     high));
///
/// A filter turns a vector, one number for each joint of its part, into another one, once in each
/// cycle of the robot. Those of a part act in the order in which they were added. Where parts share
/// a joint, the part whose first filter came earlier acts before; filters of all joints act last.
///
/// Sensed: what sensed_position() and the like give, of the part and of every other that has its
/// joints. The loop and its safety go on with the sensors' own values.
///
/// Commanded: what set_position, set_velocity, set_torque, set_pid and the Cartesian drive send, in
/// each cycle in which it is sent, once for all calls of that step; accelerations are those of
/// set_pid and of the drive. The output of the filters is checked and limited as a command is;
/// set_joint_limits comes behind them. Motions to a goal (move_to, plans, the tool's) aren't
/// filtered: they are made within the limits. The drive goes on as if it weren't filtered.
///
/// A filter starts from the values of the moment: a command's from where the joints are commanded
/// to be, in the first cycle in which its quantity is sent, so that nothing jumps.
///
/// A filter is of one quantity of one part: it has one past.
///
/// Called in the program's thread, not in the loop: a filter may allocate. One that throws, gives a
/// number that is not finite, or another count of numbers refuses the command whole: its joints
/// stop, and end_step() throws Refused with the filter's name. On a sensor end_step() throws
/// std::runtime_error after the cycle, and the sensors' own values are read.

#include <functional>
#include <memory>
#include <vector>

#include "control/core/enumeration.h"

namespace jointrig {

#define JOINTRIG_FILTERED(X)                  \
  X(kSensedPosition, "sensed_position")       \
  X(kSensedVelocity, "sensed_velocity")       \
  X(kSensedTorque, "sensed_torque")           \
  X(kCommandedPosition, "commanded_position") \
  X(kCommandedVelocity, "commanded_velocity") \
  X(kCommandedTorque, "commanded_torque")     \
  X(kCommandedAcceleration, "commanded_acceleration")
JOINTRIG_ENUM(FilterOn, JOINTRIG_FILTERED)

class Filter {
 public:
  using Vector = std::vector<double>;
  /// Memory of a filter, as numbers: restored once it has started, it goes on to the bit.
  using Memory = std::vector<double>;

  Filter() = default;
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  virtual ~Filter() = default;

  /// Begins anew at rest in these values. Throws std::invalid_argument: not of such a part.
  virtual void start(const Vector& present) = 0;
  /// One step.
  /// @param dt  since the step before [s]
  virtual Vector next(const Vector& in, double dt) = 0;
  [[nodiscard]] virtual Memory save() const { return {}; }
  /// Throws std::invalid_argument: not of such a filter.
  virtual void restore(const Memory& memory);
};

using FilterPtr = std::shared_ptr<Filter>;

/// Butterworth's low-pass of the first or second order, by the bilinear transform with K = tan(π f
/// dt) (Oppenheim, Schafer, "Discrete-Time Signal Processing", 7.2):
///
///     first   H = K (1 + z⁻¹) / (1 + K − (1 − K) z⁻¹)
///     second  H = K² (1 + z⁻¹)² / (1 + √2 K + K² + 2 (K² − 1) z⁻¹ + (1 − √2 K + K²) z⁻²)
///
/// so that the gain is 1 at rest and 1/√2 at f, whatever dt is. An output that has come as near as
/// 1e-9 to an input at rest is the input.
class LowPass final : public Filter {
 public:
  /// @param cutoff  f [Hz], above 0 and below half of the rate of its steps
  /// @param order   1 or 2
  /// Throws std::invalid_argument.
  explicit LowPass(double cutoff, int order = 1);
  void start(const Vector& present) override;
  Vector next(const Vector& in, double dt) override;
  [[nodiscard]] Memory save() const override;
  void restore(const Memory& memory) override;

 private:
  struct Past {
    double in1 = 0.0;  ///< one step ago
    double in2 = 0.0;
    double out1 = 0.0;
    double out2 = 0.0;
  };
  double cutoff_;
  int order_;
  std::vector<Past> past_;  ///< by joint
};

/// Clamps each number to its range.
class RangeLimit final : public Filter {
 public:
  /// @param low, high  one for each joint
  RangeLimit(Vector low, Vector high);
  void start(const Vector& present) override;
  Vector next(const Vector& in, double dt) override;

 private:
  Vector low_, high_;
};

/// Goes towards its input by no more than a rate: |out − out₁| ≤ rate dt
class RateLimit final : public Filter {
 public:
  /// @param rate  of the quantity a second, above 0
  explicit RateLimit(double rate);
  void start(const Vector& present) override { last_ = present; }
  Vector next(const Vector& in, double dt) override;
  [[nodiscard]] Memory save() const override { return last_; }
  void restore(const Memory& memory) override;

 private:
  double rate_;
  Vector last_;
};

/// A function of one's own, without a memory that it would know of.
class FunctionFilter final : public Filter {
 public:
  using Function = std::function<Vector(const Vector&)>;
  explicit FunctionFilter(Function f) : f_(std::move(f)) {}
  void start(const Vector& /*present*/) override {}
  Vector next(const Vector& in, double /*dt*/) override { return f_(in); }

 private:
  Function f_;
};

}  // namespace jointrig
