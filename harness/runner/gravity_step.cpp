#include "harness/runner/gravity_step.h"

#include "harness/runner/step_reader.h"

namespace jointrig::harness {

GravityStep read_gravity(const YamlNode& node) {
  GravityStep step;
  for (const YamlNode& number : node.items()) step.gravity.push_back(read_text(number));
  return step;
}

BoundGravity::BoundGravity(const GravityStep& step, const Binder& binder) {
  for (const Text& number : step.gravity) numbers_.push_back(binder.value(number, 0, "m/s^2"));
}

SetGravity BoundGravity::make() const noexcept {
  SetGravity command;
  for (std::size_t i = 0; i < numbers_.size(); ++i) command.gravity[i] = numbers_[i].value();
  return command;
}

}  // namespace jointrig::harness
