#pragma once
/// A law of one's own (docs/laws.md): a class that adds torque to the joints that it claims, in
/// each cycle, before the limits.
///
///     class Spring : public jointrig::UserLaw {
///      public:
///       void declare(jointrig::LawDeclaration& d) override {
///         stiffness_ = d.parameter("stiffness", 40.0, 0.0, 500.0, "N·m/rad");
///       }
///       void torque(jointrig::LawCycle& c) override {
///         for (std::size_t i = 0; i < c.joints; ++i) c.tau[i] = -c.parameter[stiffness_] * c.q[i];
///       }
///      private:
///       std::size_t stiffness_ = 0;
///     };
///     JOINTRIG_USER_LAW(Spring)
///
/// This header needs nothing but the standard library, and a law links nothing of jointrig: it gets
/// all by virtual calls. Arrays have one element for each joint that the law claims, in the order
/// of robot.yaml; matrices are stored by columns, as Eigen's are. Poses and Jacobians are expressed
/// in the world frame. SI units; m and N for a slide joint, where a hinge has rad and N·m.

#include <cstddef>
#include <cstdint>

namespace jointrig {

/// Version of this interface. A library that was built with another one is refused.
inline constexpr std::uint32_t kUserLawVersion = 1;

/// A law's statement about itself, once, before the loop, and what it may know by then.
///
/// A mistake (a frame that isn't there, a name twice) does not throw here: the robot is refused
/// with a sentence after declare().
class LawDeclaration {
 public:
  LawDeclaration() = default;
  LawDeclaration(const LawDeclaration&) = delete;
  LawDeclaration& operator=(const LawDeclaration&) = delete;
  virtual ~LawDeclaration() = default;

  [[nodiscard]] virtual std::size_t joints() const = 0;
  [[nodiscard]] virtual const char* joint_name(std::size_t i) const = 0;
  /// Period of the cycle [s]
  [[nodiscard]] virtual double period() const = 0;

  /// A number that scenarios, panel and programs may set between `low` and `high` while it runs.
  /// @param name  lower-case letters, digits and _, as the signals': "target_x"
  /// @param value  unless robot.yaml gives another
  /// @param unit  for people and for values with a unit: "N·m/rad"; "" for a plain number
  /// @return  its place in LawCycle::parameter
  virtual std::size_t parameter(const char* name, double value, double low, double high,
                                const char* unit) = 0;
  /// As parameter(), for a number that moves the robot when it changes, as the place of a target
  /// does: the panel takes it as a motion, in ARMED alone.
  virtual std::size_t target(const char* name, double value, double low, double high,
                             const char* unit) = 0;
  /// A number that the law computes, for log, plots and assertions.
  /// @return  its place in LawCycle::signal
  virtual std::size_t signal(const char* name, const char* unit) = 0;
  /// A site or a body of the model.
  /// @return  its number for LawCycle::pose and LawCycle::jacobian
  virtual std::size_t frame(const char* site_or_body) = 0;
  /// Asks for numbers that the law remembers from cycle to cycle; they are 0 when it starts. Kept
  /// there, and not in the class, they are saved and restored with the robot's state.
  virtual void memory(std::size_t count) = 0;
};

/// The robot's model at the positions and velocities of this cycle. Quantities are computed when
/// they are asked for.
class LawModel {
 public:
  LawModel() = default;
  LawModel(const LawModel&) = delete;
  LawModel& operator=(const LawModel&) = delete;
  virtual ~LawModel() = default;

  /// Inertia of the claimed joints, all others held: (n, n) [kg·m² or kg], by columns.
  virtual void mass_matrix(double* inertia) noexcept = 0;
  /// Torque that holds each joint at rest: (n) [N·m or N]. In mode torque it is added already.
  virtual void gravity(double* tau) noexcept = 0;
  /// C(q, v) v: (n) [N·m or N]
  virtual void coriolis(double* tau) noexcept = 0;
  /// Position (3) [m] and rotation (3, 3) of a frame in the world, by columns: the frame's axes.
  virtual void pose(std::size_t frame, double* position, double* rotation) noexcept = 0;
  /// d(twist)/d(velocities) of a frame's origin: (6, n), linear rows [m/rad or 1] before angular.
  virtual void jacobian(std::size_t frame, double* jacobian) noexcept = 0;
  /// Torque on each joint that no motor makes, by the momentum observer: (n) [N·m or N]; 0 where
  /// the joint's torque isn't known.
  virtual void external_torque(double* tau) noexcept = 0;
};

/// One cycle of a law.
struct LawCycle {
  std::size_t joints;  ///< n
  double time;         ///< on the robot's clock [s]
  double dt;           ///< period [s]
  /// True in the first cycle after the law was off or its joints were in another mode.
  bool starts;
  const double* q;          ///< measured positions (n) [rad or m]
  const double* v;          ///< measured velocities (n) [rad/s or m/s]
  const double* tau_board;  ///< torques that the boards measure (n) [N·m or N]
  const double* parameter;  ///< in the order in which they were declared
  double* memory;           ///< as many as were asked for
  double* signal;           ///< written; in the order in which they were declared
  double* tau;              ///< written: torques to add (n) [N·m or N]; 0 before the call
  LawModel* model;
};

/// The class to derive from. One object for each law of robot.yaml.
class UserLaw {
 public:
  UserLaw() = default;
  UserLaw(const UserLaw&) = delete;
  UserLaw& operator=(const UserLaw&) = delete;
  virtual ~UserLaw() = default;

  /// Called before the loop, in any thread. May allocate and throw.
  virtual void declare(LawDeclaration& declaration) = 0;

  /// Called in each cycle in which the law runs, by the loop's thread: it must not allocate, lock,
  /// wait, print or read a file. If it throws, gives a number that isn't finite, or takes longer
  /// than its budget, it is shut out and its joints hold.
  virtual void torque(LawCycle& cycle) = 0;
};

/// Export of a library, as the C symbol `jointrig_user_law`. The first two members keep their
/// places in every version.
struct UserLawPlugin {
  std::uint32_t version;
  std::uint32_t cycle_size;  ///< sizeof(LawCycle), against another compiler's layout
  UserLaw* (*make)();
  void (*destroy)(UserLaw*);
};

}  // namespace jointrig

/// Exports a class of laws from a shared library: once per library, outside of every namespace.
#define JOINTRIG_USER_LAW(Class)                                                                 \
  extern "C" {                                                                                   \
  extern __attribute__((visibility("default"))) const jointrig::UserLawPlugin jointrig_user_law; \
  }                                                                                              \
  const jointrig::UserLawPlugin jointrig_user_law = {                                            \
      jointrig::kUserLawVersion, sizeof(jointrig::LawCycle),                                     \
      []() -> jointrig::UserLaw* { return new Class(); },                                        \
      [](jointrig::UserLaw* law) { delete law; }};
