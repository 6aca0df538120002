#include "lua/testing/script_traces.h"

#include <algorithm>
#include <vector>

#include "lua/scripts/embedded_scripts.h"
#include "lua/testing/fake_host.h"

namespace lockstep::lua {
namespace {

const std::vector<Reply>& possible_answers() {
  static const std::vector<Reply> answers{std::int64_t{0}, std::int64_t{1}, std::int64_t{5},
                                          std::string("7"), Nil{}};
  return answers;
}

constexpr std::size_t choices_max = 5;

// Answers by a list of choices; what goes beyond it gets a null.
class ChoosingHost : public Host {
 public:
  explicit ChoosingHost(std::vector<std::size_t> choices) : choices_(std::move(choices)) {}

  Reply call(std::span<const std::string_view> words) override {
    for (const std::string_view word : words) trace.append(word).append(" ");
    trace += "; ";
    if (used == choices_max) return Nil{};
    if (used == choices_.size()) choices_.push_back(0);
    return possible_answers()[choices_[used++]];
  }

  // The next list of choices in order, or an empty one at the end.
  std::vector<std::size_t> next() const {
    std::vector<std::size_t> choices(choices_.begin(), choices_.begin() + static_cast<std::ptrdiff_t>(used));
    while (!choices.empty() && choices.back() + 1 == possible_answers().size()) choices.pop_back();
    if (!choices.empty()) ++choices.back();
    return choices;
  }

  std::string trace;
  std::size_t used = 0;

 private:
  std::vector<std::size_t> choices_;
};

void trace_script(Engine& engine, const EmbeddedFile& file, std::string& out) {
  std::vector<std::size_t> choices;
  do {
    ChoosingHost host(choices);
    const Reply reply =
        run_script(engine, file.text, host, {"L", "C", "D"}, {"3", "A:1", "5000", "1700000000000"});
    out.append(file.name).append(": ").append(host.trace).append(printed(reply)).append("\n");
    choices = host.next();
  } while (!choices.empty());
}

// What Redisson's scripts and their like use, and what differs between the two versions unless the dialect
// mends it.
constexpr const char* snippets[] = {
    "return 'k:' .. math.max(1, '30000')",
    "return {math.min('3', 2), math.max('7', '10')}",
    "return {unpack({1, 2, 3})}",
    "return {unpack({1, 2, 3}, 2)}",
    "return {unpack({1,2,3}, '2', 2.9)}",
    "return {table.getn({1, 2}), table.maxn({1, [10] = 2})}",
    "return {math.mod(7, 3), math.pow(2, 10)}",
    "return {math.log10(1000), math.floor(-3.5), math.ceil(2.1), math.sqrt(16)}",
    "return {tostring(math.sqrt(16)), tostring(math.fmod(7, 3)), tostring(math.modf(3.7))}",
    "return 'x' .. math.floor(3.7) .. math.pow(2, 3) .. math.abs(-4)",
    "return tostring(10 / 2)",
    "return tostring(1e15) .. tostring(2^53) .. tostring(0.1)",
    "return tostring(tonumber('3.0'))",
    "return 'k' .. tonumber('3.0') .. tonumber('1e3') .. tonumber(' 10 ') .. tonumber('0x10')",
    "return {tostring(tonumber('5x')), tostring(tonumber('')), tostring(tonumber(nil)), "
    "tostring(tonumber({}))}",
    "return {tonumber('z', 36), tonumber('7', 8), tostring(tonumber('9', 8)), tonumber('ff', 16), "
    "tonumber('10', 2)}",
    "return 'k' .. ('10' + 5) .. ('3.0' + 1) .. ('10' / '5') .. ('7' % 4) .. ('2' ^ 3) .. (-'2') .. ('2' * "
    "'3')",
    "return {string.rep('ab', 2.7), ('abcdef'):sub(2.5), ('abc'):sub('2'), string.char(65.5), "
    "('a'):byte(1.2)}",
    "return string.format('%5.2f|%d|%s|%q|%i|%u|%x|%c|%%', 1.234, 3.7, 'a', 'b\\n', 4.2, 5, 255, 65)",
    "return string.format('%s', nil)",
    "return string.format('%d', 'x')",
    "return string.format('%y', 1)",
    "return string.format('%s %s', 10 / 2, 1e15)",
    "return string.format('%d', '12')",
    "return table.concat({1, 10 / 2, 1 / 3, 'x'}, ',')",
    "return table.concat({1, {}, 3})",
    "return table.concat({1, 2, 3}, ', ', 2, 3)",
    "return table.concat({})",
    "local t = {1} table.insert(t, 5, 'x') return tostring(t[5])",
    "local t = {1, 2, 3} table.insert(t, 1, 0) return t",
    "local t = {1, 2, 3} table.insert(t, 2.9, 9) return t",
    "local t = {1, 2, 3} return {table.remove(t), table.remove(t, 1), #t}",
    "return tostring(table.remove({}))",
    "local t = {3, 1, 2} table.sort(t) return t",
    "local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return t",
    "local t = {'b', 'a', 'c'} table.sort(t) return t",
    "table.sort({1, 'x'})",
    "local s = '' table.foreachi({4, 5}, function(i, v) s = s .. i .. v end) return s",
    "local s = '' table.foreach({4, a = 5}, function(i, v) s = s .. i .. v end) return s",
    "local s = '' for w in string.gfind('a b', '%a') do s = s .. w end return s",
    "return {('a,b'):gsub(',', '%%')}",
    "return {('abc'):find('b', 1, true)}",
    "return {('k=v'):match('(%w)=(%w)')}",
    "return {loadstring('return 1')()}",
    "return {pcall(load, 'x')}",
    "return select('#', 1, nil)",
    "return {select('2', 1, 2, 3)}",
    "return {select(-1, 1, 2, 3)}",
    "return {pcall(select, 0)}",
    "error('x')",
    "error(1)",
    "error(1.5)",
    "error()",
    "error({err = 'A b'})",
    "assert(false, 'boom')",
    "assert(nil)",
    "return {assert(1, 2)}",
    "local x; return x.y",
    "local t = {} return t.x.y",
    "local t = {} t.x()",
    "local t = {} t:foo()",
    "return 1 + nil",
    "return {} .. 'x'",
    "return {} < {}",
    "return 1 < 'x'",
    "return #nil",
    "local t = {a = {}} return t.a + 1",
    "local s = 'x' return s.y.z",
    "for i = 'a', 1 do end",
    "for i = 1, {} do end",
    "return 1 +",
    "for",
    "x = = 1",
    "return )",
    "return {pcall(string.rep)}",
    "return {pcall(setmetatable, 1, {})}",
    "return {pcall(tostring)}",
    "return {xpcall(function() return 1, 2 end, function() end)}",
    "return {xpcall(function() local x; x() end, function(e) return e end)}",
    "return {coroutine.resume(coroutine.create(function(a) local b = coroutine.yield(a + 1) return b end), "
    "1)}",
    "return {coroutine.resume(coroutine.create(function() local x; x() end))}",
    "return coroutine.running() == nil",
    "local t = setmetatable({}, {__index = {1, 2}}) local n = 0 for _ in ipairs(t) do n = n + 1 end return "
    "n",
    "return {_VERSION, type(gcinfo()), math.huge > 1, tostring(math.pi)}",
    "return redis.call('set', 10 / 2, 1e16, 0.1, '' .. 3)",
    "return redis.sha1hex(10 / 2)",
    "local t = setmetatable({}, {__add = function() return 'sum' end}) return {'1' + t, t + '1'}",
    "return {math.frexp(8)}",
    "return {math.ldexp(1, 3), math.deg(math.pi), math.rad(180) == math.pi}",
    "math.randomseed(3) return {math.random(10), math.random(5, 6), tostring(math.random())}",
};

}  // namespace

std::string script_traces() {
  Engine engine;
  std::string out;
  for (const EmbeddedFile& file : embedded_scripts()) {
    if (file.name.ends_with(".lua")) trace_script(engine, file, out);
  }
  for (const char* snippet : snippets) {
    FakeHost host;
    const Reply reply = run_script(engine, snippet, host);
    out.append(snippet).append(" => ");
    for (const std::string& call : host.calls) out.append(call).append("; ");
    std::string line = printed(reply);
    std::replace(line.begin(), line.end(), '\n', '~');
    out.append(line).append("\n");
  }
  return out;
}

}  // namespace lockstep::lua
