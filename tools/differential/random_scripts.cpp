#include "tools/differential/random_scripts.h"

#include <array>
#include <cctype>

#include "lua/sha1.h"
#include "model/redis/arguments.h"
#include "tools/differential/promise.h"

namespace lockstep::differential {

namespace {

using Pool = std::span<const std::string_view>;

constexpr std::string_view strings[] = {"'x'", "'OK'", "''", "'a b'", "'10'", "'ERR own words'", "'k1'"};
constexpr std::string_view numbers[] = {
    "0", "1", "-1", "2", "3.99", "-3.99", "-0.5", "1e15", "0.1", "1700000000123", "#KEYS", "#ARGV",
    "(tonumber(ARGV[1]) or 4)", "(tonumber(ARGV[2]) or 7)"};
constexpr std::string_view results[] = {"r1", "r2", "r3", "r4"};
constexpr std::string_view given[] = {"KEYS[1]", "KEYS[2]", "ARGV[1]", "ARGV[2]", "ARGV[3]"};
constexpr std::string_view conditions[] = {
    "$r", "not $r", "$r == false", "type($q) == 'table'", "type($q) == 'table' and $q.err", "$r == $g",
    "#KEYS > 1", "tonumber(ARGV[1])", "type($q) == 'number' and $q > 1", "type($q) == 'string' and #$q > 1",
    "type($q) == 'table' and $q.ok", "type($q) == 'table' and #$q == 0", "$r ~= nil"};
constexpr std::string_view values[] = {
    "$r", "$r", "$r", "$n", "$s", "$g", "true", "false", "nil", "{$r, $r}", "{$r, $n, $s, $r}", "{ok = $s}",
    "{err = $s}", "redis.error_reply($s)", "redis.status_reply($s)", "{1, 2, nil, 4}", "{{$r}, {$n, {$r}}}",
    "type($r)", "$n + $n", "$n * 3", "$n - $n", "$n / 4", "math.floor($n)", "tostring($n > 1)",
    "#KEYS .. ':' .. #ARGV", "$s .. $s", "string.upper($s)", "string.rep($s, 3)", "redis.sha1hex($s)",
    "{unpack({$r, $r, $n})}", "math.max($n, $n)", "string.format('%d:%s', $n, $s)", "{}", "{$r, false, $r}",
    "tonumber($s)", "tonumber($s, 16)", "select('#', $r, $r)", "math.min($n, 5)", "function() end", "KEYS",
    "ARGV", "{ok = 1}", "{err = false}", "redis.status_reply(1)", "redis.error_reply()", "{[1] = $r, x = 1}",
    "#$s"};
constexpr std::string_view failures[] = {
    "error($s)", "error($s, 0)", "error({err = $s})", "error({err = 'MY own code'})", "assert(false, $s)",
    "assert($r, 'no result')", "nosuch()", "nosuch = 1", "return nosuch", "redis.call()", "redis.call(KEYS)",
    "redis.call('GET', {})", "redis.call('GET', nil)", "redis.call('GET', true)", "redis.pcall('GET')",
    "redis.call('NOSUCH', KEYS[1])", "redis.call('GET', KEYS[9])", "return ==", "error()", "error(nil)",
    "error(redis.error_reply($s))", "if type($q) == 'table' and $q.err then error($q) end",
    "if type($q) == 'table' and $q.err then error($q.err) end",
    "if type($q) == 'table' and $q.err then return $q end", "return redis.error_reply(tostring($n > 2))",
    "KEYS = {}", "table.insert = 1", "redis.call('EVAL', 'return 1', 0)", "redis.call('SUBSCRIBE', 'c')",
    "redis.call('MULTI')", "redis.call('SCRIPT', 'FLUSH')", "redis.log('x')",
    "redis.pcall('HSET', KEYS[1], 'f', 'v', 'g')", "error('first\\nsecond', 0)", "return {err = 'A\\r\\nB'}",
    "return {ok = 'A\\nB'}", "error({err = 'x', ok = 'y'})", "redis.set_repl(redis.REPL_ALL)",
    "redis.set_repl(redis.REPL_NONE)", "redis.set_repl(redis.REPL_AOF)", "redis.set_repl(redis.REPL_REPLICA)",
    "redis.set_repl(5)", "redis.setresp(3)", "redis.setresp(2)", "redis.replicate_commands()",
    "return redis.REDIS_VERSION_NUM", "local t = nil; return t.x", "return #nil"};
constexpr std::string_view argument_values[] = {
    "0", "1", "2", "-1", "10", "1.5", "abc", "", "k1", "k3", "1e3", "0x10", " 5 ", "100"};
constexpr std::string_view keys[] = {"k1", "k2", "k3", "k4", "k5", "k6"};

std::string_view any_of(Dice& dice, Pool pool) { return pool[dice.below(pool.size())]; }

/// $r: some result, another at each place; $q: one and the same throughout.
std::string filled(Dice& dice, std::string_view pattern) {
  const std::string_view same = any_of(dice, results);
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '$') text += pattern[i];
    else if (pattern[++i] == 'r') text += any_of(dice, results);
    else if (pattern[i] == 'q') text += same;
    else if (pattern[i] == 'n') text += any_of(dice, numbers);
    else if (pattern[i] == 's') text += any_of(dice, strings);
    else text += any_of(dice, given);
  }
  return text;
}

std::string in_lua(std::string_view bytes) {
  std::string text = "'";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isprint(byte) && c != '\'' && c != '\\') text += c;
    else
      text += {'\\', static_cast<char>('0' + byte / 100), static_cast<char>('0' + byte / 10 % 10),
               static_cast<char>('0' + byte % 10)};
  }
  return text + "'";
}

class Writer {
 public:
  explicit Writer(Dice& dice) : dice_(dice) {}

  std::string script() {
    line("local r1, r2, r3, r4 = false, '7', 3, {}");
    line("local function sorted(t) if type(t) == 'table' then table.sort(t) end return t end");
    const std::uint64_t statements = 1 + dice_.below(6);
    for (std::uint64_t i = 0; i < statements; ++i) statement(0);
    if (dice_.below(8) != 0) line("return " + filled(dice_, any_of(dice_, values)));
    return text_;
  }

 private:
  void line(const std::string& words) { text_ += words + "\n"; }

  std::string argument(const std::string& word) {
    const std::uint64_t kind = dice_.below(12);
    if (kind == 0) return std::string(any_of(dice_, results));
    if (kind == 1) return std::string(any_of(dice_, numbers));
    if (kind < 4) return std::string(any_of(dice_, given));
    return in_lua(word);
  }

  /// `call` is what stands before the arguments: "redis.call(" or "pcall(redis.call, ".
  std::string calling(std::string_view call) {
    model::Command command;
    do command = redis::testing::random_command(dice_);
    while (!keeps_items(redis::to_lower(command[0])) || is_lexicographic(command));
    std::string text = std::string(call) + in_lua(command[0]);
    for (std::size_t i = 1; i < command.size(); ++i) text += ", " + argument(command[i]);
    text += ")";
    return keeps_order(redis::to_lower(command[0])) ? text : "sorted(" + text + ")";
  }

  void assignment() {
    const std::uint64_t kind = dice_.below(10);
    const std::string to = std::string(any_of(dice_, results)) + " = ";
    if (kind < 5) line(to + calling("redis.call("));
    else if (kind < 8) line(to + calling("redis.pcall("));
    else if (kind == 8) line(to + "{" + calling("pcall(redis.call, ") + "}");
    else line(to + filled(dice_, any_of(dice_, values)));
  }

  void condition(int depth) {
    line("if " + filled(dice_, any_of(dice_, conditions)) + " then");
    if (dice_.below(4) == 0) line("return " + filled(dice_, any_of(dice_, values)));
    else statement(depth + 1);
    if (dice_.below(2) == 0) {
      line("else");
      statement(depth + 1);
    }
    line("end");
  }

  void loop() {
    constexpr std::array<std::string_view, 6> loops{
        "for i = 1, #KEYS do $r = redis.call('INCRBY', KEYS[i], i) end",
        "for i, key in ipairs(KEYS) do $r = redis.pcall('HSET', key, 'f' .. i, $n) end",
        "for _, word in ipairs(ARGV) do $r = redis.call('RPUSH', KEYS[1], word) end",
        "local n = 0\nfor _, word in ipairs(ARGV) do n = n + (tonumber(word) or 0) end\n$r = n",
        "local n = 3\nwhile n > 0 do redis.call('SADD', $g, n); n = n - 1 end",
        "for i = #ARGV, 1, -1 do $r = redis.pcall('ZADD', KEYS[1], $n, ARGV[i]) end"};
    line(filled(dice_, loops[dice_.below(loops.size())]));
  }

  void statement(int depth) {
    const std::uint64_t kind = dice_.below(20);
    if (kind < 13 || depth > 2) assignment();
    else if (kind < 16) condition(depth);
    else if (kind < 18) loop();
    else line("do " + filled(dice_, any_of(dice_, failures)) + " end");
  }

  Dice& dice_;
  std::string text_;
};

}  // namespace

std::string random_script(Dice& dice) { return Writer(dice).script(); }

std::string ScriptSteps::some_sha1(Dice& dice) const {
  if (texts_.empty() || dice.below(10) == 0) return dice.below(2) == 0 ? std::string(40, 'f') : "too short";
  const std::string sha1 = lua::sha1_hex(texts_[dice.below(texts_.size())]);
  return dice.below(3) == 0 ? redis::to_upper(sha1) : sha1;
}

model::Command ScriptSteps::script_command(Dice& dice) {
  const std::uint64_t kind = dice.below(20);
  if (kind == 0) return {"SCRIPT", "EXISTS", some_sha1(dice), some_sha1(dice)};
  if (kind == 1 && dice.below(4) == 0) return {"SCRIPT", "FLUSH"};
  const bool old = kind < 7;
  if (!old) texts_.push_back(random_script(dice));
  if (kind == 7) return {"SCRIPT", "LOAD", texts_.back()};
  const bool read_only = dice.below(8) == 0;
  model::Command command{old ? "EVALSHA" : "EVAL", old ? some_sha1(dice) : texts_.back()};
  if (read_only) command[0] += "_RO";
  const std::uint64_t key_count = dice.below(4), argument_count = dice.below(4);
  command.push_back(std::to_string(key_count));
  if (dice.below(30) == 0) command.back() = std::array{"-1", "abc", "100", "01"}[dice.below(4)];
  for (std::uint64_t i = 0; i < key_count; ++i) command.emplace_back(any_of(dice, keys));
  for (std::uint64_t i = 0; i < argument_count; ++i) command.emplace_back(any_of(dice, argument_values));
  return command;
}

Step ScriptSteps::next(Dice& dice, const redis::testing::TestClient& model) {
  Step step;
  if (dice.below(6) == 0) step.passes = random_time(dice, model);
  do step.command = dice.below(4) == 0 ? redis::testing::random_command(dice) : script_command(dice);
  while (!is_settled(model.node, step.from, step.command));
  return step;
}

}  // namespace lockstep::differential
