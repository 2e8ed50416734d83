#pragma once
/// The rig of the fault matrix: a robot of two parts on two buses, its boards and physics
/// behind modelled wires, the driver paced by the wires' own time, the whole stack on top. One
/// thread, no clock: every run is the same to the bit.
///
///     part  joints               bus   node
///     arm   yaw shoulder elbow   0     1 2 3
///           wrist                1     1
///     hand  left right           1     2 3
///
/// After each cycle every joint is held to the line under the table: torque within its limit and
/// its rate, no way longer than its speed, and from a fault on no longer than its stop ramp.

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/boards/boards_on_bus.h"
#include "control/exchange/robot_client.h"
#include "control/stack/loop.h"
#include "hw/driver/canopen_bus.h"
#include "tests/hw/matrix/two_parts.h"

namespace jointrig::matrix {

inline constexpr std::size_t kYaw = 0, kShoulder = 1, kElbow = 2, kWrist = 3, kLeft = 4, kRight = 5;

struct RigOptions {
  std::function<void(RobotConfig&)> change = nullptr;
  std::function<void(hw::BusJoint&)> drive = nullptr;  ///< settings of each
  /// Put around the link of the first bus.
  std::function<std::unique_ptr<can::Transport>(std::unique_ptr<can::Transport>)> link = nullptr;
  bool start = true;
  bool weighs = has_weight();  ///< gravity pulls the arm, and its joints have brakes
  double zero_counts = 0;      ///< of each drive
  unsigned every = 1;          ///< cycles of the loop in one of a bus
};

class MatrixRig {
 public:
  explicit MatrixRig(const RigOptions& options = {});
  /// With buses of so many of the loop's cycles.
  explicit MatrixRig(unsigned every) : MatrixRig(RigOptions{.every = every}) {}
  ~MatrixRig();
  MatrixRig(const MatrixRig&) = delete;
  MatrixRig& operator=(const MatrixRig&) = delete;

  // Actions
  /// Cycles of the loop, each checked.
  void run(int cycles);
  void run_for(double seconds) { run(static_cast<int>(std::lround(seconds / kPeriod))); }
  /// Cycles until `done`; the count, or nothing if it takes more than `most`.
  std::optional<int> run_until(int most, const std::function<bool()>& done);
  /// The host stands still: no SYNC, no command; boards and physics go on.
  void freeze_host(int cycles);
  /// The program ends, killed or as it should, and another one starts so many cycles later. It
  /// tries again while a board is missing.
  void restart_host(bool killed, int cycles);
  /// All joints of all parts in position mode, the arm on its way: four seconds at up to 0.3 rad/s.
  void set_off();
  void mode(const std::string& joints, ModeRequest request);

  // Injected faults
  struct Hit {
    can::FaultKind kind = can::FaultKind::kLose;
    std::uint32_t id = 0, mask = 0x7FF;
    std::uint32_t count = 0;  ///< 0: until clear()
    can::NodeId receiver = can::kAnyNode;
    can::TimeNs delay = 0;
    can::NodeId sender = can::kAnyNode;
    std::uint32_t skip = 0;
    double for_cycles = 0;  ///< from now on; 0: no end
    int copies = 1;
  };
  void hit(std::size_t bus, const Hit& what);
  /// Both PDOs of a joint's drive.
  void hit_state(std::size_t joint, Hit what);
  void clear(std::size_t bus) { wire(bus).clear_faults(); }
  /// No frame gets from the host to a board or back; the listener goes on.
  void cut(std::size_t bus);
  void mend(std::size_t bus) { clear(bus); }
  /// A frame of somebody else on the bus, at once.
  void intrude(std::size_t bus, std::uint32_t id, std::initializer_list<std::uint8_t> bytes);
  /// Something more on the wire.
  void add(std::size_t bus, can::BusParticipant participant) {
    lines_[bus].add(std::move(participant));
  }
  sim::SimBoard& board(std::size_t joint) { return robot_->boards()[joint]; }

  // Observations
  [[nodiscard]] const JointSnapshot& joint(std::size_t index) const {
    return stack_->snapshot().joints[index];
  }
  [[nodiscard]] JointMode mode(std::size_t index) const { return joint(index).mode; }
  [[nodiscard]] bool is_held(std::size_t index) const;
  /// Every joint of the arm but these is in position mode, at rest, and takes no move.
  void expect_arm_held_but(const std::vector<std::size_t>& lost);
  /// Both joints of the hand do what they are asked.
  void expect_hand_free();
  /// Notices of this kind, of this joint.
  [[nodiscard]] int notices(Notice kind, std::size_t joint) const;
  [[nodiscard]] std::optional<Event> last(EventKind kind, std::size_t joint) const;
  [[nodiscard]] std::optional<Event> last(Notice kind, std::size_t joint) const;
  void forget_events() { std::vector<Event>().swap(events_); }
  /// All boards of this robot are CANopen drives.
  [[nodiscard]] app::VirtualDrive& virtual_drive(std::size_t joint) const {
    return static_cast<app::VirtualDrive&>(robot_->on_bus(joint));
  }
  [[nodiscard]] const cia402::DriveOutputs& drive(std::size_t joint) const {
    return virtual_drive(joint).drive();
  }
  [[nodiscard]] double where(std::size_t joint) const { return robot_->plant().joint(joint).q; }
  [[nodiscard]] double speed(std::size_t joint) const { return robot_->plant().joint(joint).v; }
  [[nodiscard]] hw::HwBackend& backend() { return *backend_; }
  [[nodiscard]] const hw::CanopenBus& bus(std::size_t index) const {
    return static_cast<const hw::CanopenBus&>(backend_->bus(index));
  }
  [[nodiscard]] can::VirtualBus& wire(std::size_t bus) { return lines_[bus].bus(); }
  [[nodiscard]] double bus_time(std::size_t bus) const {  ///< [s]
    return 1e-9 * static_cast<double>(lines_[bus].now());
  }
  [[nodiscard]] can::SteppedTransport& link(std::size_t bus) { return *links_[bus]; }
  [[nodiscard]] can::NodeId host_node(std::size_t bus) { return links_[bus]->node(); }
  [[nodiscard]] can::NodeId board_node(std::size_t joint) const;
  [[nodiscard]] RobotClient& user() { return *user_; }
  [[nodiscard]] const RobotConfig& config() const { return config_; }
  [[nodiscard]] Stack& stack() { return *stack_; }
  [[nodiscard]] app::VirtualRobot& robot() { return *robot_; }
  [[nodiscard]] static std::size_t bus_of(std::size_t joint) { return joint <= kElbow ? 0 : 1; }
  [[nodiscard]] static std::uint8_t node_of(std::size_t joint) {
    return static_cast<std::uint8_t>(joint <= kElbow ? joint + 1 : joint - kElbow);
  }
  /// Nothing but FORCE_IDLE leads out of the fault: asks for every other mode first.
  void expect_force_idle_is_the_way_out(std::size_t joint);
  [[nodiscard]] std::uint64_t hash() const { return robot_->hash(); }

 private:
  void build(const RigOptions& options);
  void begin_stack();
  void check_cycle();
  void check_ways();
  void gather_events();

  TwoParts model_;
  RobotConfig config_;
  std::unique_ptr<app::VirtualRobot> robot_;
  std::deque<can::SteppedBus> lines_;
  std::deque<app::SteppedClock> clocks_;
  std::vector<can::SteppedTransport*> links_;
  std::vector<can::NodeId> intruders_;
  std::unique_ptr<hw::HwBackend> backend_;
  std::unique_ptr<Stack> stack_;
  std::unique_ptr<Loop> loop_;
  std::unique_ptr<RobotClient> user_;
  std::optional<EventRing::Reader> reader_;
  std::vector<Event> events_;
  std::vector<double> tau_before_;
  std::vector<double> q_before_;
  std::uint64_t cycles_before_ = 0;
  std::vector<std::optional<double>> fell_from_;  ///< where a joint was when its fault came
};

}  // namespace jointrig::matrix
