// move.cpp: moves as text and back, by the forms of their verbs; and whose they are.
#include "model/world/move.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "model/world/faults/table.h"
#include "model/world/moves_help.h"
#include "model/world/verbs.h"
#include "sim/base/overloaded.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

/// What the letters of a form stand for.
struct Letters {
  std::uint16_t process = 0, node = 0, from = 0, thread = 0, connection = 0, number = 0;
  std::int64_t ms = 0, listed_ms = 0;
};

std::string_view text_of(Form form, Lane lane) {
  switch (form) {
    case Form::thread: return "T";
    case Form::process:
    case Form::follower: return "P";
    case Form::node: return "N";
    case Form::cut: return "P | N";
    case Form::towards: return "P to N";
    case Form::carried: {
      constexpr std::array<std::string_view, 4> by_lane{"N -> P/C", "P/C -> N", "N -> P", "P -> N"};
      return by_lane[static_cast<std::size_t>(lane)];
    }
    case Form::fixed_carried: {
      constexpr std::array<std::string_view, 4> by_lane{"# N -> P/C", "# P/C -> N", "# N -> P", "# P -> N"};
      return by_lane[static_cast<std::size_t>(lane)];
    }
    case Form::awaited: return "P/C at N";
    case Form::stream: return "M -> N";
    case Form::timer: return "P #";
    case Form::part: return "N #";
    case Form::fixed: return "#";
    case Form::time: return "D";
    case Form::node_by_time: return "N D";
  }
  return {};
}

/// A process follows several groups, if there are several.
std::string_view text_of(Form form, Lane lane, const Setup& setup) {
  return form == Form::follower && setup.group_count() > 1 ? "P in N" : text_of(form, lane);
}

std::uint16_t first_of(GroupId group, const Setup& setup) {
  for (std::size_t n = 0; n < setup.nodes.size(); ++n)
    if (setup.nodes[n].group == group) return static_cast<std::uint16_t>(n);
  return 0;
}

Letters letters_of(const Move& move, const Setup& setup) {
  Letters letters{.ms = move.by};
  std::visit(sim::overloaded{
                 [](std::monostate) {},
                 [&](ThreadId on) { letters.thread = on.value; },
                 [&](ProcessId on) { letters.process = on.value; },
                 [&](NodeId on) { letters.node = on.value; },
                 [&](const LinkId& on) { letters.process = on.process.value, letters.node = on.node.value; },
                 [&](const Carried& on) {
                   letters.process = on.link.process.value;
                   letters.node = on.link.node.value;
                   letters.connection = on.connection.value;
                 },
                 [&](const StreamId& on) { letters.from = on.from.value, letters.node = on.to.value; },
                 [&](const TimerId& on) { letters.process = on.process.value, letters.number = on.number; },
                 [&](const PartOfNode& on) { letters.node = on.node.value, letters.number = on.number; },
                 [&](const FixedId& on) { letters.number = on.number; },
                 [&](const FixedMessage& on) {
                   letters.number = on.fault.number;
                   letters.process = on.carried.link.process.value;
                   letters.node = on.carried.link.node.value;
                   letters.connection = on.carried.connection.value;
                 },
                 [&](const Follower& on) {
                   letters.process = on.process.value;
                   letters.node = first_of(on.group, setup);
                 },
             },
             move.on);
  return letters;
}

Subject subject_of(Form form, Lane lane, const Letters& letters, const Setup& setup) {
  const LinkId link{ProcessId{letters.process}, NodeId{letters.node}};
  switch (form) {
    case Form::thread: return ThreadId{letters.thread};
    case Form::process: return link.process;
    case Form::node:
    case Form::node_by_time: return link.node;
    case Form::cut:
    case Form::towards: return link;
    case Form::carried:
    case Form::awaited: return Carried{link, lane, ConnectionId{letters.connection}};
    case Form::fixed_carried:
      return FixedMessage{{letters.number}, {link, lane, ConnectionId{letters.connection}}};
    case Form::stream: return StreamId{NodeId{letters.from}, link.node};
    case Form::timer: return TimerId{link.process, letters.number};
    case Form::part: return PartOfNode{link.node, letters.number};
    case Form::fixed: return FixedId{letters.number};
    case Form::follower: return Follower{link.process, setup.group_of(link.node)};
    case Form::time: break;
  }
  return std::monostate{};
}

std::uint16_t& slot(Letters& letters, char letter) {
  switch (letter) {
    case 'P': return letters.process;
    case 'N': return letters.node;
    case 'M': return letters.from;
    case 'T': return letters.thread;
    case 'C': return letters.connection;
    default: return letters.number;
  }
}

bool is_letter(char at) { return at == '#' || (at >= 'A' && at <= 'Z'); }

std::string name_of(char letter, std::uint16_t value, const Setup& setup) {
  switch (letter) {
    case 'P': return setup.processes[value].name;
    case 'N':
    case 'M': return setup.nodes[value].name;
    case 'T': return setup.threads[value].name;
    default: return std::to_string(value);
  }
}

template <class Named>
std::vector<std::string_view> names_of(const std::vector<Named>& all) {
  std::vector<std::string_view> names;
  for (const Named& one : all) names.emplace_back(one.name);
  return names;
}

std::vector<std::string_view> names_for(char letter, const Setup& setup) {
  switch (letter) {
    case 'P': return names_of(setup.processes);
    case 'N':
    case 'M': return names_of(setup.nodes);
    case 'T': return names_of(setup.threads);
    default: return {};
  }
}

const char* noun(char letter) {
  switch (letter) {
    case 'P': return "process";
    case 'N':
    case 'M': return "node";
    case 'T': return "thread";
    default: return "number";
  }
}

/// What is wrong with the time that begins the text; if nothing is, it is taken off.
std::string take_time(std::string_view& text, std::int64_t& ms) {
  const std::string_view word = text.substr(0, text.find(' '));
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), ms);
  const std::string_view unit = word.substr(static_cast<std::size_t>(end - word.data()));
  if (error == std::errc::result_out_of_range) return fmt::format("`{}` is too long", word);
  if (error != std::errc{})
    return fmt::format("`{}` is no length of time; write for example `250ms`", word);
  if (unit.empty()) return fmt::format("`{0}` has no unit; write `{0}ms`", word);
  if (unit.front() == '.' || unit.front() == ',')
    return fmt::format("`{}` has a fraction; write whole `ms`", word);
  if (unit != "ms") return fmt::format("`{}` is no unit of a move's time; there is `ms`", unit);
  text.remove_prefix(word.size());
  return "";
}

/// A verb with the word that begins its moves.
struct Spoken {
  Verb verb;
  std::string word;
  Form form;
  Lane lane;
};

/// Reads a text by its form. Names may hold anything, blanks and slashes too, so each that the text can go on
/// with is tried.
class Reading {
 public:
  Reading(std::string_view form, bool cuts_short, const Setup& setup)
      : form_(form), cuts_short_(cuts_short), setup_(setup) {}

  bool read(std::size_t at, std::string_view text) {
    if (at == form_.size()) return text.empty();
    const char letter = form_[at];
    if (!is_letter(letter)) return !text.empty() && text.front() == letter && read(at + 1, text.substr(1));
    if (letter == 'D') return read_duration(text) && read(at + 1, text);
    const auto names = names_for(letter, setup_);
    if (names.empty() && read_number(at, text)) return true;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!text.starts_with(names[i])) continue;
      slot(letters_, letter) = static_cast<std::uint16_t>(i);
      if (read(at + 1, text.substr(names[i].size()))) return true;
    }
    if (at >= stuck_) {
      stuck_ = at;
      stuck_on_ = text;
    }
    return false;
  }

  const Letters& letters() const { return letters_; }
  /// Empty: no time, or nothing is wrong with it.
  const std::string& wrong_time() const { return wrong_time_; }

  /// The name that stands where none of the known ones does, if that is what is wrong.
  std::optional<std::pair<char, std::string_view>> unknown_name() const {
    if (stuck_on_.empty()) return std::nullopt;
    const char stop = stuck_ + 1 < form_.size() ? form_[stuck_ + 1] : '\0';
    const std::string_view word = stop == '\0' ? stuck_on_ : stuck_on_.substr(0, stuck_on_.find(stop));
    const auto names = names_for(form_[stuck_], setup_);
    if (std::find(names.begin(), names.end(), word) != names.end()) return std::nullopt;
    return std::pair{form_[stuck_], word};
  }

 private:
  bool read_number(std::size_t at, std::string_view text) {
    std::uint16_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return false;
    slot(letters_, form_[at]) = number;
    return read(at + 1, text.substr(static_cast<std::size_t>(end - text.data())));
  }
  /// A time; one that a sample cut short also says what it is a part of.
  bool read_duration(std::string_view& text) {
    wrong_time_ = take_time(text, letters_.ms);
    if (!wrong_time_.empty()) return false;
    if (!cuts_short_ || !text.starts_with(" of ")) return true;
    text.remove_prefix(4);
    wrong_time_ = take_time(text, letters_.listed_ms);
    if (wrong_time_.empty() && (letters_.ms <= 0 || letters_.listed_ms <= letters_.ms))
      wrong_time_ = fmt::format("`{}ms` is no part of `{}ms`; a part is shorter, and not nothing",
                                letters_.ms, letters_.listed_ms);
    return wrong_time_.empty();
  }

  std::string_view form_;
  bool cuts_short_;
  const Setup& setup_;
  Letters letters_;
  std::size_t stuck_ = 0;
  std::string_view stuck_on_;
  std::string wrong_time_;
};

sim::Result<Move> parse_rest(const Spoken& spoken, std::string_view text, const Setup& setup) {
  const std::string_view form = text_of(spoken.form, spoken.lane, setup);
  Reading reading(form, spoken.form == Form::time, setup);
  if (reading.read(0, text))
    return Move{spoken.verb, subject_of(spoken.form, spoken.lane, reading.letters(), setup),
                reading.letters().ms, reading.letters().listed_ms};
  if (const auto unknown = reading.unknown_name())
    return sim::Problem{
        fmt::format("there is no {} `{}` in {}", noun(unknown->first), unknown->second, setup.name)};
  if (!reading.wrong_time().empty())
    return sim::Problem{fmt::format("`{}`: {}", spoken.word, reading.wrong_time())};
  return sim::Problem{fmt::format("`{}` wants the form `{} {}`", spoken.word, spoken.word, form)};
}

bool has_lanes(Form form) { return form == Form::carried || form == Form::fixed_carried; }

/// Calls `visit` for each word that can begin a move.
template <class Visit>
void each_word(const Setup& setup, Visit visit) {
  for (const Verb verb : verbs_of(setup)) {
    const VerbRow row = row_of(verb, setup);
    const Lane awaited = Lane::request;
    if (!has_lanes(row.form)) visit(Spoken{verb, std::string(row.word), row.form, awaited});
    else
      for (const Lane lane : lanes)
        visit(Spoken{verb, fmt::format("{}{}", row.word, lane_word(lane)), row.form, lane});
  }
}

Lane lane_of(const Move& move) {
  if (const auto* fixed = std::get_if<FixedMessage>(&move.on)) return fixed->carried.lane;
  const auto* carried = std::get_if<Carried>(&move.on);
  return carried != nullptr ? carried->lane : Lane::reply;
}

/// What a verb that nobody pays for does.
std::string_view says(Act act) {
  constexpr std::array<std::string_view, acts_by_themselves> by_act{
      "a message arrives", "effects reach a replica", "a replica's acknowledgement arrives",
      "the time of a WAIT is over", "a thread goes on", "a watchdog renews", "a request is given up",
      "a question goes to this of several nodes", "a process knows the new master",
      "an old master becomes a replica", "a replica copies its master", "a connection is given up",
      "a process listens again", "a node saves its data: a save point", "nodes elect a new master",
      "a node in a minority serves no longer", "what `fixed` lists happens",
      "what `fixed` lists befalls a message", "time passes"};
  static_assert(!by_act.back().empty());
  return by_act[static_cast<std::size_t>(act)];
}

enum class By : std::uint16_t { thread, process, node, stream, world, ending };

}  // namespace

sim::Actor Move::actor() const {
  const bool of_node = verb.act == Act::demote || verb.act == Act::resync || verb.act == Act::cron ||
                       verb.act == Act::promote || verb.act == Act::close;
  if (verb.act >= Act::end || of_node)
    return sim::Actor::of(ends_fault() ? By::ending : By::world);
  return std::visit(sim::overloaded{
                        [](ThreadId it) { return sim::Actor::of(By::thread, it.index()); },
                        [&](const Carried& it) {
                          const bool at_node =
                              verb.act == Act::wait_over ||
                              (verb.act == Act::deliver &&
                               (it.lane == Lane::request || it.lane == Lane::channel));
                          return at_node ? sim::Actor::of(By::node, it.link.node.index())
                                         : sim::Actor::of(By::process, it.link.process.index());
                        },
                        [](const LinkId& it) { return sim::Actor::of(By::process, it.process.index()); },
                        [](const TimerId& it) { return sim::Actor::of(By::process, it.process.index()); },
                        [](const Follower& it) { return sim::Actor::of(By::process, it.process.index()); },
                        [&](const StreamId& it) {
                          const NodeId replica = verb.act == Act::ack ? it.from : it.to;
                          return sim::Actor::of(By::stream, replica.index());
                        },
                        [](const auto&) { return sim::Actor::of(By::world); },
                    },
                    on);
}

namespace {

/// One number of a sort and up to three others.
std::uint64_t packed(unsigned sort, std::uint64_t first, std::uint64_t second, std::uint64_t third = 0) {
  return std::uint64_t{sort} << 48 | first << 32 | second << 16 | third;
}

std::uint64_t order_of_its_own(const Subject& on) {
  constexpr unsigned timer = 1, follower = 2, stream = 3, lane = 4;  // and the lanes behind it
  if (const auto* it = std::get_if<Carried>(&on))
    return packed(lane + static_cast<unsigned>(it->lane), it->link.process.value, it->link.node.value,
                  it->connection.value);
  if (const auto* it = std::get_if<TimerId>(&on)) return packed(timer, it->process.value, it->number);
  if (const auto* it = std::get_if<Follower>(&on))
    return packed(follower, it->process.value, it->group.value);
  if (const auto* it = std::get_if<StreamId>(&on)) return packed(stream, it->from.value, it->to.value);
  return 0;
}

}  // namespace

Chain Move::chain() const {
  const sim::Actor whose = actor();
  return {packed(0, 0, whose.kind, whose.index), verb.act == Act::ask ? 0 : order_of_its_own(on)};
}

std::optional<Move> Move::fitted(const Move& whole) const {
  if (listed == 0 || whole.verb != verb) return std::nullopt;
  return by < whole.by ? Move{verb, on, by, whole.by} : whole;
}

namespace {

std::string time_text(const Move& move) {
  return move.is_part() ? fmt::format("{}ms of {}ms", move.by, move.listed) : fmt::format("{}ms", move.by);
}

}  // namespace

std::string show(const Move& move, const Setup& setup) {
  const VerbRow row = row_of(move.verb, setup);
  const Lane lane = lane_of(move);
  std::string text{row.word};
  if (has_lanes(row.form)) text += lane_word(lane);
  text += ' ';
  Letters letters = letters_of(move, setup);
  for (const char at : text_of(row.form, lane, setup)) {
    if (at == 'D') text += time_text(move);
    else if (is_letter(at)) text += name_of(at, slot(letters, at), setup);
    else text += at;
  }
  return text;
}

std::string moves_help(const Setup& setup) {
  std::string text;
  const auto line = [&](const std::string& move, std::string_view about) {
    text += fmt::format("    {:<30}{}\n", move, about);
  };
  each_word(setup, [&](const Spoken& spoken) {
    const std::string move = fmt::format("{} {}", spoken.word, text_of(spoken.form, spoken.lane, setup));
    if (spoken.verb.act < Act::end) return line(move, says(spoken.verb.act));
    const FaultRow row = fault_row(spoken.verb.fault, setup);
    line(move, fmt::format("{} of the fault {}", spoken.verb.act == Act::end ? "end" : "beginning", row.key));
  });
  return text;
}

sim::Result<Move> parse_move(std::string_view text, const Setup& setup) {
  const std::size_t space = text.find(' ');
  const std::string_view verb = text.substr(0, space);
  std::optional<sim::Result<Move>> read;
  if (space != std::string_view::npos)
    each_word(setup, [&](const Spoken& spoken) {
      if (!read && spoken.word == verb) read = parse_rest(spoken, text.substr(space + 1), setup);
    });
  if (read) return *read;
  return sim::Problem{fmt::format("`{}` is no move", text.substr(0, 60))};
}

}  // namespace lockstep::model
