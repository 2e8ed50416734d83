#include "control/model/mjcf_messages.h"

#include <algorithm>
#include <vector>

#include "control/core/text.h"
#include "control/model/mjcf.h"

namespace jointrig {
namespace {

thread_local std::vector<std::string>* collected = nullptr;

void on_message(const mjLogMessage* message) {
  if (message->level == mjLOG_WARNING && collected != nullptr) {
    std::string text = message->subject;
    if (message->body != nullptr) text += std::string(": ") + message->body;
    collected->push_back(sentence_of(text, {}));
  }
  // If a handler returns from an error, MuJoCo exits the process.
  if (message->level == mjLOG_ERROR) throw ModelError(std::string("MuJoCo: ") + message->subject);
}

/// Without blanks at either end and full stops at the end.
std::string_view bare(std::string_view text) {
  text = trimmed(text);
  while (text.ends_with('.')) text = trimmed(text.substr(0, text.size() - 1));
  return text;
}

/// Removes words without information: "XML Error: ", "Error: ", "Schema violation: ".
std::string_view without_preamble(std::string_view text) {
  for (const std::string_view word :
       {"XML Error:", "Error:", "Schema violation:", "ParseXML:", "WARNING:"}) {
    if (text.starts_with(word)) text = bare(text.substr(word.size()));
  }
  return text;
}

/// "Element name 'arm', id 0, line 7" without the id, which has no meaning for users.
std::string place(std::string_view line) {
  std::string text(line);
  const std::size_t id = text.find(", id ");
  if (id != std::string::npos) text.erase(id, text.find(',', id + 1) - id);
  constexpr std::string_view kNameless = "Element name '', ";
  if (text.starts_with(kNameless)) text.erase(0, kNameless.size());
  if (!text.empty()) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  }
  return text;
}

/// Hint at what to do, for messages that name what MuJoCo saw and not what the user missed.
std::string_view hint_at(std::string_view what) {
  if (what.starts_with("Unrecognized XML model type: 'mujocoinclude'")) {
    return ": it is a part of a model, name the file that includes it";
  }
  if (what.starts_with("Unrecognized XML model type")) {
    return ": a model begins with <mujoco> (MJCF) or <robot> (URDF)";
  }
  return "";
}

}  // namespace

std::string sentence_of(std::string_view message, const std::string& path) {
  std::string what;
  std::string where;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    const std::string_view line = bare(message.substr(0, end));
    message.remove_prefix(std::min(end + 1, message.size()));
    if (line.empty()) continue;
    if (line.starts_with("Element ")) {
      where = place(line);
    } else {
      what += (what.empty() ? "" : "; ") + std::string(without_preamble(line));
    }
  }
  what += hint_at(what);
  if (!where.empty()) what += " (" + where + ")";
  return path.empty() ? what : path + ": " + what;
}

void take_mujoco_log() {
  [[maybe_unused]] static const bool once = [] {
    mju_setLogHandler(on_message);
    return true;
  }();
}

CollectWarnings::CollectWarnings(std::vector<std::string>& into) noexcept : outer_(collected) {
  collected = &into;
}

CollectWarnings::~CollectWarnings() { collected = outer_; }

}  // namespace jointrig
