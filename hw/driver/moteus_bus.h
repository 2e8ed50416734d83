#pragma once
/// One bus of moteus servos with the joints on it, from the host's side.
///
/// There is no SYNC: a cycle is one burst of frames, a servo each, which carry the command that was
/// written in the cycle before and ask for the state. So a command acts, and the state is taken,
/// when the burst goes out, within the time that it takes on the wire.
///
/// The servos answer to whoever asked. The host asks under kHostIds names in turn, so that an
/// answer that was held up is known by the name it is for, and is not taken for this cycle's.
/// Servos have the numbers 1 to kLastServo.
///
/// At the start every number is asked who is there. A servo runs when it has told the same serial
/// number twice, speaks the register map that this library knows, is the one that was expected, and
/// counts its position from its output. One that has been silent for kLost cycles is told nothing
/// any more, and is asked again who it is when it is heard. It must be the one of the start; one
/// that was refused is asked again with the next request to clear a fault.

#include <array>
#include <optional>

#include "control/core/robot_config.h"
#include "hw/can/bit_time.h"
#include "hw/driver/joint_bus.h"
#include "hw/driver/servo_host.h"

namespace jointrig::hw {

struct MoteusJoint {
  std::string name;
  std::uint8_t id = 1;
  ServoHostSpec host;
  std::optional<std::uint32_t> serial;  ///< first word of it, as expected; absent: any
  bool any_zero = false;  ///< its position may count from anywhere (home state 0 or 1)
};

/// Its units, as robot.yaml has them: `zero_counts` is in revolutions.
[[nodiscard]] MoteusFacts moteus_facts(const DriveConfig& drive);

/// The servo that robot.yaml tells of a joint: `node` is its number, `serial` the first
/// word of its own. Throws std::invalid_argument with a sentence for a drive
/// that makes no units, and for a joint that needs calibration, which a servo has none to run for.
[[nodiscard]] MoteusJoint moteus_joint(const JointConfig& joint, double period);

class MoteusBus final : public JointBus {
 public:
  static constexpr std::uint8_t kFirstHostId = 0x70;
  static constexpr std::uint8_t kHostIds = 8;
  static constexpr std::uint8_t kLastServo = kFirstHostId - 1;
  static constexpr std::uint32_t kLost = 20;  ///< cycles

  enum class Phase : std::uint8_t {
    kAbsent,   ///< never heard
    kAsked,    ///< told who it is once
    kRunning,  ///
    kBack,     ///< was silent for long, is heard again
    kFailed,   ///< is not what it must be: problems() says why
  };

  /// Throws std::invalid_argument with a sentence: numbers out of range or twice.
  /// @param patient  from begin() on time is that of the cycles, a period each, and not the one
  ///                 handed in: for boards in lockstep, where a cycle may take as long as it takes
  explicit MoteusBus(std::vector<MoteusJoint> joints, bool patient = false);

  [[nodiscard]] std::size_t size() const noexcept { return servos_.size(); }
  [[nodiscard]] BusDescription description() const override;
  void start(std::int64_t now) noexcept override;
  void receive(const can::Frame& frame, std::int64_t now) noexcept override;
  void poll(std::int64_t now) noexcept override;
  [[nodiscard]] FrameQueue& out() noexcept override { return out_; }
  [[nodiscard]] bool all_running() const noexcept;
  [[nodiscard]] BusProgress progress() const noexcept override;
  void follow_link(BusLink link) noexcept override;
  [[nodiscard]] NoticeLog& notices() noexcept override { return notices_; }
  void skip(std::uint64_t cycles) noexcept override;
  void open_cycle(std::int64_t now) noexcept override;
  [[nodiscard]] bool is_complete() const noexcept override;
  void close_cycle() noexcept override;
  void read(std::size_t joint, double since, JointState& state) const noexcept override {
    servos_[joint].host.state(state, since);
  }
  void write(std::size_t joint, const JointSetpoint& setpoint) noexcept override;
  [[nodiscard]] bool is_settled() const noexcept override;
  void begin() noexcept override;
  void stop() noexcept override;
  [[nodiscard]] std::vector<std::string> problems(bool had_cycles) const override;

  /// The most frames that a cycle puts on the wire, for can::why_overfull().
  [[nodiscard]] std::vector<can::CyclicFrame> cyclic_frames() const;

  [[nodiscard]] Phase phase(std::size_t joint) const noexcept { return servos_[joint].phase; }
  [[nodiscard]] const ServoHost& host(std::size_t joint) const noexcept {
    return servos_[joint].host;
  }

  struct Counters {
    std::uint64_t late = 0;     ///< for an earlier cycle, or after this one was closed
    std::uint64_t doubled = 0;  ///< more than one answer to one question
    std::uint64_t damaged = 0;  ///< no answer in it
  };
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

 private:
  [[nodiscard]] static JointCapabilities capabilities(const MoteusJoint& servo);
  [[nodiscard]] bool is_decided() const noexcept;

  enum class Refusal : std::uint8_t {
    kNone,
    kDoubled,
    kRegisterMap,
    kSerial,
    kHomeState,
    kInputs,
  };

  struct Servo {
    explicit Servo(MoteusJoint&& joint);
    MoteusJoint joint;
    ServoHost host;
    Phase phase = Phase::kAbsent;
    Refusal refusal = Refusal::kNone;
    moteus::Identity identity;
    std::optional<std::array<std::uint32_t, 3>> serial;  ///< at the start
    bool is_away = false;         ///< was lost in operation, and was not told as back since
    bool asked_to_clear = false;  ///< by the last setpoint
    std::uint8_t asked_as = 0;    ///< the name under which it was asked last
    int answers = 0;              ///< to that
    std::int64_t ask_at = 0;      ///< again
    std::optional<JointSetpoint> setpoint;      ///< of the cycle before
    std::optional<moteus::ServoReport> report;  ///< of this cycle
  };

  [[nodiscard]] Servo* servo_of(std::uint8_t id) noexcept;
  void scan() noexcept;
  void ask_who(Servo& servo, std::int64_t now) noexcept;
  void ask_who(std::uint8_t id, bool inputs = false) noexcept;
  void take_identity(Servo& servo, const can::Frame& frame, std::int64_t now) noexcept;
  void take_report(Servo& servo, const can::Frame& frame, std::uint8_t asked_as) noexcept;
  [[nodiscard]] static Refusal judge(const MoteusJoint& joint,
                                     const moteus::Identity& identity) noexcept;
  void set_phase(Servo& servo, Phase phase) noexcept;
  void refuse(Servo& servo) noexcept;
  void watch_for_its_return(Servo& servo) noexcept;
  [[nodiscard]] std::size_t index_of(const Servo& servo) const noexcept {
    return static_cast<std::size_t>(&servo - servos_.data());
  }
  [[nodiscard]] static std::string text_of(const Servo& servo);

  std::vector<Servo> servos_;
  NoticeLog notices_;
  BusLink link_ = BusLink::kGood;
  FrameQueue out_;
  bool started_ = false;
  bool begun_ = false;  ///< the stack drives
  bool patient_ = false;
  std::optional<std::int64_t> cycle_clock_;  ///< of a patient one, since begin() [ns]
  bool open_ = false;                        ///< a cycle
  std::uint8_t turn_ = 0;                    ///< of the host's names
  std::uint8_t scanned_ = 0;                 ///< last number that was asked who it is
  std::array<bool, moteus::kLastId + 1> foreign_{};
  Counters counters_;
};

}  // namespace jointrig::hw
