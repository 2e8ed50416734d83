#pragma once
/// A CANopen node that is a CiA 402 drive without physics: its motor follows its target exactly.
/// For tests of the layers between a bus and a motor.

#include "hw/canopen/joint_board_objects.h"
#include "hw/canopen/slave_node.h"
#include "hw/cia402/drive_machine.h"

namespace jointrig::canopen {

class IdealDrive : public SlaveApplication {
 public:
  explicit IdealDrive(std::uint8_t node, const cia402::DriveOptions& options = {});

  [[nodiscard]] SlaveNode& node() noexcept { return node_; }
  [[nodiscard]] const cia402::DriveOutputs& drive() const noexcept { return machine_.outputs(); }

  void raise_fault(std::uint16_t code) noexcept;
  /// While it lasts a fault cannot be reset.
  void set_fault_present(bool present) noexcept { inputs_.fault_present = present; }
  /// While it lasts the motor stands, whatever its target.
  void set_blocked(bool blocked) noexcept { blocked_ = blocked; }

  void sample(std::int64_t now) noexcept override { update(now); }
  void act(std::int64_t now) noexcept override;
  void on_sync(std::int64_t now) noexcept override;
  void on_reset(bool whole_device) noexcept override;
  void on_state(NmtState from, NmtState to) noexcept override;
  void on_connection_lost(std::uint16_t code) noexcept override;

  // Called by the dictionary.
  [[nodiscard]] AbortCode check_mode(const Entry& entry, std::uint64_t bits) const noexcept;

 private:
  void update(std::int64_t now) noexcept;
  void read_options() noexcept;
  void publish() noexcept;
  void home(std::int64_t now) noexcept;

  template <class T>
  Object<T> object(std::uint16_t index, std::uint8_t sub = 0) {
    return node_.objects().object<T>(index, sub);
  }

  SlaveNode node_;
  cia402::DriveMachine machine_;
  cia402::DriveInputs inputs_;
  std::uint32_t homing_number_ = 0;
  std::int64_t homing_since_ = 0;
  bool blocked_ = false;

  Object<std::uint16_t> controlword_, statusword_, error_code_;
  Object<std::int8_t> wished_mode_, shown_mode_;
  Object<std::uint8_t> life_, life_echo_;
  Object<std::int32_t> target_position_, position_, target_velocity_, velocity_;
  Object<std::int16_t> target_torque_, torque_, target_duty_, duty_;
  Object<std::int16_t> connection_, quick_stop_, shutdown_, disable_, halt_, fault_reaction_;
};

}  // namespace jointrig::canopen
