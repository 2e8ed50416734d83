#include "app/sweep/case_worker.h"

#include <fmt/core.h>
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>

#include "app/interrupt.h"
#include "app/run/result_files.h"
#include "app/sweep/case_message.h"

namespace jointrig::app {
namespace {

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

/// The settings of an order as those of a plan whose cases vary nothing.
class Orders {
 public:
  Orders(SweepPlan plan, SweepRobot robot)
      : plan_(std::move(plan)), inputs_(plan_, std::move(robot)) {}

  [[nodiscard]] PreparedCase prepared(const CaseOrder& order) {
    plan_.settings = order.settings;
    SweepCase one;
    one.seed = order.seed;
    PreparedCase ready = inputs_.prepare(one);
    if (ready.hash == order.hash) return ready;
    throw std::runtime_error("the case " + order.hash + " is another one here, " + ready.hash +
                             ": a file of the robot or of the scenario differs");
  }
  [[nodiscard]] const CaseInputs& inputs() const noexcept { return inputs_; }

 private:
  SweepPlan plan_;
  CaseInputs inputs_;
};

CaseEnd answer_to(const CaseOrder& order, Orders& orders, const CaseWork& work) {
  try {
    make_folder(order.part);
    return work.run(orders.prepared(order), order.part, order.home, {});
  } catch (const std::exception& error) {
    CaseEnd end;
    end.hash = order.hash;
    end.outcome = to_string(harness::Outcome::kCouldNotRun);
    end.reason = error.what();
    end.lines = {"ERROR " + end.reason};
    return end;
  }
}

}  // namespace

int work_on_cases(const SweepPlan& plan, const SweepRobot& robot, const CaseWork& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would read what it says
  end_on_interrupt();
  SweepPlan bare = plan;
  bare.axes.clear();
  Orders orders(bare, robot);
  say(fmt::format(R"({{"program": "{}", "mujoco": "{}"}})", orders.inputs().program(),
                  orders.inputs().mujoco()));
  for (std::string line; !interrupted.load() && std::getline(std::cin, line);) {
    if (!line.empty()) say(to_line(answer_to(order_of(line), orders, work)));
  }
  return interrupted.load() ? kInterruptedCode : 0;
}

}  // namespace jointrig::app
