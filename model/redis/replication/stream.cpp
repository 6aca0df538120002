#include "model/redis/replication/stream.h"

#include <algorithm>
#include <limits>

namespace lockstep::redis {

namespace {

constexpr std::int64_t chunk_bytes = 16'384;       // PROTO_REPLY_CHUNK_BYTES
constexpr std::int64_t block_header_bytes = 40;    // of replBufBlock
constexpr std::int64_t blocks_in_backlog_min = 16;  // a block is at most this part of the backlog

std::int64_t digits(std::size_t number) {
  std::int64_t count = 1;
  for (; number >= 10; number /= 10) ++count;
  return count;
}

/// A new block for so many bytes: at least a chunk, at most a part of the backlog, and what the size class of
/// the allocator leaves over. There are four classes to each doubling (jemalloc).
std::int64_t room_for(std::int64_t bytes, std::int64_t backlog_bytes) {
  const std::int64_t limit = backlog_bytes / blocks_in_backlog_min;
  const std::int64_t wanted = std::max(std::min(bytes, limit), chunk_bytes) + block_header_bytes;
  std::int64_t doubling = chunk_bytes;
  while (doubling * 2 < wanted) doubling *= 2;
  const std::int64_t step = doubling / 4;
  return (wanted + step - 1) / step * step - block_header_bytes;
}

void trim(Backlog& backlog) {
  std::size_t gone = 0;
  while (gone + 1 < backlog.blocks.size()) {
    const std::int64_t used = backlog.blocks[gone].used;
    if (backlog.bytes() <= backlog.bytes_max || backlog.bytes() - used <= backlog.bytes_max) break;
    backlog.first += used;
    backlog.blocks[gone].used = 0;
    ++gone;
  }
  if (gone == 0) return;
  backlog.blocks.erase(backlog.blocks.begin(), backlog.blocks.begin() + static_cast<std::ptrdiff_t>(gone));
  std::erase_if(backlog.items, [&](const StreamItem& item) { return item.begin() < backlog.first; });
}

}  // namespace

std::int64_t stream_bytes(const Command& command) {
  std::int64_t bytes = 3 + digits(command.size());  // *2\r\n
  for (const std::string& word : command)           // $3\r\nGET\r\n
    bytes += 5 + digits(word.size()) + static_cast<std::int64_t>(word.size());
  return bytes;
}

std::int64_t Backlog::bytes() const {
  std::int64_t sum = 0;
  for (const Block& block : blocks) sum += block.used;
  return sum;
}

void begin(Backlog& backlog, std::int64_t offset) {
  end(backlog);
  backlog.active = true;
  backlog.first = offset + 1;
}

void end(Backlog& backlog) {
  backlog.active = false;
  backlog.first = 1;
  backlog.blocks.clear();
  backlog.items.clear();
}

void feed(Backlog& backlog, std::int64_t piece_bytes) {
  bool grown = false;
  while (piece_bytes > 0) {
    if (backlog.blocks.empty() || backlog.blocks.back().used == backlog.blocks.back().room) {
      backlog.blocks.push_back({room_for(piece_bytes, backlog.bytes_max), 0});
      grown = true;
    }
    Backlog::Block& last = backlog.blocks.back();
    const std::int64_t fitting = std::min(piece_bytes, last.room - last.used);
    last.used += fitting;
    piece_bytes -= fitting;
  }
  if (grown) trim(backlog);
}

void keep(Backlog& backlog, StreamItem item) {
  if (item.begin() >= backlog.first) backlog.items.push_back(std::move(item));
}

std::vector<StreamItem> items_from(const Backlog& backlog, std::int64_t offset) {
  const auto from = std::find_if(backlog.items.begin(), backlog.items.end(),
                                 [&](const StreamItem& item) { return item.begin() >= offset; });
  return {from, backlog.items.end()};
}

void age(Effects& effects, Duration passed) {
  for (Effect& effect : effects) {
    if (!effect.time_word) continue;
    const bool overflows = passed < Duration::zero() && effect.remaining > Duration::max() + passed;
    effect.remaining = overflows ? Duration::max() : effect.remaining - passed;
  }
}

void age(Backlog& backlog, Duration passed) {
  for (StreamItem& item : backlog.items) age(item.effects, passed);
}

}  // namespace lockstep::redis
