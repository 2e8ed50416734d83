#pragma once
/// A board without physics for tests of the host: a complete slave around the power machine. Its
/// joint goes where its mode sends it, at once.

#include <cstdint>

#include "hw/canopen/joint_board_objects.h"
#include "hw/canopen/slave_node.h"
#include "hw/cia402/drive_machine.h"

namespace jointrig::hw {

class LittleBoard final : public canopen::SlaveApplication {
 public:
  explicit LittleBoard(std::uint8_t number, const canopen::JointBoardOptions& options = {})
      : node(canopen::joint_board(options), number, *this) {}

  void act(std::int64_t /*now*/) noexcept override {
    inputs.controlword = get<std::uint16_t>(0x6040);
    inputs.mode = get<std::int8_t>(0x6060);
    machine.update(inputs);
    if (machine.outputs().motion != cia402::Motion::kFollow) return;
    if (machine.outputs().mode == cia402::mode::kCyclicPosition) {
      position = get<std::int32_t>(0x607A);
    }
    if (machine.outputs().mode == cia402::mode::kCyclicTorque) {
      torque = get<std::int16_t>(0x6071);
    }
  }

  void sample(std::int64_t /*now*/) noexcept override {
    machine.update(inputs);
    set<std::uint16_t>(0x6041, 0, machine.outputs().statusword);
    set<std::int8_t>(0x6061, 0, machine.outputs().mode);
    set<std::uint16_t>(0x603F, 0, machine.outputs().error_code);
    set<std::int32_t>(0x6064, 0, position);
    set<std::int16_t>(0x6077, 0, torque);
    set<std::uint8_t>(0x2010, 2, get<std::uint8_t>(0x2010, 1));
  }

  void on_reset(bool /*whole_device*/) noexcept override {
    machine.reset();
    inputs = {};
  }
  void on_state(canopen::NmtState from, canopen::NmtState to) noexcept override {
    if (from == canopen::NmtState::kOperational && to != from) machine.network_left();
  }
  void on_connection_lost(std::uint16_t code) noexcept override { machine.connection_lost(code); }

  cia402::DriveMachine machine;
  cia402::DriveInputs inputs;
  std::int32_t position = 0;
  std::int16_t torque = 0;
  canopen::SlaveNode node;

 private:
  template <typename T>
  T get(std::uint16_t index, std::uint8_t sub = 0) noexcept {
    return canopen::Object<T>(*node.objects().find(index, sub)).get();
  }
  template <typename T>
  void set(std::uint16_t index, std::uint8_t sub, T value) noexcept {
    canopen::Object<T>(*node.objects().find(index, sub)).set(value);
  }
};

}  // namespace jointrig::hw
