#include "app/rig/rig.h"

#include <stdexcept>

#include "app/wiggle/wiggle_record.h"

namespace jointrig::app {
void refuse_torn_joints(const RobotConfig& robot, const RobotModel& model) {
  for (const auto& [a, b] : model.tied_joints()) {
    const JointConfig& one = robot.joints[a];
    const JointConfig& other = robot.joints[b];
    if (backend_of(robot, one) == backend_of(robot, other)) continue;
    throw std::invalid_argument("robot " + robot.name + ": an equality of the model ties joint " +
                                one.name + " to " + other.name +
                                ", so both must be on one backend, not on " +
                                std::string(to_string(backend_of(robot, one))) + " and " +
                                std::string(to_string(backend_of(robot, other))));
  }
}

Rig::Rig(const RobotConfig& config, const RigOptions& options)
    : config_(as_asked(config, options.backend)),
      wiggle_check_(options.wiggle_check),
      kit_(options.driver ? make_driver_kit(config_, options.driver(config_))
                          : make_kit(config_, options)) {
  const BackendDescription& description = backend().description();
  auto model = std::make_unique<RobotModel>(config_);
  if (!options.driver) refuse_torn_joints(config_, *model);
  stack_ = std::make_unique<Stack>(config_, description.joints, std::move(model));
  if (config_.avoidance) config_.avoidance->shapes = stack_->config().avoidance->shapes;
  std::vector<std::string> notes = stack_->connect_force_sensors(description.force_torque_sites);
  if (kit_->has_dynamics()) sensor_notes_ = std::move(notes);
  const bool may_be_real = is_on_real_drives() || options.driver;
  const double usual = may_be_real ? config.speed_override : 1.0;
  stack_->start_with_speed(options.speed_override.value_or(usual));
  loop_ = std::make_unique<Loop>(backend(), *stack_);
  if (!config.laws.empty()) law_watch_ = std::make_unique<LawWatch>(config, stack_->law_call());
}

std::vector<std::string> Rig::robot_notes() {
  std::vector<std::string> notes = sensor_notes_;
  if (std::string note = stack_->note_on_avoidance(); !note.empty()) {
    notes.push_back(std::move(note));
  }
  if (!kit_->has_dynamics()) return notes;
  for (std::string& note : stack_->loop_warnings()) notes.push_back(std::move(note));
  return notes;
}

void Rig::start() {
  stack_->connect_base(backend().description());
  // Read before the start: started boards wait for their next setpoint, and files take time.
  std::string unproved;
  if (is_on_real_drives() && wiggle_check_) {
    unproved = why_not_wiggled(part_on(config_, BackendKind::kHw));
  }
  try {
    backend().start();
  } catch (const std::runtime_error& error) {
    const std::string note = note_on_boards();
    if (note.empty()) throw;
    throw std::runtime_error(std::string(error.what()) + "\n" + note);
  }
  if (!unproved.empty()) throw std::runtime_error(unproved);
}

Rig::~Rig() { backend().stop(); }

}  // namespace jointrig::app
