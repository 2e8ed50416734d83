#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>

#include "app/arguments/arguments.h"
#include "app/from_to.h"
#include "app/guarded.h"
#include "harness/config/whole_file.h"
#include "harness/log/mcap/channel_list.h"
#include "harness/log/mcap/csv_export.h"
#include "harness/log/mcap/mcap_recover.h"

namespace jointrig::app {
namespace {

void export_to(const std::string& log, const harness::CsvOptions& csv, const std::string& path) {
  harness::WholeFile file(path);
  try {
    harness::export_csv(log, csv, file.out());
  } catch (const std::exception&) {
    if (file.out()) throw;  // the log can't be read
  }
  file.commit();
}

constexpr const char* kExportFooter = R"(Examples:
  jointrig export log.mcap                    its channels and fields
  jointrig export log.mcap log.csv            all of it
  jointrig export log.mcap q.csv --select '/j/*.q' --select /events --from 1.5 --to 2)";

}  // namespace

void add_export(CLI::App& program, int& code) {
  struct Options {
    std::string log;
    std::string out;
    std::vector<std::string> select;
    double from = -1e9;
    double to = 1e9;
  };
  auto options = std::make_shared<Options>();
  CLI::App* to_csv = program.add_subcommand(
      "export", "Write a log as CSV, units in its header; or list its channels and fields");
  to_csv->footer(kExportFooter);
  to_csv->add_option("log", options->log, "An MCAP log of jointrig")->required();
  to_csv->add_option("csv", options->out, "The file to write; without it, the channels are listed");
  to_csv->add_option("--select", options->select,
                     "A channel, or a channel and a field, with * and ?: '/j/*.q'");
  to_csv->add_option("--from", options->from, "Time of the first row [s]; the log's own time")
      ->check(from_to(-1e9, 1e9));
  to_csv->add_option("--to", options->to, "Time of the last row [s]")->check(from_to(-1e9, 1e9));
  to_csv->callback([=, &code] {
    code = guarded("export", [&] {
      if (options->out.empty()) {
        std::fputs(harness::channel_list(options->log).c_str(), stdout);
        return 0;
      }
      harness::CsvOptions csv;
      csv.select = options->select;
      csv.from_ns = std::llround(options->from * 1e9);
      csv.to_ns = std::llround(options->to * 1e9);
      export_to(options->log, csv, options->out);
      return 0;
    });
  });
}

void add_recover(CLI::App& program, int& code) {
  struct Options {
    std::string log;
    std::string out;
  };
  auto options = std::make_shared<Options>();
  CLI::App* recover =
      program.add_subcommand("recover", "Make a log whole again that was cut off by a crash");
  recover->add_option("log", options->log, "The cut log; it is left as it is")->required();
  recover->add_option("out", options->out, "The file to write")->required();
  recover->callback([=, &code] {
    code = guarded("recover", [&] {
      std::printf("%s\n", harness::recover_mcap(options->log, options->out).sentence().c_str());
      return 0;
    });
  });
}

}  // namespace jointrig::app
