/// Cost of the motor panel in a window, and its effect on the loop. Needs a display.
///
///     panel_bench [SECONDS]           a table for docs/panel.md; SECONDS a run, 8 unless told
///     panel_bench --memory [SECONDS]  what it has needed at the most, every joint in motion
///
/// A robot of 53 joints in POSITION, eight plots of a minute with two signals each, the 3D view. A
/// frame is measured with 41 joints as well, an iCub's upper body.
/// Loops with and without the panel take turns, three times, so that what else the machine does
/// meets both.

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "app/gui/gui_session.h"

namespace jointrig::bench {
namespace {

constexpr int kJoints = 53;
constexpr int kFewer = 41;
constexpr int kLimb = 6;  // joints one upon the other
constexpr int kRounds = 3;
constexpr std::chrono::seconds kWarmUp{1};

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double processor_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Limbs that stand in a row, each bent by its own weight unless it is held.
std::string many_joints(int joints) {
  std::string xml = "<mujoco model='limbs'><compiler angle='radian'/><worldbody>";
  for (int first = 0; first < joints; first += kLimb) {
    std::string close;
    for (int i = first; i < std::min(first + kLimb, joints); ++i) {
      const bool is_root = i == first;
      xml += fmt::format(
          "<body pos='{}'><joint name='j{}' axis='{}' range='-1.5 1.5' damping='0.2' "
          "armature='0.01'/>"
          "<geom type='capsule' fromto='0 0 0 0 0 0.15' size='0.03' mass='0.4'/>",
          is_root ? fmt::format("0 {} 1", 0.3 * first / kLimb) : "0 0 0.15", i,
          i % 2 == 0 ? "0 1 0" : "1 0 0");
      close += "</body>";
    }
    xml += close;
  }
  xml += "</worldbody><actuator>";
  for (int i = 0; i < joints; ++i) {
    xml += fmt::format("<motor joint='j{}' ctrlrange='-40 40'/>", i);
  }
  return xml + "</actuator></mujoco>";
}

/// A robot whose file is there as long as this is.
class MadeRobot {
 public:
  explicit MadeRobot(int joints)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("jointrig_panel_bench_{}_{}.xml", ::getpid(), joints)),
        robot_(written(path_, joints)) {}
  ~MadeRobot() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  MadeRobot(const MadeRobot&) = delete;
  MadeRobot& operator=(const MadeRobot&) = delete;

  [[nodiscard]] const app::GuiRobot& robot() const noexcept { return robot_; }

 private:
  static app::GuiRobot written(const std::filesystem::path& path, int joints) {
    std::ofstream(path) << many_joints(joints);
    return app::robot_called(path.string());
  }

  std::filesystem::path path_;
  app::GuiRobot robot_;
};

/// Statistics over the cycles of some runs.
struct Felt {
  std::vector<double> cycle_us;
  std::vector<double> late_us;
  std::uint64_t overruns = 0;

  void add(const gui::TraceRow& row, const gui::TraceTable& signals) {
    const auto of = [&](gui::LoopTrace trace) {
      return static_cast<double>(row.values[signals.index(trace)]);
    };
    cycle_us.push_back(of(gui::LoopTrace::kRead) + of(gui::LoopTrace::kDecide) +
                       of(gui::LoopTrace::kWrite));
    late_us.push_back(of(gui::LoopTrace::kJitter));
  }
};

double part(std::vector<double>& of, double fraction) {
  if (of.empty()) return 0.0;
  const auto at =
      of.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(of.size() - 1));
  std::nth_element(of.begin(), at, of.end());
  return *at;
}

void all_to_position(RobotClient& client) {
  JointSet all;
  for (int i = 0; i < kJoints; ++i) all.set(static_cast<std::size_t>(i));
  client.set_mode(all, ModeRequest::kPosition);
}

void run_headless(const app::GuiRobot& robot, double seconds, Felt& felt) {
  app::LiveLoop loop(app::config_of(robot), BackendKind::kSim);
  RobotClient client(loop.rig().stack().config(), loop.rig().stack().inbox(), "bench");
  loop.start({});
  all_to_position(client);
  const gui::TraceTable signals(loop.rig().stack().config());
  Snapshot snapshot;
  std::uint64_t overruns_before = 0;
  const auto begin = Clock::now();
  while (since(begin) < seconds + 1.0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    loop.newest(snapshot);
    const bool is_warm = Clock::now() - begin >= kWarmUp;
    if (!is_warm) overruns_before = snapshot.overruns;
    while (loop.ring().pop([&](const gui::TraceRow& row) {
      if (is_warm) felt.add(row, signals);
    })) {
    }
  }
  felt.overruns += snapshot.overruns - overruns_before;
}

/// A panel as set up for tuning.
std::unique_ptr<app::GuiSession> open_panel(const app::GuiRobot& robot,
                                            gui::Painter painter = gui::Painter::kFastest) {
  auto session = std::make_unique<app::GuiSession>(
      std::make_shared<app::GuiScreen>(1920, 1080, painter), robot);
  session->start();
  gui::PlotSet& plots = session->plots();
  plots.plots.clear();
  for (std::size_t i = 0; i < gui::PlotSet::kMostPlots; ++i) {
    plots.add_plot();
    const auto joint = static_cast<JointIndex>(i);
    plots.add(i, session->history().signal(joint, gui::JointTrace::kPosition));
    plots.add(i, session->history().signal(joint, gui::JointTrace::kTorque));
  }
  plots.time.set_span(60.0);
  while (!session->panel().watch.has_snapshot()) session->frame();  // nothing is asked before
  session->panel().set_access(gui::Access::kArmed);
  session->panel().acts.act(gui::PanelAct::kRun, session->panel().group());
  return session;
}

double run_with_panel(const app::GuiRobot& robot, double seconds, Felt& felt) {
  const std::unique_ptr<app::GuiSession> session = open_panel(robot);
  const auto begin = Clock::now();
  std::uint64_t overruns_before = 0;
  std::uint64_t first = 0;
  std::uint64_t frames = 0;
  while (since(begin) < seconds + 1.0) {
    session->wake();
    session->frame();
    if (Clock::now() - begin < kWarmUp) {
      overruns_before = session->panel().snapshot().overruns;
      first = session->history().end();
      frames = session->drawn();
    }
  }
  const gui::History& history = session->history();
  const auto at = [&](gui::LoopTrace trace, std::uint64_t i) {
    return static_cast<double>(history.series(history.signal(trace)).at(i));
  };
  for (std::uint64_t i = first; i < history.end(); ++i) {
    felt.cycle_us.push_back(at(gui::LoopTrace::kRead, i) + at(gui::LoopTrace::kDecide, i) +
                            at(gui::LoopTrace::kWrite, i));
    felt.late_us.push_back(at(gui::LoopTrace::kJitter, i));
  }
  felt.overruns += session->panel().snapshot().overruns - overruns_before;
  return static_cast<double>(session->drawn() - frames) / seconds;
}

void row(const char* name, Felt& felt, const std::string& frames) {
  std::printf("| %s | %.1f µs | %.1f µs | %.0f µs | %.2f of 1000 | %s |\n", name,
              part(felt.cycle_us, 0.5), part(felt.cycle_us, 0.99), part(felt.late_us, 0.99),
              1e3 * static_cast<double>(felt.overruns) / static_cast<double>(felt.cycle_us.size()),
              frames.c_str());
}

void compare_loops(const app::GuiRobot& robot, double seconds) {
  Felt alone;
  Felt watched;
  double frames = 0.0;
  for (int round = 0; round < kRounds; ++round) {
    run_headless(robot, seconds, alone);
    frames += run_with_panel(robot, seconds, watched) / kRounds;
  }
  std::printf(
      "| loop of 53 joints | cycle p50 | cycle p99 | wake-up late, p99 | overruns | frames/s |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: |\n");
  row("alone", alone, "–");
  row("with the panel", watched, fmt::format("{:.0f}", frames));
}

/// Processor time is that of all threads, llvmpipe's included, and of what the loop takes
/// meanwhile; a frame lasts from the end of its wait until the X server has the picture.
struct Cost {
  double frame_ms = 0.0;  ///< the median
  double processor_ms = 0.0;
  double part_of_core = 0.0;
};

/// @param each  before each frame
template <typename Each>
Cost cost_of(app::GuiSession& session, double seconds, const Each& each) {
  const double before = processor_seconds();
  const auto begin = Clock::now();
  std::vector<double> work;
  while (since(begin) < seconds) {
    each(static_cast<int>(work.size()));
    session.frame();
    work.push_back(1e3 * session.screen()->window.work());
  }
  const double used = processor_seconds() - before;
  const double frames = static_cast<double>(work.size());
  return {part(work, 0.5), 1e3 * used / frames, used / since(begin)};
}

void look(app::GuiSession& session, double seconds) {
  const auto from = Clock::now();
  while (since(from) < seconds) session.frame();
}

void cost_row(const char* name, const Cost& cost) {
  std::printf("| %s | %.1f ms | %.1f ms |\n", name, cost.frame_ms, cost.processor_ms);
}

void draw_paused(const app::GuiRobot& robot, double seconds) {
  const std::unique_ptr<app::GuiSession> session = open_panel(robot);
  look(*session, 3.0);  // something to see in the plots
  // A plot that moves by a pixel each frame, so that each has to be drawn.
  const auto moving = [&](int frame) {
    session->wake();
    session->plots().time.pan(frame % 2 == 0 ? 0.002 : -0.002);
  };
  session->state().scene_open = false;
  look(*session, 0.5);
  const Cost live = cost_of(*session, seconds, [&](int) { session->wake(); });
  session->loop().pause(true);
  session->panel().set_access(gui::Access::kObserve);  // no countdown
  look(*session, 2.5);
  const Cost plain = cost_of(*session, seconds, moving);
  session->state().scene_open = true;
  look(*session, 2.5);
  const Cost still = cost_of(*session, seconds, moving);
  const Cost turning = cost_of(*session, seconds, [&](int frame) {
    moving(frame);
    if (session->scene() != nullptr) session->scene()->orbit(0.002, 0.0);
  });
  session->plots().time.follow(true);
  look(*session, 2.5);
  const Cost idle = cost_of(*session, seconds, [](int) {});
  std::printf("\n| paused, nobody touches anything | of a core |\n| --- | ---: |\n");
  std::printf("| with the 3D view | %.1f %% |\n", 100.0 * idle.part_of_core);
  std::printf("\n| a frame of %zu joints, 1920×1080 | until it is shown | processor time |\n",
              session->panel().config().joints.size());
  std::printf("| --- | ---: | ---: |\n");
  cost_row("plots move, without the 3D view", plain);
  cost_row("with it, standing still", still);
  cost_row("with it, turning", turning);
  cost_row("the robot runs: plots, numbers, bars; without the 3D view", live);
}

/// The same, drawn by OpenGL.
void draw_by_opengl(const app::GuiRobot& robot, double seconds) {
  const std::unique_ptr<app::GuiSession> session = open_panel(robot, gui::Painter::kOpenGl);
  look(*session, 3.0);
  session->loop().pause(true);
  session->panel().set_access(gui::Access::kObserve);
  session->state().scene_open = false;
  look(*session, 2.5);
  cost_row("plots move, drawn by OpenGL", cost_of(*session, seconds, [&](int frame) {
             session->wake();
             session->plots().time.pan(frame % 2 == 0 ? 0.002 : -0.002);
           }));
}

/// All joints to and fro, so that nothing in the plots stands.
void sway(RobotClient& client, double to) {
  RobotClient::Each<Move::Value> goals;
  for (JointIndex i = 0; i < kJoints; ++i) goals.push_back({i, {i % 2 == 0 ? to : -to, 2.0}});
  client.send<Move>(goals);
}

double peak_megabytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) * 1024e-6;
}

/// The most that the process ever had in RAM, the software rasteriser and its compiler included.
void measure_memory(const app::GuiRobot& robot, double seconds) {
  const std::unique_ptr<app::GuiSession> session = open_panel(robot);
  Stack& stack = session->loop().rig().stack();
  RobotClient client(stack.config(), stack.inbox(), "bench");
  const auto begin = Clock::now();
  double next = 2.0;
  for (int moves = 0; since(begin) < seconds; session->frame()) {
    if (since(begin) < next) continue;
    sway(client, ++moves % 2 == 0 ? 0.3 : -0.3);
    next += 1.5;
  }
  const double samples = static_cast<double>(session->history().size()) *
                         static_cast<double>(std::min<std::uint64_t>(
                             session->history().end(), session->history().series(0).capacity()));
  const auto record = static_cast<double>(session->history().bytes());
  std::printf("%d joints in motion for %.0f s: peak %.0f MB; plots %.0f MB, %.2f bytes a sample\n",
              kJoints, seconds, peak_megabytes(), 1e-6 * record, record / samples);
}

int measure(double seconds) {
  const MadeRobot made(kJoints);
  const MadeRobot smaller(kFewer);
  compare_loops(made.robot(), seconds);
  draw_paused(made.robot(), seconds);
  draw_by_opengl(made.robot(), seconds);
  draw_paused(smaller.robot(), seconds);
  return 0;
}

}  // namespace
}  // namespace jointrig::bench

int main(int argc, char** argv) {
  try {
    if (argc > 1 && std::string_view(argv[1]) == "--memory") {
      const jointrig::bench::MadeRobot made(jointrig::bench::kJoints);
      jointrig::bench::measure_memory(made.robot(), argc > 2 ? std::atof(argv[2]) : 75.0);
      return 0;
    }
    return jointrig::bench::measure(argc > 1 ? std::atof(argv[1]) : 8.0);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "panel_bench: %s\n", e.what());
    return 2;
  }
}
