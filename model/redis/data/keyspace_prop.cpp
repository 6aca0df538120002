// The node against a naive model: absolute deadlines, ordered maps, one branch for each command, written
// without looking at the node's own code. Sequences of commands, with time passing between them, must be
// answered alike.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include "model/redis/testing/test_client.h"
#include "model/redis/testing/test_errors.h"
#include <rapidcheck/gtest.h>

namespace lockstep::redis {
namespace {

using testing::TestClient;
using testing::not_integer;
using testing::wrong_type;

using Fields = std::map<std::string, std::string>;
using Items = std::deque<std::string>;
using Scores = std::map<std::string, std::int64_t>;

const std::string overflow = "(error) ERR increment or decrement would overflow";

std::string integer(std::int64_t n) { return "(integer) " + std::to_string(n); }
std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

std::optional<std::int64_t> number(const std::string& text) {
  try {
    const std::int64_t value = std::stoll(text);
    return std::to_string(value) == text ? std::optional(value) : std::nullopt;
  } catch (const std::logic_error&) { return std::nullopt; }
}

struct Naive {
  using Any = std::variant<std::string, Fields, Items, Scores>;
  std::map<std::string, Any> values;
  std::map<std::string, std::int64_t> deadlines;
  std::int64_t now = 0;

  void forget(const std::string& key) {
    values.erase(key);
    deadlines.erase(key);
  }
  void pass(std::int64_t milliseconds) {
    now += milliseconds;
    const auto all = deadlines;
    for (const auto& [key, deadline] : all) {
      if (now > deadline) forget(key);
    }
  }

  template <class T>
  T* get(const std::string& key, bool& clash) {
    const auto at = values.find(key);
    if (at == values.end()) return nullptr;
    T* const value = std::get_if<T>(&at->second);
    clash = value == nullptr;
    return value;
  }

  std::string answer(const Command& c) {
    const std::string &name = c[0], key = c.size() > 1 ? c[1] : "";
    if (name == "DEL") {
      const bool there = values.contains(key);
      forget(key);
      return integer(there);
    }
    if (name == "EXISTS") return integer(values.contains(key));
    if (name == "PEXPIRE") return expire(key, std::stoll(c[2]));
    if (name == "PERSIST") return integer(deadlines.erase(key) > 0);
    if (name == "PTTL") {
      if (!values.contains(key)) return integer(-2);
      return integer(deadlines.contains(key) ? deadlines[key] - now : -1);
    }
    if (name[0] == 'H') return answer_hash(c);
    if (name[0] == 'Z') return answer_sorted(c);
    if (name[0] == 'L' || name == "RPUSH" || name == "RPOP") return answer_list(c);
    return answer_string(c);
  }

  std::string expire(const std::string& key, std::int64_t milliseconds) {
    if (!values.contains(key)) return integer(0);
    if (milliseconds <= 0) forget(key);
    else deadlines[key] = now + milliseconds;
    return integer(1);
  }

  std::string answer_string(const Command& c) {
    if (c[0] == "SET") {
      if (c.size() == 4 && c[3] == "NX" && values.contains(c[1])) return "(nil)";
      values[c[1]] = c[2];
      if (c.size() == 5) deadlines[c[1]] = now + std::stoll(c[4]);
      else if (c.size() == 3 || c[3] == "NX") deadlines.erase(c[1]);
      return "OK";
    }
    bool clash = false;
    const std::string* const text = get<std::string>(c[1], clash);
    if (clash) return wrong_type;
    if (c[0] == "GET") return text ? in_quotes(*text) : "(nil)";
    if (c[0] == "APPEND") {
      const std::string longer = (text ? *text : "") + c[2];
      values[c[1]] = longer;
      return integer(static_cast<std::int64_t>(longer.size()));
    }
    const auto old = text ? number(*text) : 0;  // INCRBY
    return old ? add(*old, std::stoll(c[2]), [&](std::int64_t sum) { values[c[1]] = std::to_string(sum); })
               : not_integer;
  }

  template <class Store>
  static std::string add(std::int64_t a, std::int64_t b, Store store) {
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b)) return overflow;
    store(a + b);
    return integer(a + b);
  }

  std::string answer_hash(const Command& c) {
    bool clash = false;
    Fields* fields = get<Fields>(c[1], clash);
    if (clash) return wrong_type;
    const bool there = fields && fields->contains(c.size() > 2 ? c[2] : "");
    if (c[0] == "HGET") return there ? in_quotes((*fields)[c[2]]) : "(nil)";
    if (c[0] == "HLEN") return integer(fields ? static_cast<std::int64_t>(fields->size()) : 0);
    if (c[0] == "HEXISTS") return integer(there);
    if (c[0] == "HDEL") {
      if (there) fields->erase(c[2]);
      if (fields && fields->empty()) forget(c[1]);
      return integer(there);
    }
    const auto put = [&](const std::string& value) {
      if (!fields) fields = &std::get<Fields>(values[c[1]] = Fields{});
      (*fields)[c[2]] = value;
    };
    if (c[0] == "HSET") {
      put(c[3]);
      return integer(!there);
    }
    const auto old = there ? number((*fields)[c[2]]) : 0;  // HINCRBY
    if (!old) return "(error) ERR hash value is not an integer";
    return add(*old, std::stoll(c[3]), [&](std::int64_t sum) { put(std::to_string(sum)); });
  }

  std::string answer_list(const Command& c) {
    bool clash = false;
    Items* items = get<Items>(c[1], clash);
    if (clash) return wrong_type;
    if (c[0] == "LPUSH" || c[0] == "RPUSH") {
      if (!items) items = &std::get<Items>(values[c[1]] = Items{});
      if (c[0] == "LPUSH") items->push_front(c[2]);
      else items->push_back(c[2]);
      return integer(static_cast<std::int64_t>(items->size()));
    }
    if (c[0] == "LLEN") return integer(items ? static_cast<std::int64_t>(items->size()) : 0);
    if (c[0] == "LRANGE") {
      std::string shown;
      for (const std::string& item : items ? *items : Items{})
        shown += (shown.empty() ? "" : ", ") + in_quotes(item);
      return "[" + shown + "]";
    }
    if (!items) return "(nil)";
    const std::string item = c[0] == "LPOP" ? items->front() : items->back();
    if (c[0] == "LPOP") items->pop_front();
    else items->pop_back();
    if (items->empty()) forget(c[1]);
    return in_quotes(item);
  }

  std::string answer_sorted(const Command& c) {
    bool clash = false;
    Scores* scores = get<Scores>(c[1], clash);
    if (clash) return wrong_type;
    if (c[0] == "ZADD") {
      if (!scores) scores = &std::get<Scores>(values[c[1]] = Scores{});
      return integer(scores->insert_or_assign(c[3], std::stoll(c[2])).second);
    }
    if (c[0] == "ZRANGE") {  // 0 -1 WITHSCORES
      std::vector<std::pair<std::int64_t, std::string>> order;
      for (const auto& [member, score] : scores ? *scores : Scores{}) order.emplace_back(score, member);
      std::sort(order.begin(), order.end());
      std::string shown;
      for (const auto& [score, member] : order) {
        shown += (shown.empty() ? "" : ", ") + in_quotes(member) + ", " + in_quotes(std::to_string(score));
      }
      return "[" + shown + "]";
    }
    const bool there = scores && scores->contains(c[2]);
    if (c[0] == "ZSCORE") return there ? in_quotes(std::to_string((*scores)[c[2]])) : "(nil)";
    if (there) scores->erase(c[2]);  // ZREM
    if (scores && scores->empty()) forget(c[1]);
    return integer(there);
  }
};

Command any_command() {
  const auto one_of = [](std::vector<std::string> all) { return *rc::gen::elementOf(std::move(all)); };
  const std::string key = one_of({"a", "b", "c"}), member = one_of({"x", "y", "z"});
  const std::string by = one_of({"1", "-1", "5", "9223372036854775807", "-9223372036854775807"});
  const std::string value = one_of({"", "7", "-3", "text", "9223372036854775807"});
  const std::string time = one_of({"-5", "0", "1", "2", "10", "50"}),
                    positive = one_of({"1", "2", "10", "50"});
  const std::vector<Command> commands = {{"DEL", key},
                                         {"EXISTS", key},
                                         {"PEXPIRE", key, time},
                                         {"PEXPIRE", key, positive},
                                         {"PERSIST", key},
                                         {"PTTL", key},
                                         {"SET", key, value},
                                         {"SET", key, value, "NX"},
                                         {"SET", key, value, "KEEPTTL"},
                                         {"SET", key, value, "PX", positive},
                                         {"GET", key},
                                         {"APPEND", key, value},
                                         {"INCRBY", key, by},
                                         {"HSET", key, member, value},
                                         {"HGET", key, member},
                                         {"HLEN", key},
                                         {"HEXISTS", key, member},
                                         {"HDEL", key, member},
                                         {"HINCRBY", key, member, by},
                                         {"LPUSH", key, value},
                                         {"RPUSH", key, value},
                                         {"LLEN", key},
                                         {"LRANGE", key, "0", "-1"},
                                         {"LPOP", key},
                                         {"RPOP", key},
                                         {"ZADD", key, time, member},
                                         {"ZRANGE", key, "0", "-1", "WITHSCORES"},
                                         {"ZSCORE", key, member},
                                         {"ZREM", key, member}};
  return *rc::gen::elementOf(commands);
}

void answers_as_the_naive_model(Expiry expiry) {
  TestClient client(Role::master, expiry);
  Naive naive;
  for (int steps = *rc::gen::inRange(1, 80); steps > 0; --steps) {
    if (*rc::gen::inRange(0, 5) == 0) {
      const auto passed = *rc::gen::element<std::int64_t>(0, 1, 2, 9, 10, 49, 51);
      client.pass(passed);
      naive.pass(passed);
    }
    const Command command = any_command();
    RC_LOG() << command[0] << " " << command[1] << (command.size() > 2 ? " " + command[2] : "") << "\n";
    const std::string expected = naive.answer(command);
    RC_ASSERT(testing::render(client.execute(command).reply) == expected);
  }
  for (const auto& [key, entry] : client.node.db.entries()) {
    RC_ASSERT(!is_empty(entry.value));
    RC_ASSERT(expiry == Expiry::lazy || naive.values.contains(key));
  }
}

RC_GTEST_PROP(Keyspace, AnEagerNodeAnswersAsTheNaiveModel, ()) { answers_as_the_naive_model(Expiry::eager); }
RC_GTEST_PROP(Keyspace, ALazyNodeAnswersAsTheNaiveModel, ()) { answers_as_the_naive_model(Expiry::lazy); }

RC_GTEST_PROP(Keyspace, TimeThatPassesInTwoStepsIsTimeThatPassesInOne, ()) {
  TestClient one, two;
  for (int i = *rc::gen::inRange(1, 20); i > 0; --i) {
    const Command command = any_command();
    one.execute(command);
    two.execute(command);
  }
  const auto first = *rc::gen::inRange<std::int64_t>(0, 60), second = *rc::gen::inRange<std::int64_t>(0, 60);
  one.pass(first + second);
  two.pass(first);
  two.pass(second);
  RC_ASSERT(one.node == two.node);
}

RC_GTEST_PROP(Keyspace, NothingChangesBeforeTheNextChangeAndSomethingDoesThen, ()) {
  TestClient client;
  for (int i = *rc::gen::inRange(1, 20); i > 0; --i) client.execute(any_command());
  const Duration next = next_change(client.node);
  RC_PRE(next != sim::never);
  const std::size_t before = client.node.db.size();
  RC_ASSERT(client.pass(next.count() - 1).empty());
  RC_ASSERT(client.node.db.size() == before);
  RC_ASSERT(!client.pass(1).empty());
  RC_ASSERT(client.node.db.size() < before);
}

}  // namespace
}  // namespace lockstep::redis
