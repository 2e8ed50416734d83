// remote_holder ADDRESS: a client that holds the lease and moves joint 0 until it loses it;
// holder_test kills and freezes it.
#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

#include "remote/client.h"

namespace {

using namespace jointrig;

int hold(const char* address) {
  remote::ClientOptions options;
  options.address = address;
  options.name = "holder";
  remote::Client client(options);
  client.take();
  SetMode mode;
  mode.joints.set(0);
  mode.mode = ModeRequest::kPosition;
  if (!client.answer(client.post(mode)).accepted) return 3;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the motor goes on
  Move move;
  move.joints.set(0);
  move.values.push_back({1.5, 0.5});
  const remote::CommandAnswer answer = client.answer(client.post(move));
  if (!answer.accepted) throw std::runtime_error(answer.event.sentence);
  std::puts("moving");
  std::fflush(stdout);
  try {
    for (;;) {
      const remote::CommandAnswer one = client.answer(client.post(SetSpeedOverride{1.0}));
      if (!one.accepted) throw remote::NoLease(one.event.sentence);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  } catch (const remote::NoLease& over) {
    std::printf("%s\n", over.what());
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return count == 2 ? hold(arguments[1]) : 2;
  } catch (const std::exception& problem) {
    std::printf("%s\n", problem.what());
    return 2;
  }
}
