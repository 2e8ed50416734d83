#include "harness/log/mcap/mcap_recover.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "harness/log/mcap/mcap_scan.h"
#include "harness/log/mcap/mcap_writer.h"

namespace jointrig::harness {
namespace {

namespace fs = std::filesystem;
using mcap::ChunkRecords;
using mcap::Contents;
using mcap::LogSource;
using mcap::StoredMessage;

std::string default_output(const std::string& path) {
  fs::path output(path);
  output.replace_extension();
  return output.string() + ".recovered.mcap";
}

bool nothing_amiss(const LogSource& source, const Contents& contents) {
  if (!contents.complete || !mcap::read_index(source)) return false;
  return std::all_of(contents.chunks.begin(), contents.chunks.end(),
                     [&](const auto& place) { return mcap::read_chunk(source, place).intact; });
}

McapOptions options_like(const LogSource& source, const Contents& contents) {
  McapOptions options;
  options.chunk_age = std::chrono::hours(24 * 365);  // chunks end as in the source
  for (const mcap::ChunkPlace& place : contents.chunks) {
    const ChunkRecords records = mcap::read_chunk(source, place);
    if (!records.intact) continue;
    options.compression = *compression_from(records.compression);
    break;
  }
  return options;
}

/// Maps channels of the source to those of the new log.
std::map<ChannelId, ChannelId> add_channels(const Contents& contents, McapWriter& out) {
  std::map<ChannelId, ChannelId> ids;
  try {
    for (const auto& [id, channel] : contents.channels) {
      const auto schema = contents.schemas.find(channel.schema_id);
      ids[id] = out.add_channel(
          channel.topic, schema == contents.schemas.end() ? mcap::StoredSchema{} : schema->second,
          channel.encoding, channel.metadata);
    }
  } catch (const std::invalid_argument& error) {
    throw LogFileError("cannot recover into " + out.path() + ": " + error.what());
  }
  return ids;
}

void copy_chunk(const ChunkRecords& records, const std::map<ChannelId, ChannelId>& ids,
                McapWriter& out, RecoverReport& report) {
  mcap::for_each_record(records.bytes, [&](mcap::Opcode opcode, std::span<const std::byte> fields) {
    if (opcode != mcap::Opcode::kMessage) return;
    StoredMessage message = mcap::parse_message(fields);
    const auto id = ids.find(message.channel);
    if (id == ids.end()) return;
    message.channel = id->second;
    if (!out.write(message)) return;
    report.messages += 1;
    report.salvaged += records.intact ? 0 : 1;
    report.last_time_ns = std::max(report.last_time_ns, message.log_time_ns);
  });
  out.flush();
}

void copy_rest(const LogSource& source, const Contents& contents, McapWriter& out) {
  for (const mcap::AttachmentPlace& place : contents.attachments) {
    out.attach(place.name, place.media_type, mcap::read_attachment(source, place));
  }
  for (const mcap::StoredMetadata& metadata : contents.metadata) {
    out.add_metadata(metadata.name, metadata.values);
  }
}

}  // namespace

RecoverReport recover_mcap(const std::string& path, const std::string& output) {
  RecoverReport report;
  report.output = output.empty() ? default_output(path) : output;
  const LogSource source(path);
  std::error_code ignored;
  if (fs::equivalent(path, report.output, ignored)) {
    throw LogFileError("recovering " + path + " needs another file to write to than itself");
  }
  const Contents contents = mcap::scan(source);
  if (nothing_amiss(source, contents)) {
    report.was_whole = true;
    report.output.clear();
    return report;
  }

  McapWriter out(report.output, options_like(source, contents));
  const auto ids = add_channels(contents, out);
  for (const mcap::ChunkPlace& place : contents.chunks) {
    const ChunkRecords records = mcap::read_chunk(source, place);
    if (place.whole && !records.intact) {
      ++report.damaged_chunks;
      continue;
    }
    report.chunks += records.intact ? 1 : 0;
    copy_chunk(records, ids, out, report);
  }
  copy_rest(source, contents, out);
  report.dropped_bytes = source.size() - contents.understood_to;
  const McapStatus status = out.close();
  if (!status.ok) throw LogFileError(status.message);
  return report;
}

std::string RecoverReport::sentence() const {
  if (was_whole) return "the log is whole: nothing to recover";
  std::string text =
      fmt::format("{}: kept {} messages in {} whole chunks", output, messages, chunks);
  if (salvaged > 0) {
    text += fmt::format(", {} of the messages from one that was cut off", salvaged);
  }
  text += fmt::format(", up to {:f} s", static_cast<double>(last_time_ns) * 1e-9);
  if (damaged_chunks > 0) {
    text += fmt::format("; dropped {} damaged chunks", damaged_chunks);
  }
  if (dropped_bytes > 0) {
    text += fmt::format("; the last {} bytes were cut off in mid-record", dropped_bytes);
  }
  return text;
}

}  // namespace jointrig::harness
