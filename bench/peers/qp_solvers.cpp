// qp_solvers FILE SOLVER
//
// Other people's solvers on the programs of wholebody_programs (FILE). qp_peers.py builds it
// against their sources and headers and gives it all it needs; it is no part of the build.
//
// SOLVER is eiquadprog, daqp, proxsuite-1e-6 or proxsuite-1e-9, each with its own settings but the
// accuracies in the names; RANDOM as a third word: a warm start is from the program's own solution.
// Prints a line for each program: thread time in µs from a cold start and from a warm one (-1: it
// has none), the largest difference of its cold and of its warm solution from ours, and by how much
// the worse of them violates a constraint. A time is that of taking over the program's numbers and
// of solving; H is given to them. A program that isn't solved has differences of infinity.

#include <api.h>
#include <utils.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <eiquadprog/eiquadprog-rt.hpp>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <proxsuite/proxqp/dense/dense.hpp>
#include <string>
#include <vector>

namespace {

using Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Program {
  Rows hessian;
  VectorXd gradient, low, high;
  Rows rows;
  VectorXd row_low, row_high;
  VectorXd ours;
};

std::vector<Program> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::int32_t n = 0, m = 0, count = 0;
  for (std::int32_t* number : {&n, &m, &count}) {
    file.read(reinterpret_cast<char*>(number), sizeof *number);
  }
  const auto get = [&](auto& numbers) {
    file.read(reinterpret_cast<char*>(numbers.data()), sizeof(double) * numbers.size());
  };
  std::vector<Program> programs;
  for (int i = 0; i < count; ++i) {
    Program& p = programs.emplace_back();
    p.hessian.resize(n, n);
    for (VectorXd* v : {&p.gradient, &p.low, &p.high, &p.ours}) v->resize(n);
    p.rows.resize(m, n);
    p.row_low.resize(m);
    p.row_high.resize(m);
    get(p.hessian);
    get(p.gradient);
    get(p.low);
    get(p.high);
    get(p.rows);
    get(p.row_low);
    get(p.row_high);
    get(p.ours);
  }
  if (!file) throw std::runtime_error(path + ": there are fewer numbers than it says");
  return programs;
}

double thread_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * now.tv_sec + 1e-3 * now.tv_nsec;
}

double violation(const Program& p, const VectorXd& x) {
  const VectorXd y = p.rows * x;
  return std::max({0.0, (p.low - x).maxCoeff(), (x - p.high).maxCoeff(), (p.row_low - y).maxCoeff(),
                   (y - p.row_high).maxCoeff()});
}

/// One of a solver's two starts.
struct Answer {
  double us = -1.0;
  bool solved = false;
  VectorXd x;
};

/// Row by row: CE x + ce = 0, CI x + ci ≥ 0, which is all that it takes. It has no warm start.
class Eiquadprog {
 public:
  static constexpr int kVariables = 64, kEqualities = 12, kInequalities = 160;

  Answer cold(const Program& p) {
    int equality = 0, inequality = 0;
    const double begun = thread_us();
    const auto add = [&](const auto& row, double low, double high) {
      if (low == high) {
        ce_.row(equality) = row;
        ce0_[equality++] = -low;
        return;
      }
      if (std::isfinite(low)) {
        ci_.row(inequality) = row;
        ci0_[inequality++] = -low;
      }
      if (std::isfinite(high)) {
        ci_.row(inequality) = -row;
        ci0_[inequality++] = high;
      }
    };
    for (int i = 0; i < kVariables; ++i) {
      add(Eigen::RowVectorXd::Unit(kVariables, i), p.low[i], p.high[i]);
    }
    for (Eigen::Index i = 0; i < p.rows.rows(); ++i)
      add(p.rows.row(i), p.row_low[i], p.row_high[i]);
    if (equality != kEqualities || inequality != kInequalities) {
      throw std::runtime_error("eiquadprog was compiled for programs of another size");
    }
    hessian_ = p.hessian;
    gradient_ = p.gradient;
    const auto status = solver_.solve_quadprog(hessian_, gradient_, ce_, ce0_, ci_, ci0_, x_);
    const double took = thread_us() - begun;
    return {took, status == eiquadprog::solvers::RT_EIQUADPROG_OPTIMAL, x_};
  }
  Answer warm(const Program&, bool) { return {}; }

 private:
  eiquadprog::solvers::RtEiquadprog<kVariables, kEqualities, kInequalities> solver_;
  Eigen::Matrix<double, kEqualities, kVariables> ce_;
  Eigen::Matrix<double, kEqualities, 1> ce0_;
  Eigen::Matrix<double, kInequalities, kVariables> ci_;
  Eigen::Matrix<double, kInequalities, 1> ci0_;
  Eigen::Matrix<double, kVariables, kVariables> hessian_;
  Eigen::Matrix<double, kVariables, 1> gradient_, x_;
};

/// Its workspaces live as long as it does: a solve allocates what it pleases. Equalities are
/// eliminated, which it does by itself for a cold start.
class Daqp {
 public:
  Answer cold(const Program& p) {
    return solve(cold_, p, DAQP_UPDATE_sense | DAQP_UPDATE_unconstrained | DAQP_UPDATE_eliminate);
  }
  Answer warm(const Program& p, bool again) {
    if (again) solve(warm_, p, DAQP_UPDATE_sense);
    return solve(warm_, p, 0);
  }

 private:
  struct Space {
    DAQPProblem problem{};
    DAQPWorkspace work{};
    std::vector<double> low, high, x, multipliers;
    std::vector<int> sense;
  };

  static Answer solve(Space& s, const Program& p, int more) {
    const double begun = thread_us();
    const auto n = static_cast<int>(p.gradient.size()), m = static_cast<int>(p.row_low.size());
    const bool is_first = s.sense.empty();
    if (is_first) {
      s.low.resize(n + m);
      s.high.resize(n + m);
      s.sense.resize(n + m);
      s.x.resize(n);
      s.multipliers.resize(n + m);
    }
    const auto fill = [&](std::vector<double>& to, const VectorXd& of, const VectorXd& rows) {
      for (int i = 0; i < n; ++i) to[i] = std::clamp(of[i], -DAQP_INF, DAQP_INF);
      for (int i = 0; i < m; ++i) to[n + i] = std::clamp(rows[i], -DAQP_INF, DAQP_INF);
    };
    fill(s.low, p.low, p.row_low);
    fill(s.high, p.high, p.row_high);
    for (int i = 0; i < n + m; ++i) {
      s.sense[i] = s.low[i] == s.high[i] ? DAQP_ACTIVE | DAQP_IMMUTABLE : 0;
    }
    s.problem.n = n;
    s.problem.m = n + m;
    s.problem.ms = n;
    s.problem.H = const_cast<double*>(p.hessian.data());
    s.problem.f = const_cast<double*>(p.gradient.data());
    s.problem.A = const_cast<double*>(p.rows.data());
    s.problem.bupper = s.high.data();
    s.problem.blower = s.low.data();
    s.problem.sense = s.sense.data();
    int flag = 0;
    if (is_first) {
      flag = setup_daqp_main(&s.problem, &s.work, nullptr, more & ~DAQP_UPDATE_sense);
    } else {
      constexpr int kNumbers = DAQP_UPDATE_Rinv | DAQP_UPDATE_M | DAQP_UPDATE_v | DAQP_UPDATE_d;
      flag = daqp_update_ldp(kNumbers | more, &s.work, &s.problem);
    }
    DAQPResult result{};
    result.x = s.x.data();
    result.lam = s.multipliers.data();
    if (flag >= 0) daqp_solve(&result, &s.work);
    const double took = thread_us() - begun;
    return {took, flag >= 0 && result.exitflag > 0, Eigen::Map<VectorXd>(s.x.data(), n)};
  }

  Space cold_, warm_;
};

/// Its dense backend with bounds apart from rows.
class Proxsuite {
 public:
  explicit Proxsuite(double accuracy) : accuracy_(accuracy) {}

  Answer cold(const Program& p) {
    using proxsuite::proxqp::InitialGuessStatus;
    return solve(cold_, p, InitialGuessStatus::EQUALITY_CONSTRAINED_INITIAL_GUESS);
  }
  Answer warm(const Program& p, bool again) {
    using proxsuite::proxqp::InitialGuessStatus;
    if (again) solve(warm_, p, InitialGuessStatus::EQUALITY_CONSTRAINED_INITIAL_GUESS);
    return solve(warm_, p, InitialGuessStatus::WARM_START_WITH_PREVIOUS_RESULT);
  }

 private:
  using Solver = proxsuite::proxqp::dense::QP<double>;

  Answer solve(std::unique_ptr<Solver>& solver, const Program& p,
               proxsuite::proxqp::InitialGuessStatus guess) {
    const double begun = thread_us();
    const auto n = p.gradient.size();
    std::vector<Eigen::Index> equal, other;
    for (Eigen::Index i = 0; i < p.row_low.size(); ++i) {
      (p.row_low[i] == p.row_high[i] ? equal : other).push_back(i);
    }
    constexpr double kLargest = 1e20;  // its infinity
    const VectorXd low = p.low.cwiseMax(-kLargest), high = p.high.cwiseMin(kLargest);
    const Rows a = p.rows(equal, Eigen::all), c = p.rows(other, Eigen::all);
    const VectorXd b = p.row_low(equal), l = p.row_low(other), u = p.row_high(other);
    if (solver == nullptr) {
      solver = std::make_unique<Solver>(n, equal.size(), other.size(), true);
      solver->settings.eps_abs = accuracy_;
      solver->settings.eps_rel = 0.0;
      solver->settings.initial_guess = guess;
      solver->init(p.hessian, p.gradient, a, b, c, l, u, low, high);
    } else {
      solver->settings.initial_guess = guess;
      solver->update(p.hessian, p.gradient, a, b, c, l, u, low, high, true);
    }
    solver->solve();
    const double took = thread_us() - begun;
    const auto status = solver->results.info.status;
    return {took, status == proxsuite::proxqp::QPSolverOutput::PROXQP_SOLVED, solver->results.x};
  }

  double accuracy_;
  std::unique_ptr<Solver> cold_, warm_;
};

template <typename Solver>
void run(Solver solver, const std::vector<Program>& programs, bool again) {
  for (const Program& p : programs) {
    const Answer cold = solver->cold(p);
    const Answer warm = solver->warm(p, again);
    const auto apart = [&](const Answer& of) {
      if (of.us < 0.0) return 0.0;
      return of.solved ? (of.x - p.ours).cwiseAbs().maxCoeff() : kInfinity;
    };
    double violated = violation(p, cold.x);
    if (warm.us >= 0.0) violated = std::max(violated, violation(p, warm.x));
    std::printf("%.3f %.3f %.3g %.3g %.3g\n", cold.us, warm.us, apart(cold), apart(warm), violated);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  const std::vector<Program> programs = read(words.at(0));
  const bool again = words.size() > 2;
  if (words.at(1) == "eiquadprog") {
    run(std::make_unique<Eiquadprog>(), programs, again);
  } else if (words[1] == "daqp") {
    run(std::make_unique<Daqp>(), programs, again);
  } else {
    run(std::make_unique<Proxsuite>(words[1] == "proxsuite-1e-6" ? 1e-6 : 1e-9), programs, again);
  }
}
