#include "tools/differential/lock_steps.h"

#include <algorithm>
#include <array>
#include <utility>

#include "lua/scripts/embedded_scripts.h"
#include "lua/sha1.h"
#include "sim/base/verify.h"

namespace lockstep::differential {

namespace {

constexpr std::array holders{"b1a3:1", "b1a3:2", "c7f0:1"};
constexpr std::array locks{"lock", "other", "pages"};
constexpr const char* groups_key = "group";
constexpr std::string_view lock_channel = "redisson_lock__channel:{lock}";
constexpr model::ConnectionId listener{1};

/// K: the lock, C: its channel, Q and D: queue and deadlines of a fair lock, A: latch, M: message, L: lease,
/// H: holder, W: wait, N: now, U: both together, V: publish command, Y: time of the latch, F: counter of a
/// fenced lock, E: an error; of a read/write lock T: what the keys of its holds begin with, P: those of all
/// holders, X: its writer, 1 and 2: how many of its holders follow; v and w: two values of a group. In the
/// order of lua/scripts/set.toml.
struct Shape {
  std::string_view name;
  std::string_view keys;
  std::string_view arguments;
};
constexpr std::array shapes{
    Shape{"compare-and-delete.lua", "K", "H"},
    Shape{"fair-acquire-failed.lua", "QD", "HW"},
    Shape{"fair-acquire-failed-alone.lua", "QD", "H"},
    Shape{"fair-acquire-failed-at-head.lua", "QD", "HW"},
    Shape{"fair-expire.lua", "KQD", "L"},
    Shape{"fair-force-unlock.lua", "KQDC", "MNV"},
    Shape{"fair-force-unlock-publish-wants-scores.lua", "KQDC", "MNV"},
    Shape{"fair-force-unlock-wants-scores.lua", "KQDC", "MN"},
    Shape{"fair-lock.lua", "KQD", "LHWN"},
    Shape{"fair-lock-behind-head.lua", "KQD", "LHUN"},
    Shape{"fair-lock-score-left.lua", "KQD", "LHWN"},
    Shape{"fair-lock-simplified.lua", "KQD", "LHWN"},
    Shape{"fair-lock-time-left.lua", "KQD", "LHWN"},
    Shape{"fair-lock-wants-scores.lua", "KQD", "LHWN"},
    Shape{"fair-try-lock.lua", "KQD", "LHNW"},
    Shape{"fair-try-lock-behind-head.lua", "KQD", "LHN"},
    Shape{"fair-try-lock-wants-scores.lua", "KQD", "LHNW"},
    Shape{"fair-unlock.lua", "KQDCA", "MLHNVY"},
    Shape{"fair-unlock-latch-wants-scores.lua", "KQDCA", "MLHNVY"},
    Shape{"fair-unlock-publish-wants-scores.lua", "KQDC", "MLHNV"},
    Shape{"fair-unlock-wants-scores.lua", "KQDC", "MLHN"},
    Shape{"faster-force-unlock.lua", "KC", "MVv"},
    Shape{"faster-is-held.lua", "K", "NHvw"},
    Shape{"faster-is-locked.lua", "K", "Nvw"},
    Shape{"faster-lock.lua", "K", "LNHvw"},
    Shape{"faster-renew.lua", "K", "LNHv"},
    Shape{"faster-try-lock.lua", "K", "NLHv"},
    Shape{"faster-unlock.lua", "KCA", "HMLVYNvw"},
    Shape{"fenced-expire.lua", "KF", "L"},
    Shape{"fenced-lock-token.lua", "KF", "LH"},
    Shape{"fenced-lock.lua", "KF", "LH"},
    Shape{"force-unlock-by-command.lua", "KC", "MV"},
    Shape{"force-unlock.lua", "KC", "M"},
    Shape{"lock-free-or-mine.lua", "K", "LH"},
    Shape{"lock-hincrby.lua", "K", "LH"},
    Shape{"lock-hset.lua", "K", "LH"},
    Shape{"non-reentrant-fair-lock.lua", "KQD", "LHWNE"},
    Shape{"non-reentrant-fair-try-lock.lua", "KQD", "LHNWE"},
    Shape{"non-reentrant-lock.lua", "K", "LHE"},
    Shape{"read-force-unlock-by-command.lua", "KC", "MV"},
    Shape{"read-force-unlock.lua", "KC", "M"},
    Shape{"read-is-locked.lua", "K", ""},
    Shape{"read-lock-keeps-longer.lua", "KT", "LHX"},
    Shape{"read-lock.lua", "KT", "LHX"},
    Shape{"read-renew-all-astray.lua", "KPKP", "LHH"},
    Shape{"read-renew-all-astray.lua", "KP", "LH"},
    Shape{"read-renew-all.lua", "KPKP", "LHH"},
    Shape{"read-renew-lock-alone.lua", "K", "LH"},
    Shape{"read-renew-own.lua", "KPKP", "L2HX1H"},
    Shape{"read-renew.lua", "KP", "LH"},
    Shape{"read-unlock-by-command.lua", "KCTP", "MHV"},
    Shape{"read-unlock-latch-if-absent.lua", "KCTPA", "MHVY"},
    Shape{"read-unlock-with-latch.lua", "KCTPA", "MHVY"},
    Shape{"read-unlock.lua", "KCTP", "MH"},
    Shape{"renew-all.lua", "K", "LH"},
    Shape{"renew.lua", "K", "LH"},
    Shape{"spin-force-unlock.lua", "K", ""},
    Shape{"spin-unlock-with-latch.lua", "KA", "LHY"},
    Shape{"spin-unlock.lua", "K", "LH"},
    Shape{"unlock-by-command.lua", "KC", "MLHV"},
    Shape{"unlock-publish-if-absent.lua", "KC", "MLH"},
    Shape{"unlock-with-latch.lua", "KCA", "MLHVY"},
    Shape{"unlock.lua", "KC", "MLH"},
    Shape{"write-force-unlock-by-command.lua", "KC", "MV"},
    Shape{"write-force-unlock.lua", "KC", "M"},
    Shape{"write-lock.lua", "K", "LX"},
    Shape{"write-unlock-by-command.lua", "KC", "MLXV"},
    Shape{"write-unlock-latch-if-absent.lua", "KCA", "MLXVY"},
    Shape{"write-unlock-with-latch.lua", "KCA", "MLXVY"},
    Shape{"write-unlock.lua", "KC", "MLX"},
};

/// The bytes of the script of this shape.
std::string script_of(const Shape& shape) {
  const auto scripts = lua::embedded_scripts();
  const auto at = std::find_if(scripts.begin(), scripts.end(),
                               [&](const lua::EmbeddedFile& file) { return file.name == shape.name; });
  VERIFY(at != scripts.end());
  return std::string(at->text);
}

struct Visit {
  std::string lock, holder;
  std::int64_t now_ms;
};

std::string word_for(Dice& dice, char what, const Visit& visit) {
  switch (what) {
    case 'K':
      return visit.lock;
    case 'C':
      return std::string(lock_channel);
    case 'Q':
      return visit.lock + ":queue";
    case 'D':
      return visit.lock + ":deadlines";
    case 'A':
      return visit.lock + ":latch";
    case 'M':
      return "0";
    case 'V':
      return "PUBLISH";
    case 'U':
      return std::to_string(visit.now_ms + 1 + static_cast<std::int64_t>(dice.below(300)));
    case 'L':
    case 'W':
    case 'Y':
      return std::to_string(1 + dice.below(300));
    case 'H':
      return visit.holder;
    case 'E':
      return "NON_REENTRANT_REACQUIRE";
    case 'F':
      return "redisson_lock_token:{" + visit.lock + "}";
    case 'T':
      return "{" + visit.lock + "}:" + visit.holder + ":rwlock_timeout";
    case 'P':
      return "{" + visit.lock + "}";
    case 'X':
      return visit.holder + ":write";
    case '1':
    case '2':
    case 'v':
    case 'w':
      return std::string(1, what);
    default:
      return std::to_string(visit.now_ms);
  }
}

model::Command script_call(Dice& dice, Visit visit) {
  const Shape& shape = shapes[dice.below(shapes.size())];
  const bool read_write = shape.name.starts_with("read-") || shape.name.starts_with("write-");
  if (shape.name.starts_with("faster-")) visit.lock = groups_key;
  if (read_write) visit.lock = locks.back();  // so that they meet, and plain scripts only now and then
  const std::string text = script_of(shape);
  const bool by_name = dice.below(2) == 0;
  model::Command command{by_name ? "EVALSHA" : "EVAL", by_name ? lua::sha1_hex(text) : text};
  command.push_back(std::to_string(shape.keys.size()));
  for (const char what : shape.keys) command.push_back(word_for(dice, what, visit));
  for (const char what : shape.arguments) command.push_back(word_for(dice, what, visit));
  return command;
}

model::Command meddling(Dice& dice, const Visit& visit) {
  switch (dice.below(7)) {
    case 0:
      return {"DEL", visit.lock, visit.lock + ":queue"};
    case 1:
      return {"PEXPIRE", visit.lock, std::to_string(dice.below(200))};
    case 2:
      return {"SET", visit.lock, visit.holder, "NX", "PX", std::to_string(1 + dice.below(300))};
    case 3:
      return {"HGETALL", visit.lock};
    case 4:
      return {"PERSIST", visit.lock};
    case 5:
      return {"DEL", visit.lock + ":deadlines"};
    default:
      return {"PTTL", visit.lock};
  }
}

}  // namespace

Step LockSteps::next(Dice& dice, const redis::testing::TestClient& model) {
  if (!std::exchange(listening_, true)) return {{}, {"SUBSCRIBE", std::string(lock_channel)}, listener};
  Step step;
  if (dice.below(2) == 0)
    step.passes = dice.below(2) == 0 ? random_time(dice, model) : sim::Duration(dice.below(40));
  const Visit visit{locks[dice.below(locks.size())], holders[dice.below(holders.size())],
                    model.wall_ms + step.passes.count()};
  step.command = dice.below(12) == 0 ? meddling(dice, visit) : script_call(dice, visit);
  return step;
}

}  // namespace lockstep::differential
