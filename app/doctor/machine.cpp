#include "app/doctor/machine.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>

#include "control/core/text.h"

namespace jointrig::app {
namespace {

/// The word in brackets of `always [madvise] never`; the whole text without brackets.
std::string chosen(const std::string& text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return text;
  return text.substr(open + 1, close - open - 1);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// The value of `key=value` on the kernel's command line.
std::string boot_option(const Machine& machine, std::string_view key) {
  std::istringstream line(machine.read("proc/cmdline").value_or(""));
  for (std::string word; line >> word;) {
    if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=') {
      return word.substr(key.size() + 1);
    }
  }
  return {};
}

Finding kernel(const Machine& machine) {
  const std::string release = machine.read("proc/sys/kernel/osrelease").value_or("unknown");
  const std::string version = machine.read("proc/sys/kernel/version").value_or("");
  const std::string name = "Linux " + release;
  if (machine.read("sys/kernel/realtime") == "1" || contains(version, "PREEMPT_RT")) {
    return {FindingKind::kOk, "kernel", name + ", PREEMPT_RT", {}};
  }
  const std::string fix =
      "sudo apt install linux-image-rt-amd64 (Debian), sudo pro enable realtime-kernel (Ubuntu), "
      "then boot it";
  if (contains(version, "PREEMPT_DYNAMIC")) {
    const std::string preempt = boot_option(machine, "preempt");
    if (preempt == "full") {
      return {FindingKind::kNote, "kernel", name + ", preempt=full, not PREEMPT_RT", fix};
    }
    return {FindingKind::kNote, "kernel",
            name + ", PREEMPT_DYNAMIC" + (preempt.empty() ? "" : ", preempt=" + preempt) +
                ", not PREEMPT_RT",
            "preempt=full on the kernel's command line (GRUB_CMDLINE_LINUX, sudo update-grub), or "
            "a real-time kernel: " +
                fix};
  }
  const char* flavour =
      contains(version, "PREEMPT") ? ", PREEMPT, not PREEMPT_RT" : ", no preemption of the kernel";
  return {FindingKind::kNote, "kernel", name + flavour, fix};
}

Finding core_count(const Machine& machine) {
  const std::size_t count = machine.cores().size();
  const std::string text =
      fmt::format("{}, {}{}", machine.cpu_model(), count, (count == 1 ? " core" : " cores"));
  if (count >= 2) return {FindingKind::kOk, "cores", text, {}};
  return {FindingKind::kFix, "cores", text + ": everything else takes its time from the loop",
          "give the machine a second core"};
}

Finding virtual_machine(const Machine& machine) {
  if (!machine.is_virtual()) return {FindingKind::kOk, "machine", "not a virtual one", {}};
  return {FindingKind::kNote, "machine",
          "virtual: its host decides when it runs, the tail of the lateness is the host's",
          "for a real robot use a machine of its own"};
}

Finding governor(const Machine& machine) {
  std::set<std::string> governors;
  for (const int core : machine.cores()) {
    const auto text =
        machine.read(fmt::format("sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", core));
    if (text) governors.insert(*text);
  }
  if (governors.empty()) {
    return {FindingKind::kNote,
            "governor",
            std::string{"no cpufreq"} +
                (machine.is_virtual() ? ", as usual in a virtual machine" : "") +
                ": the frequency is not ours to set",
            {}};
  }
  const std::string text = joined(governors);
  if (governors == std::set<std::string>{"performance"}) {
    return {FindingKind::kOk, "governor", text, {}};
  }
  return {FindingKind::kFix, "governor", text + ": cores slow down between cycles",
          "sudo cpupower frequency-set -g performance"};
}

Finding isolation(const Machine& machine) {
  const std::string isolated = machine.read("sys/devices/system/cpu/isolated").value_or("");
  const std::string quiet = boot_option(machine, "nohz_full");
  if (!isolated.empty()) {
    return {FindingKind::kOk,
            "isolation",
            "cores " + isolated + " kept free" + (quiet.empty() ? "" : ", without ticks: " + quiet),
            {}};
  }
  const std::vector<int> cores = machine.cores();
  if (cores.size() < 2) return {FindingKind::kNote, "isolation", "no core to spare", {}};
  const int last = cores.back();
  return {FindingKind::kNote, "isolation", "no core is kept free of other programs",
          fmt::format("isolcpus={0} nohz_full={0} rcu_nocbs={0} on the kernel's command line "
                      "(GRUB_CMDLINE_LINUX, sudo update-grub), then --core {0}",
                      last)};
}

Finding clock_source(const Machine& machine) {
  const std::string folder = "sys/devices/system/clocksource/clocksource0/";
  const auto current = machine.read(folder + "current_clocksource");
  if (!current) return {FindingKind::kNote, "clock", "clock source unknown", {}};
  const std::set<std::string> fast{"tsc", "kvm-clock", "arch_sys_counter",
                                   "hyperv_clocksource_tsc_page"};
  if (fast.count(*current) > 0) return {FindingKind::kOk, "clock", *current, {}};
  const std::string available = machine.read(folder + "available_clocksource").value_or("");
  return {FindingKind::kFix, "clock",
          *current + ": reading it costs a system call and microseconds",
          contains(available, "tsc") ? "echo tsc | sudo tee /" + folder + "current_clocksource"
                                     : "see why the tsc was given up: sudo dmesg | grep -i tsc"};
}

Finding timer_slack(const Machine& machine) {
  const auto slack = machine.read("proc/self/timerslack_ns");
  if (!slack) return {FindingKind::kNote, "timer slack", "unknown", {}};
  return {FindingKind::kOk,
          "timer slack",
          *slack + " ns by default; the loop's thread sets its own to 1 ns",
          {}};
}

Finding huge_pages(const Machine& machine) {
  const auto text = machine.read("sys/kernel/mm/transparent_hugepage/enabled");
  if (!text) return {FindingKind::kOk, "huge pages", "no transparent huge pages", {}};
  if (chosen(*text) != "always") {
    return {FindingKind::kOk, "huge pages", "transparent ones: " + chosen(*text), {}};
  }
  return {FindingKind::kNote, "huge pages",
          "transparent ones: always; the kernel may stop the loop to gather a page",
          "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"};
}

Finding throttling(const Machine& machine) {
  const auto runtime = machine.read("proc/sys/kernel/sched_rt_runtime_us");
  const auto period = machine.read("proc/sys/kernel/sched_rt_period_us");
  if (!runtime || !period) return {FindingKind::kNote, "throttling", "unknown", {}};
  if (*runtime == "-1") return {FindingKind::kOk, "throttling", "off", {}};
  return {FindingKind::kOk,
          "throttling",
          "real-time threads get " + *runtime + " of " + *period +
              " µs; matters only to a loop that spins all the time",
          {}};
}

Finding idle_states(const Machine& machine) {
  long deepest_us = -1;
  std::string name;
  for (int state = 0; state < 16; ++state) {
    const std::string folder = fmt::format("sys/devices/system/cpu/cpu0/cpuidle/state{}/", state);
    const auto text = machine.read(folder + "latency");
    if (!text || machine.read(folder + "disable") == "1") continue;
    long latency_us = 0;
    std::from_chars(text->data(), text->data() + text->size(), latency_us);
    if (latency_us <= deepest_us) continue;
    deepest_us = latency_us;
    name = machine.read(folder + "name").value_or(fmt::format("state{}", state));
  }
  if (deepest_us < 0) return {FindingKind::kOk, "idle states", "none the kernel knows of", {}};
  const std::string text = fmt::format("{} takes {} µs to leave", name, deepest_us);
  constexpr long kToleratedUs = 20;  // choice: 2 % of a cycle
  if (deepest_us <= kToleratedUs) return {FindingKind::kOk, "idle states", text, {}};
  return {FindingKind::kFix, "idle states", text,
          fmt::format("sudo cpupower idle-set -D {}", kToleratedUs)};
}

Finding load(const Machine& machine) {
  const std::string text = machine.read("proc/loadavg").value_or("");
  double running = 0.0;
  std::istringstream{text} >> running;
  std::ostringstream number;
  number << running;
  if (running < 0.5 * static_cast<double>(machine.cores().size())) {
    return {FindingKind::kOk, "load", number.str() + " in the last minute", {}};
  }
  return {FindingKind::kNote, "load",
          number.str() + " in the last minute: other programs share the cores while we measure",
          "see who: top"};
}

}  // namespace

std::optional<std::string> Machine::read(std::string_view path) const {
  std::ifstream file(root_ / path);
  if (!file) return std::nullopt;
  std::ostringstream content;
  content << file.rdbuf();
  std::string text = content.str();
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.pop_back();
  return text;
}

std::vector<int> Machine::cores() const {
  std::vector<int> cores;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(root_ / "sys/devices/system/cpu", ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("cpu")) continue;
    int core = 0;
    const char* end = name.data() + name.size();
    const auto [parsed, error] = std::from_chars(name.data() + 3, end, core);
    if (error == std::errc{} && parsed == end) cores.push_back(core);
  }
  std::sort(cores.begin(), cores.end());
  return cores;
}

std::optional<std::string> Machine::cpu_info(std::string_view key) const {
  std::istringstream info(read("proc/cpuinfo").value_or(""));
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return std::nullopt;
}

std::string Machine::cpu_model() const { return cpu_info("model name").value_or("unknown CPU"); }

bool Machine::is_virtual() const {
  return contains(cpu_info("flags").value_or("") + " ", " hypervisor ");
}

std::vector<Finding> examine(const Machine& machine) {
  return {kernel(machine),     virtual_machine(machine), core_count(machine),
          load(machine),       governor(machine),        idle_states(machine),
          isolation(machine),  clock_source(machine),    timer_slack(machine),
          huge_pages(machine), throttling(machine)};
}

}  // namespace jointrig::app
