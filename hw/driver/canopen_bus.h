#pragma once
/// One CANopen bus with the joints and sensors on it, from the host's side: nodes are
/// found, set up and started; then each cycle is opened by SYNC, filled by what the drives send,
/// closed, and answered.
///
/// A node that falls over in operation (boot-up, silence, somebody else's NMT command) is not
/// configured from that moment on. One that booted is set up again by itself, up to where it could
/// be enabled and never further; one that was taken out of operation by somebody else stays so
/// until restart(), which a setpoint's request to clear a fault is, too. A node that leaves
/// operation because it missed the host says so by an emergency, or where that got lost is asked
/// for its last error (1001h, 1003h:1). A set-up that got stuck
/// because a frame was lost is begun again.
///
/// Two drives that answer under one number are a fault of the joint, however each came on the bus:
/// both boot after a reset, tell two serial numbers, or send more states than one drive does
/// (twin_watch.h).
///
/// A node that comes back must have the serial number that it had at the start: boards that
/// changed places, or another one, are refused.
///
/// After construction nothing allocates but description and texts.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/core/twin_evidence.h"
#include "hw/canopen/emergency.h"
#include "hw/canopen/nmt_master.h"
#include "hw/canopen/sync.h"
#include "hw/driver/clock_drift.h"
#include "hw/driver/drive_host.h"
#include "hw/driver/drive_setup.h"
#include "hw/driver/joint_bus.h"
#include "hw/driver/joint_pdos.h"
#include "hw/driver/node_phase.h"
#include "hw/driver/notice_log.h"
#include "hw/driver/sensor_node.h"

namespace jointrig::hw {

struct BusJoint {
  std::string name;
  DriveHostSpec host;
  DriveSettings settings;
};

class CanopenBus final : public JointBus {
 public:
  static constexpr std::uint16_t kHostHeartbeat = 50;  // [ms]
  static constexpr std::uint32_t kStorm = 100;         // emergencies of a node in a second
  static constexpr int kContradictions = 3;            // cycles in a row, to a fault
  static constexpr std::uint64_t kBacklog = 6;         // frames of a node in a cycle that are old
  static constexpr std::int64_t kTryAgain = 500'000'000;  // [ns] without an end of a set-up
  /// [ns] from one look to the next at a number under which another board, or two, answer.
  static constexpr std::int64_t kLookAgain = 1'500'000'000;

  /// A drive's clock that is further off is told, once a minute while it lasts.
  static constexpr double kDriftLimit = 100.0;                 // [ppm]
  static constexpr std::int64_t kDriftPause = 60'000'000'000;  // [ns]

  explicit CanopenBus(std::vector<BusJoint> joints,
                      const std::vector<SensorSettings>& sensors = {});

  /// Asks every node to reset its communication, and sets up those that answer.
  void start(std::int64_t now) noexcept override;
  /// Does the same for one node.
  void restart(std::size_t joint) noexcept;

  void receive(const can::Frame& frame, std::int64_t now) noexcept override;
  void poll(std::int64_t now) noexcept override;
  [[nodiscard]] FrameQueue& out() noexcept override { return out_; }

  void skip(std::uint64_t cycles) noexcept override;
  void open_cycle(std::int64_t now) noexcept override;
  [[nodiscard]] bool is_complete() const noexcept override;
  void close_cycle() noexcept override;

  void read(std::size_t joint, double since, JointState& state) const noexcept override {
    nodes_[joint].host.state(state, since);
  }
  void read_force_sensor(std::size_t sensor, ForceTorqueState& state) const noexcept override {
    state = sensors_[force_sensors_[sensor]].wrench();
  }
  void read_imu(std::size_t imu, ImuState& state) const noexcept override {
    state = sensors_[imus_[imu]].motion();
  }
  void write(std::size_t joint, const JointSetpoint& setpoint) noexcept override;
  [[nodiscard]] bool is_settled() const noexcept override;
  void begin() noexcept override;
  void expect_boards(std::uint32_t token) noexcept override;
  /// Every drive is told to be off, and taken out of operation.
  void stop() noexcept override;

  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  [[nodiscard]] BusDescription description() const override;
  [[nodiscard]] std::vector<std::string> problems(bool had_cycles) const override;
  [[nodiscard]] NodePhase phase(std::size_t joint) const noexcept { return nodes_[joint].phase; }
  [[nodiscard]] bool all_running() const noexcept;
  [[nodiscard]] BusProgress progress() const noexcept override;
  [[nodiscard]] const DriveHost& host(std::size_t joint) const noexcept {
    return nodes_[joint].host;
  }
  [[nodiscard]] const JointPdos& pdos(std::size_t joint) const noexcept {
    return nodes_[joint].pdos;
  }
  [[nodiscard]] const SensorNode& sensor(std::size_t sensor) const noexcept {
    return sensors_[sensor];
  }
  [[nodiscard]] const canopen::EmergencyLog& emergencies(std::size_t joint) const noexcept {
    return nodes_[joint].emergencies;
  }

  /// Once a cycle. A link that is lost is a fault of every joint; one that is back changes nothing
  /// by itself.
  void follow_link(BusLink link) noexcept override;
  /// Events beside the states, by the bus's joints.
  [[nodiscard]] NoticeLog& notices() noexcept override { return notices_; }

  /// The trouble with a node, with its joint's name; empty while there is none. Allocates.
  [[nodiscard]] std::string node_text(std::size_t joint) const;
  /// Nodes that were heard and belong to no joint, by number. Allocates.
  [[nodiscard]] std::vector<std::uint8_t> foreign_nodes() const;

 private:
  struct Node;
  [[nodiscard]] static JointCapabilities capabilities(const Node& node);
  [[nodiscard]] bool is_decided() const noexcept;

  struct Node {
    explicit Node(BusJoint&& joint);
    std::string name;
    std::uint8_t number;
    std::uint16_t allowed_silence_ms;
    DriveHost host;
    JointPdos pdos;
    SetupRun setup;
    SetupRun cause;  ///< asks it why it left operation
    NodePhase phase = NodePhase::kAbsent;
    std::int8_t mode_told = 0;
    bool asked_again = false;     ///< a second boot-up may have been under way: reset once more
    bool asked_to_clear = false;  ///< by the last setpoint
    bool doubled = false;         ///< two nodes answer, as its set-up has shown
    std::optional<Notice> told;   ///< its refusal, until it is set up or its way out asked for
    std::uint8_t boot_ups = 0;    ///< since the last reset
    std::uint32_t serial = 0;     ///< at the start; 0: not known
    bool is_other = false;        ///< came back with another one
    bool is_away = false;         ///< was lost in operation, and was not told as back since
    std::int64_t since = 0;       ///< in its phase [ns]
    canopen::EmergencyLog emergencies;
    std::uint64_t old_emergencies = 0;  ///< of before its last boot-up, which ends them
    bool storms = false;
    std::uint16_t code_told = 0;
    int contradictions = 0;  ///< in a row
    JointPdos::Counters counted{};
    ClockDrift drift;
    std::optional<std::int64_t> drift_told;  ///< [ns]
  };

  [[nodiscard]] std::size_t index_of(const Node& node) const noexcept {
    return static_cast<std::size_t>(&node - nodes_.data());
  }
  void time_heartbeat(const can::Frame& frame, std::int64_t now) noexcept;
  void hear_emergency(Node& node, const can::Frame& frame, std::int64_t now) noexcept;
  void close_cycle_of(Node& node) noexcept;
  void count_frames(Node& node) noexcept;
  void watch_for_a_twin(Node& node) noexcept;
  void tell_twin(Node& node, TwinEvidence evidence) noexcept;
  void tell_refusal(Node& node, Notice kind, double value, double limit) noexcept;
  void tell_notices_of(Node& node) noexcept;
  void watch_for_a_gap() noexcept;
  void follow_events(std::int64_t now) noexcept;
  void follow_event(Node& node, const canopen::NmtEvent& event, std::int64_t now) noexcept;
  /// Its newest emergency since it booted; 0: none, or gone.
  [[nodiscard]] static std::uint16_t present_emergency(const Node& node) noexcept;
  void doubt(Node& node) noexcept;
  void follow_cause(Node& node) noexcept;
  void left_for_want_of_host(Node& node) noexcept;
  void follow_setup(Node& node) noexcept;
  void end_setup(Node& node) noexcept;
  void refuse(Node& node) noexcept;
  void try_again(Node& node) noexcept;
  void watch_for_its_return(Node& node) noexcept;
  void set_phase(Node& node, NodePhase phase) noexcept;
  void reset(Node& node) noexcept;
  void follow_operator(Node& node, const JointSetpoint& setpoint) noexcept;
  [[nodiscard]] Node* node_of(std::uint8_t number) noexcept;
  [[nodiscard]] SensorNode* sensor_of(std::uint8_t number) noexcept;

  std::vector<Node> nodes_;
  FrameQueue out_;
  canopen::NmtMaster nmt_;
  canopen::HeartbeatProducer heartbeat_;
  canopen::SyncProducer sync_;
  std::vector<SensorNode> sensors_;
  std::vector<std::size_t> force_sensors_;  ///< of the sensors
  std::vector<std::size_t> imus_;           ///< likewise
  NoticeLog notices_;
  BusLink link_ = BusLink::kGood;
  bool started_ = false;
  bool begun_ = false;    ///< the stack drives
  std::int64_t now_ = 0;  ///< as last told
  std::array<bool, canopen::kMaxNode + 1> foreign_{};
};

}  // namespace jointrig::hw
