// [expect]: verdicts, witnesses, and how often calls are answered what.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/format/normalise.h"
#include "model/client/lock_kind.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::AnswerCount;
using model::Setup;

const std::vector<std::string> expected_words = {"proved", "passed", "holds", "violated"};

namespace {

void read_sometimes(TomlReading& reading, const toml::table& table, const ScenarioVocabulary& vocabulary,
                    Setup& setup) {
  for (const auto* text : reading.texts(table, "sometimes")) {
    const std::string& name = text->get();
    const std::vector<std::string>& known = vocabulary.witnesses;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      reading.fail(reading.place_of(*text), fmt::format("unknown witness `{}`", name),
                   did_you_mean(name, known));
    } else if (std::find(setup.sometimes.begin(), setup.sometimes.end(), name) != setup.sometimes.end()) {
      reading.fail(reading.place_of(*text), fmt::format("witness `{}` is named twice", name));
    }
    setup.sometimes.push_back(name);
  }
  std::sort(setup.sometimes.begin(), setup.sometimes.end());
}

/// The call that a key such as "trylock orders" names, if some program makes it.
std::optional<AnswerCount> counted_call(TomlReading& reading, const toml::key& key, const Setup& setup) {
  Names names{setup.kinds, {}, {}};
  std::vector<ParsedStep> steps;
  const Place place = reading.place_of(key);
  if (const auto found = parse_steps(key.str(), 0, names, steps)) {
    reading.fail(place, found->what, found->hint);
    return std::nullopt;
  }
  const bool call = steps.size() == 1 && is_call(steps[0].step.kind) &&
                    setup.kinds[names.objects[0].kind]->is_taken();
  if (!call || steps[0].step.wait || steps[0].step.lease || !names.objects[0].via.empty()) {
    reading.fail(place, "[expect.answers] wants a call without options, such as \"trylock orders\"");
    return std::nullopt;
  }
  const model::LockObject& wanted = names.objects[0];
  const AnswerCount count{
      .call = steps[0].step.kind, .kind = wanted.kind, .group = wanted.group, .name = wanted.name};
  for (const model::ThreadSetup& thread : setup.threads) {
    for (const model::Step& step : thread.program) {
      if (step.kind != count.call) continue;
      const model::LockObject& lock = setup.objects[step.object];
      if (lock.kind == count.kind && lock.group == count.group && lock.name == count.name) return count;
    }
  }
  reading.fail(place, fmt::format("no program has a step `{}`", key.str()));
  return std::nullopt;
}

void read_answers(TomlReading& reading, const toml::table& table, Setup& setup) {
  for (auto&& [key, node] : table) {
    if (key.str() == "verdict") {
      if (const auto word = reading.word(table, "verdict", expected_words))
        setup.expect["answers"] = static_cast<model::Expected>(*word);
      continue;
    }
    const toml::table* counts = node.as_table();
    if (counts == nullptr) {
      reading.wants(node, key.str(), "a table such as { true = 1, false = 999 }");
      continue;
    }
    reading.only(*counts, "[expect.answers]", {"true", "false", "exception"});
    const std::optional<AnswerCount> call = counted_call(reading, key, setup);
    if (!call) continue;
    for (const model::Answer answer : {model::Answer::yes, model::Answer::no, model::Answer::exception}) {
      const auto exactly = reading.integer(*counts, word_of(answer), 0, 1'000'000'000);
      if (!exactly) continue;
      AnswerCount count = *call;
      count.answer = answer;
      count.exactly = static_cast<std::uint32_t>(*exactly);
      const bool twice =
          std::any_of(setup.answers.begin(), setup.answers.end(), [&](const AnswerCount& other) {
            return print_call(other, setup.kinds) == print_call(count, setup.kinds) &&
                   other.answer == answer;
          });
      if (twice)
        reading.fail(reading.place_of(key),
                     fmt::format("`{}` is counted twice", print_call(count, setup.kinds)));
      setup.answers.push_back(count);
    }
  }
  std::sort(setup.answers.begin(), setup.answers.end(), [&](const AnswerCount& a, const AnswerCount& b) {
    return std::pair{print_call(a, setup.kinds), a.answer} <
           std::pair{print_call(b, setup.kinds), b.answer};
  });
}

}  // namespace

void read_expect(TomlReading& reading, const toml::table& table, const ScenarioVocabulary& vocabulary,
                 Setup& setup) {
  std::vector<std::string> known = vocabulary.properties;
  for (auto&& [key, node] : table) {
    const std::string name(key.str());
    // `answers` is a property when it is a word, and what is counted when it is a table.
    if (name == "sometimes" || (name == "answers" && !node.is_string())) continue;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::vector<std::string> words = known;
      words.insert(words.end(), {"sometimes", "answers"});
      reading.fail(reading.place_of(key), fmt::format("unknown property `{}` in [expect]", name),
                   did_you_mean(name, words));
      continue;
    }
    if (const auto word = reading.word(table, name, expected_words)) {
      setup.expect[name] = static_cast<model::Expected>(*word);
    }
  }
  read_sometimes(reading, table, vocabulary, setup);
  const bool counted = table.get("answers") != nullptr && !table.get("answers")->is_string();
  const toml::table* answers = counted ? reading.table(table, "answers") : nullptr;
  // Which calls there are is known only when [process] is faultless.
  if (answers != nullptr && !setup.threads.empty()) read_answers(reading, *answers, setup);
}

}  // namespace lockstep::scenarios
