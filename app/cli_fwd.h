#pragma once
/// CLI11's class for a verb, for headers: CLI11 itself takes a second to read.

namespace CLI {
class App;
}  // namespace CLI
