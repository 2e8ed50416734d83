#pragma once
/// CLI11's class for a verb, for headers: CLI11 itself takes a second to read.

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}  // namespace CLI
