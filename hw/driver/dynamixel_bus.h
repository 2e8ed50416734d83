#pragma once
/// One serial line of Dynamixel servos with the joints on it, from the host's side.
///
/// A cycle is one burst: what was written in the cycle before as sync writes, which nobody answers,
/// then one sync read of all servos' reports (hw/dynamixel/control_table.h). So a command acts, and
/// the state is taken, when the burst goes out. A frame here is a piece of the line; a packet of
/// the host is one piece.
///
/// If all have answered in the cycle before, the sync read is a fast one, whose answers come as one
/// packet: that of a servo that is silent would spoil the others'. Else it is a plain one, the
/// silent ones last.
///
/// At the start each servo is pinged twice, and then everybody: a servo runs when it was heard
/// twice and is of a model that the driver knows. One that has been silent for kLost cycles is not
/// configured until it is heard again. A reboot, which is answered, goes out behind the cycle's
/// answers, one a cycle.

#include <array>
#include <optional>

#include "control/core/robot_config.h"
#include "hw/can/bit_time.h"
#include "hw/driver/dynamixel_host.h"
#include "hw/driver/joint_bus.h"
#include "hw/dynamixel/packet.h"

namespace jointrig::hw {

struct DynamixelJoint {
  std::string name;
  DynamixelHostSpec host;
  std::optional<std::uint16_t> model;  ///< number, as expected; absent: any that is known
};

[[nodiscard]] DynamixelFacts dynamixel_facts(const DriveConfig& drive);

/// The servo that robot.yaml tells of a joint: `node` is its id, `product` its model number. Throws
/// std::invalid_argument with a sentence for a drive that makes no units, and for a joint that
/// needs calibration, which a servo has none to run for.
[[nodiscard]] DynamixelJoint dynamixel_joint(const JointConfig& joint, double period);

class DynamixelBus final : public JointBus {
 public:
  static constexpr std::uint32_t kLost = 20;      ///< cycles
  static constexpr std::size_t kMostServos = 50;  ///< ids in a sync read of one piece

  enum class Phase : std::uint8_t { kAbsent, kAsked, kRunning, kFailed };

  /// Throws std::invalid_argument with a sentence: ids out of range or twice.
  /// @param patient  boards in lockstep, all in this machine: nobody's answer takes long
  explicit DynamixelBus(std::vector<DynamixelJoint> joints, bool patient = false);

  [[nodiscard]] BusDescription description() const override;
  void start(std::int64_t now) noexcept override;
  void poll(std::int64_t now) noexcept override;
  [[nodiscard]] BusProgress progress() const noexcept override;
  [[nodiscard]] bool is_settled() const noexcept override;
  void begin() noexcept override;
  [[nodiscard]] std::vector<std::string> problems(bool had_cycles) const override;

  void receive(const can::Frame& frame, std::int64_t now) noexcept override;
  [[nodiscard]] FrameQueue& out() noexcept override { return out_; }
  [[nodiscard]] NoticeLog& notices() noexcept override { return notices_; }
  void follow_link(BusLink link) noexcept override;
  void skip(std::uint64_t cycles) noexcept override;
  void open_cycle(std::int64_t now) noexcept override;
  [[nodiscard]] bool all_have_answered() const noexcept override { return all_answered_; }
  [[nodiscard]] bool is_complete() const noexcept override;
  void close_cycle() noexcept override;
  void read(std::size_t joint, double since, JointState& state) const noexcept override {
    servos_[joint].host.state(state, since);
  }
  void write(std::size_t joint, const JointSetpoint& setpoint) noexcept override {
    servos_[joint].setpoint = setpoint;
  }
  void stop() noexcept override;

  /// The most that a cycle puts on the line, for can::why_overfull(): after a gap the answers are
  /// those of a plain sync read.
  [[nodiscard]] std::vector<can::CyclicFrame> cyclic_frames() const;

  [[nodiscard]] Phase phase(std::size_t joint) const noexcept { return servos_[joint].phase; }
  [[nodiscard]] const DynamixelHost& host(std::size_t joint) const noexcept {
    return servos_[joint].host;
  }
  [[nodiscard]] std::uint64_t late() const noexcept { return late_; }
  [[nodiscard]] const dynamixel::PacketReader::Counters& line() const noexcept {
    return reader_.counters();
  }

 private:
  using Bytes = std::span<const std::uint8_t>;
  enum class Refusal : std::uint8_t { kNone, kDoubled, kModel, kNoCurrent };

  struct Servo {
    explicit Servo(DynamixelJoint&& its);
    DynamixelJoint joint;
    DynamixelHost host;
    Phase phase = Phase::kAbsent;
    Refusal refusal = Refusal::kNone;
    std::uint16_t model = 0;
    int answers = 0;            ///< to the last ping
    int doubled = 0;            ///< pings with more than one
    std::uint64_t damaged = 0;  ///< packets with a wrong CRC while it was pinged
    std::optional<JointSetpoint> setpoint;
    std::optional<dynamixel::Report> report;  ///< of this cycle
    DynamixelOrder order;
  };

  [[nodiscard]] static JointCapabilities capabilities(const DynamixelJoint& servo);
  [[nodiscard]] Servo* servo_of(std::uint8_t id) noexcept;
  [[nodiscard]] bool has_all() const noexcept;
  void set_phase(Servo& servo, Phase phase) noexcept;

  void ask_next(std::int64_t now) noexcept;
  void ping(std::uint8_t id) noexcept;
  void take_status(const dynamixel::Packet& packet, std::int64_t now) noexcept;
  void take_ping(Servo& servo, Bytes answer, std::int64_t now) noexcept;
  void take_report(std::uint8_t id, Bytes report) noexcept;
  void take_fast(Bytes parts) noexcept;
  void reboot_one() noexcept;

  bool send(std::uint8_t id, dynamixel::Instruction instruction, Bytes parameters) noexcept;
  /// A sync write of an item to all servos whose order has it.
  template <typename ValueOf>
  void write_all(dynamixel::Item item, ValueOf value_of) noexcept;
  bool write_maps() noexcept;
  void write_orders() noexcept;
  void ask_all() noexcept;
  [[nodiscard]] static std::string text_of(const Servo& servo);

  std::vector<Servo> servos_;
  NoticeLog notices_;
  FrameQueue out_;
  dynamixel::PacketReader reader_;
  BusLink link_ = BusLink::kGood;
  bool patient_ = false;
  bool started_ = false;
  bool begun_ = false;  ///< the stack drives
  bool scans_ = false;  ///< everybody was pinged
  bool scanned_ = false;
  std::size_t turn_ = 0;    ///< whose ping is next
  Servo* asked_ = nullptr;  ///< by a ping
  std::int64_t wait_until_ = 0;
  std::array<bool, 256> foreign_{};
  bool open_ = false;
  bool all_answered_ = false;
  bool all_heard_ = false;     ///< in the cycle before
  bool reboots_ = false;       ///< in this cycle
  std::uint64_t damaged_ = 0;  ///< that were counted
  std::uint64_t late_ = 0;
};

}  // namespace jointrig::hw
