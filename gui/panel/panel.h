#pragma once
/// The motor panel without a window: what it knows, what it may do, what it sends.
///
///     each frame    see(snapshot), see(event)..., begin_frame(input)      then draw, then act
///     drawing       reads it and calls what a click means
///
/// A command leaves only in a call that stands for something a person did, or from begin_frame for
/// a slider that a person has latched to live. What isn't allowed is not sent: why_not() tells the
/// view beforehand, and notice() tells the person afterwards.
///
/// One thread: the window's.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "control/core/capabilities.h"
#include "control/core/event.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/exchange/robot_client.h"
#include "gui/panel/autopilot.h"
#include "gui/panel/event_list.h"
#include "gui/panel/guards.h"
#include "gui/panel/joint_filter.h"
#include "gui/panel/joint_status.h"
#include "gui/panel/quantity.h"
#include "gui/panel/simulation.h"

namespace jointrig {

/// The robot that the panel is for. All of it outlives the panel.
struct PanelRobot {
  const RobotConfig* config = nullptr;
  const std::vector<JointCapabilities>* boards = nullptr;
  std::string backend;               ///< "sim", "kinematic", "hw"
  bool real = false;                 ///< things break and people get hurt
  bool on_buses = false;             ///< its boards are drives on a bus, real or virtual
  Simulation* simulation = nullptr;  ///< null on a robot that isn't simulated
};

/// How the boards on the buses are doing.
struct BusState {
  std::size_t boards = 0;
  std::size_t silent = 0;  ///< of them
  bool off = false;        ///< a bus, or its adapter
};

/// How the loop is doing, from its own statistics.
struct LoopHealth {
  double p99_us = 0.0;
  double max_us = 0.0;
  std::uint64_t overruns = 0;
};

struct FrameInput {
  double now = 0.0;        ///< s, of a steady clock
  bool focused = true;     ///< the window is in front and not minimised
  bool had_input = false;  ///< mouse or keys since the last frame
  LoopHealth loop;
};

/// What can be asked of joints, for why_not().
#define JOINTRIG_PANEL_ACTS(X)                 \
  X(kRun, "run")                               \
  X(kIdle, "idle")                             \
  X(kForceIdle, "force-idle")                  \
  X(kHome, "home")                             \
  X(kCalibrate, "calibrate")                   \
  X(kSetInteraction, "change the interaction") \
  X(kSetImpedance, "change the impedance")     \
  X(kReference, "move")
JOINTRIG_ENUM(PanelAct, JOINTRIG_PANEL_ACTS)

/// A slider of a joint: what its reference is, and the command that carries it.
struct SliderKind {
  JointQuantity quantity = JointQuantity::kPosition;
  CommandKind command = CommandKind::kMove;
};

/// What a slider shows beside the measured value.
struct SliderState {
  double ghost = 0.0;
  bool has_ghost = false;  ///< else the ghost lies on the reference
  bool dragging = false;
};

class MotorPanel {
 public:
  using Describe = std::function<std::string(const Event&)>;  ///< an event as a sentence

  static constexpr double kStaleAfter = 0.2;  ///< s without a new cycle, unless it is paused
  static constexpr double kNoticeFor = 8.0;   ///< s that a notice stays
  static constexpr double kHeavyFrom = 0.1;   ///< of tau_max: idle asks before it lets go
  static constexpr double kJogAhead = 0.3;    ///< s: how far a jogged goal is ahead

  /// @param client  connected to the robot; outlives the panel
  MotorPanel(PanelRobot robot, RobotClient& client, Describe describe);

  // Each frame, in this order.

  void see(const Snapshot& snapshot);
  void see(const Event& event);
  void begin_frame(const FrameInput& input);

  // What it knows.

  [[nodiscard]] const PanelRobot& robot() const noexcept { return robot_; }
  /// With the parameters as they are now.
  [[nodiscard]] const RobotConfig& config() const noexcept { return config_; }
  [[nodiscard]] const Snapshot& snapshot() const noexcept { return snapshot_; }
  [[nodiscard]] const FrameInput& frame() const noexcept { return frame_; }
  [[nodiscard]] bool has_snapshot() const noexcept { return has_snapshot_; }
  /// The loop hasn't given a new cycle for a while, and it isn't paused.
  [[nodiscard]] bool is_stale() const;
  [[nodiscard]] BusState bus() const;
  /// The loop's factor on all speeds.
  [[nodiscard]] double speed_override() const noexcept { return snapshot_.speed_override; }
  /// Robot time per wall time, over the last second.
  [[nodiscard]] double real_time_factor() const noexcept { return real_time_factor_; }
  [[nodiscard]] JointStatus status(JointIndex joint) const;
  [[nodiscard]] const FaultRecord& fault_record(JointIndex joint) const { return faults_[joint]; }
  void acknowledge(JointIndex joint) { faults_[joint].acknowledged = true; }
  [[nodiscard]] std::vector<JointIndex> faulted_joints() const;
  [[nodiscard]] const EventList& events() const noexcept { return events_; }
  EventList& events() noexcept { return events_; }
  /// Of who sent a command: the name it gave itself.
  [[nodiscard]] std::string name_of(std::uint16_t sender) const;
  /// The last thing that was refused, here or by the loop; empty after a while.
  [[nodiscard]] std::string notice() const;

  // What is on the screen: the person's choice.

  int part = -1;  ///< index into config().parts; -1: all joints
  std::string filter;
  JointIndex selected = 0;
  Palette palette = Palette::kIcubDark;

  [[nodiscard]] std::vector<JointIndex> shown() const {
    return shown_joints(config(), part, filter, snapshot_);
  }
  /// Joints that the group buttons are for: those of the part shown, whatever the filter hides.
  [[nodiscard]] JointSet group() const;

  /// Asks the loop for another factor on all speeds: whoever is in CONTROL may.
  void ask_speed_override(double factor);

  // Guards.

  [[nodiscard]] Access access() const noexcept { return access_.access(); }
  [[nodiscard]] double armed_left() const noexcept { return access_.armed_left(frame_.now); }
  void set_access(Access access);
  /// A motion was asked for past the panel (a push in the 3D view): the countdown of ARMED begins
  /// anew.
  void note_motion() { access_.used(frame_.now); }

  /// Why this can't be asked now; empty: it can.
  [[nodiscard]] std::string why_not(PanelAct act, JointIndex joint) const;
  [[nodiscard]] std::string why_not_mode(ModeRequest request, JointIndex joint) const;
  /// Why nothing that needs this can be asked now, of whichever joint.
  [[nodiscard]] std::string why_not_access(Access least) const;
  /// Those of `joints` that can be asked it.
  [[nodiscard]] JointSet able(PanelAct act, const JointSet& joints) const;
  /// What a group button will do: "38 joints run; 2 in fault, 1 not calibrated stay as they are".
  [[nodiscard]] std::string forecast(PanelAct act, const JointSet& joints) const;

  // What a click means. Each sends at most what it says, or gives notice.

  void stop_all();                                 ///< every joint brakes and holds; never asks
  void off_all();                                  ///< every motor off; never asks
  void act(PanelAct act, const JointSet& joints);  ///< run, idle, force-idle, home, calibrate
  /// Cartesian is entered and left by all joints of an arm at once.
  void set_mode(JointIndex joint, ModeRequest request);
  void set_interaction(const JointSet& joints, InteractionMode interaction);
  void set_impedance(JointIndex joint, double stiffness, double damping);
  void go_to(const PoseConfig& pose);
  /// A gain or a limit; config() has it once the loop has taken it.
  void set_parameter(JointIndex joint, JointParameter parameter, double value);
  /// A change that the loop has taken.
  struct ParameterChange {
    JointIndex joint = 0;
    JointParameter parameter = JointParameter::kKp;
    double before = 0.0;
    double after = 0.0;
  };
  /// Changes that can be taken back, the newest last.
  [[nodiscard]] const std::vector<ParameterChange>& parameter_history() const noexcept {
    return parameter_history_;
  }
  void undo_parameter();   ///< the newest
  void undo_parameters();  ///< all, the newest first

  /// A command for an arm or its joints, as ArmDesk has checked it. While ARMED that lasts on.
  void ask(Command& command);

  // What moves joints without a hand on them.

  /// STOP, OFF and the end of ARMED end it from now on. It outlives the panel.
  void add(Autopilot& autopilot) { autopilots_.push_back(&autopilot); }
  /// Moves as an autopilot asks: goals with their speeds or, timed, durations. Only while ARMED,
  /// which lasts on.
  /// @returns the number of the command; 0: it wasn't sent
  std::uint64_t pilot(const RobotClient::Values& goals, bool timed);
  /// Keeps ARMED from falling back: an autopilot is at work.
  void keep_armed() { access_.used(frame_.now); }
  void stop(const JointSet& joints) { sent(client_->stop(joints)); }
  /// The newest of the panel's own commands that the loop has refused, and taken, and when [robot
  /// time] it was.
  struct Answer {
    std::uint64_t number = 0;
    TimeNs time_ns = 0;
  };
  [[nodiscard]] const Answer& refused() const noexcept { return refused_; }
  [[nodiscard]] const Answer& taken() const noexcept { return taken_; }
  /// Shown for a while, like what is refused.
  void tell(std::string text);

  /// Idle of one joint; under load it asks first, unless that is skipped (never on a real robot).
  void idle(JointIndex joint, bool skip_question);
  struct Question {
    JointIndex joint = kNoJoint;
    std::string text;
  };
  [[nodiscard]] const std::optional<Question>& question() const noexcept { return question_; }
  void answer(bool yes);

  // Sliders.

  [[nodiscard]] std::vector<SliderKind> sliders(JointIndex joint) const;
  [[nodiscard]] Bar slider_range(JointIndex joint, const SliderKind& kind) const;
  [[nodiscard]] const SliderState& slider(JointIndex joint, const SliderKind& kind) const;
  /// The ghost follows the hand. Nothing is sent unless it is live.
  void drag(JointIndex joint, const SliderKind& kind, double value);
  /// Let go of: sends a goal if armed; velocity, torque and duty spring back to nothing.
  void release(JointIndex joint, const SliderKind& kind);
  /// Enter in the field beside it. Returns why it was refused, which is also its notice; empty: it
  /// was taken.
  std::string type(JointIndex joint, const SliderKind& kind, const std::string& text);
  /// Streams the ghost from now on; ends with focus, half a minute without input, another page,
  /// disarming, STOP, OFF, or another mode.
  void set_live(JointIndex joint, bool live);
  [[nodiscard]] bool is_live(JointIndex joint) const { return live_.test(joint); }

  /// To be called in each frame in which a jog key or button is held; the first frame without it
  /// brakes the joint. In velocity and mixed a velocity is streamed.
  /// @param direction  -1 or 1
  void jog(JointIndex joint, int direction);

 private:
  using Sliders = std::array<SliderState, kAllJointQuantity.size()>;

  [[nodiscard]] const JointSnapshot& now(JointIndex joint) const { return snapshot_.joints[joint]; }
  [[nodiscard]] JointSet with_its_arm(ModeRequest request, JointIndex joint) const;
  [[nodiscard]] std::string why_not_alone(PanelAct act, JointIndex joint) const;
  SliderState& slider_of(JointIndex joint, const SliderKind& kind) {
    return sliders_[joint][static_cast<std::size_t>(kind.quantity)];
  }
  [[nodiscard]] double reference_of(JointIndex joint, JointQuantity quantity) const;
  [[nodiscard]] double move_speed(JointIndex joint) const;
  [[nodiscard]] std::string what_is_wrong(JointIndex joint, const SliderKind& kind,
                                          double value) const;
  bool allowed(const std::string& why_not);
  void sent(std::uint64_t number);
  void send_home(const JointSet& joints);
  std::string take_typed(JointIndex joint, const SliderKind& kind, const std::string& text);
  void send_reference(JointIndex joint, const SliderKind& kind, double value);
  [[nodiscard]] double stream_step(JointIndex joint) const;
  void stream(JointIndex joint, const SliderKind& kind);
  void stream_live();
  void end_live();
  void follow_sliders();
  void follow_jog();
  void end_jog();
  void take_parameters(std::uint64_t number);
  void end_autopilots(const std::string& why);

  PanelRobot robot_;
  RobotConfig config_;
  RobotClient* client_;
  Describe describe_;
  FrameInput frame_;
  double frame_time_ = 0.0;  ///< s since the frame before
  Snapshot snapshot_;
  bool has_snapshot_ = false;
  bool bus_is_off_ = false;
  double fresh_at_ = 0.0;  ///< when the cycle last counted up
  std::uint64_t fresh_cycle_ = 0;
  double factor_since_ = 0.0;
  TimeNs factor_from_ = 0;
  double real_time_factor_ = 0.0;
  AccessGuard access_;
  LiveGuard live_guard_;
  JointSet live_;
  std::vector<Sliders> sliders_;
  std::vector<FaultRecord> faults_;
  std::vector<JointMode> modes_seen_;
  std::vector<Autopilot*> autopilots_;
  JointIndex jogged_ = kNoJoint;
  bool jog_goes_on_ = false;
  Answer refused_;
  Answer taken_;
  struct SentParameter {
    std::uint64_t number = 0;
    ParameterChange change;
    bool is_undo = false;
  };
  std::vector<SentParameter> parameters_sent_;  ///< not answered yet
  std::vector<ParameterChange> parameter_history_;
  EventList events_;
  std::optional<Question> question_;
  std::string notice_;
  double notice_at_ = 0.0;
};

}  // namespace jointrig
