// wholebody_programs random|motion COUNT [FILE]
//
// Quadratic programs of whole-body control, solved by our solver, and written for others
// (bench/peers/qp_peers.py):
//
//     random   the iCub in COUNT random states with both soles on the ground: the programs of
//              wholebody_second_solver_test
//     motion   the iCub that stands in MuJoCo and is pushed ahead and aside, COUNT cycles in a row
//
// Only programs that have a solution are taken; random states are drawn until there are COUNT.
// Prints a line for each: thread time in µs from a cold start; the same from a warm one, which is
// the program's own active set for random states, that of the cycle before in a motion; iterations
// of both. Times are those of ActiveSetQp::solve(), which makes H of its rows.
//
// FILE, numbers of the machine: int32 variables n, rows m, programs; then in doubles of each
// program H (n, n), g (n), low (n), high (n), A (m, n) row by row, row_low (m), row_high (m), and
// our solution (n).

#include <fmt/core.h>

#include <cstdint>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/control/wholebody/icub_on_floor.h"

namespace jointrig::bench {
namespace {

constexpr int kIterations = 300;  // whole_body's own bound

double thread_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

class Programs {
 public:
  /// @param path  empty: nothing is written
  Programs(const std::string& path, int count, bool starts_from_before)
      : count_(count), starts_from_before_(starts_from_before) {
    if (path.empty()) return;
    file_.open(path, std::ios::binary);
    if (!file_) throw std::runtime_error(path + ": it can't be written");
  }

  [[nodiscard]] bool full() const noexcept { return taken_ == count_; }

  void take(const WholeBodyCore& core) {
    const QuadraticProgram program = core.program();
    const auto n = static_cast<int>(program.gradient.size());
    const auto m = static_cast<int>(program.row_low.size());
    if (solvers_.empty()) {
      for (int i = 0; i < 2; ++i) {
        solvers_.emplace_back(n, m, static_cast<int>(program.squares.cols()));
      }
    }
    ActiveSetQp& cold = solvers_.front();
    ActiveSetQp& warm = starts_from_before_ ? solvers_.back() : solvers_.front();
    cold.forget();
    const double cold_us = solve(cold, program);
    const int cold_iterations = cold.iterations();
    const double warm_us = solve(warm, program);
    fmt::print("{:.3f} {:.3f} {} {}\n", cold_us, warm_us, cold_iterations, warm.iterations());
    if (file_.is_open()) write(program, n, m, cold.solution());
    ++taken_;
  }

 private:
  static double solve(ActiveSetQp& solver, const QuadraticProgram& program) {
    const double begun = thread_us();
    const ActiveSetQp::Outcome outcome = solver.solve(program, kIterations);
    const double took = thread_us() - begun;
    if (outcome != ActiveSetQp::Outcome::kSolved) {
      throw std::runtime_error("a program that the core has solved wasn't solved again");
    }
    return took;
  }

  void write(const QuadraticProgram& p, int n, int m, const Eigen::VectorXd& solution) {
    if (taken_ == 0) {
      for (const std::int32_t number : {n, m, count_}) {
        file_.write(reinterpret_cast<const char*>(&number), sizeof number);
      }
    }
    Eigen::MatrixXd hessian = p.squares * p.squares.transpose();
    hessian.diagonal() += p.diagonal;
    const auto put = [&](const auto& numbers) {
      file_.write(reinterpret_cast<const char*>(numbers.data()),
                  static_cast<std::streamsize>(sizeof(double)) * numbers.size());
    };
    put(hessian);
    put(p.gradient);
    put(p.low);
    put(p.high);
    put(Eigen::MatrixXd(p.rows_transposed));
    put(p.row_low);
    put(p.row_high);
    put(solution);
  }

  int count_ = 0;
  bool starts_from_before_ = false;
  int taken_ = 0;
  std::vector<ActiveSetQp> solvers_;  // one for cold, one for warm starts of a motion
  std::ofstream file_;
};

void of_random_states(Programs& programs) {
  soles::Icub icub;
  WholeBodyCore core(icub.model, soles::both_soles(icub.model), icub.bounds);
  std::mt19937 random(1000);
  while (!programs.full()) {
    icub.shake(random, 0.1, 0.3);
    const WholeBodySolution& answer = core.solve(icub.model, soles::stand(icub, random));
    if (answer.outcome == CoreOutcome::kSolved) programs.take(core);
  }
}

/// A push of 0.1 s in each second, of 0.8 ω d: ahead and to the left by turns.
void of_a_motion(Programs& programs) {
  soles::IcubOnFloor body(0.1);
  body.command.spatial[0].on = true;
  body.command.spatial[0].frame = body.icub.model.find_frame("chest");
  body.command.spatial[0].axes = {false, false, false, true, true, true};
  FrameGoal upright;
  upright.rotation = body.icub.model.rotation(body.command.spatial[0].frame);
  const int chest = mj_name2id(body.plant.get(), mjOBJ_BODY, "chest");
  constexpr double kPush = 33.06 * 0.8 / 0.1;  // kg/s
  for (int cycle = 0; !programs.full(); ++cycle) {
    const bool is_pushed = cycle % 1000 >= 500 && cycle % 1000 < 600;
    const bool is_ahead = cycle / 1000 % 2 == 0;
    body.data->xfrc_applied[6 * chest] = is_pushed && is_ahead ? kPush * 0.34 : 0.0;
    body.data->xfrc_applied[6 * chest + 1] = is_pushed && !is_ahead ? kPush * 0.47 : 0.0;
    body.read();
    body.want_to_stand();
    body.command.spatial[0].acceleration = towards(body.icub.model, body.command.spatial[0].frame,
                                                   upright, {}, FeedbackGains::critical(50.0));
    if (body.step().outcome == CoreOutcome::kSolved) programs.take(body.core);
  }
}

}  // namespace
}  // namespace jointrig::bench

int main(int count, char** arguments) {
  try {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    const bool is_random = !words.empty() && words[0] == "random";
    if (words.size() < 2 || words.size() > 3 || (!is_random && words[0] != "motion")) {
      std::cerr << "usage: wholebody_programs random|motion COUNT [FILE]\n";
      return 2;
    }
    const int wanted = std::stoi(words[1]);
    if (wanted < 1 || wanted > 100000) {
      std::cerr << "wholebody_programs: COUNT " << words[1] << ": expected 1 to 100000\n";
      return 2;
    }
    jointrig::bench::Programs programs(words.size() == 3 ? words[2] : "", wanted, !is_random);
    if (is_random) {
      jointrig::bench::of_random_states(programs);
    } else {
      jointrig::bench::of_a_motion(programs);
    }
  } catch (const std::exception& error) {
    std::cerr << "wholebody_programs: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
