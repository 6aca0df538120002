#include "tools/shards/partial.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/digest.h"
#include "tools/shards/place.h"

namespace lockstep::tools {

namespace {

using PartialJson = nlohmann::ordered_json;

std::string sum_of_partial(const PartialJson& json) { return sim::hex(sim::digest_bytes(json.dump())); }

/// A missing value is null.
template <class T>
PartialJson maybe(const std::optional<T>& value) {
  return value ? PartialJson(*value) : PartialJson(nullptr);
}
std::optional<std::uint64_t> maybe_count(const PartialJson& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<std::uint64_t>());
}

PartialJson json_of(const properties::SampledPart& part) {
  PartialJson json{{"refusal", maybe(part.refusal)},
                   {"runs", part.runs},
                   {"steps", part.steps},
                   {"cut_at_limit", part.cut_at_limit},
                   {"met_horizon", maybe(part.met_horizon)},
                   {"interrupted", part.interrupted},
                   {"time_was_up", part.time_was_up},
                   {"thought_steps", part.thought_steps}};
  json["sampled_by"] = PartialJson::array();
  for (const auto& [policy, by] : part.by)
    json["sampled_by"].push_back({policy, by.runs, by.cut, by.longest, by.actors, by.one_move_each,
                                  by.settled});
  json["unfinished"] = PartialJson::array();
  for (const auto& [run, policy] : part.unfinished) json["unfinished"].push_back({run, policy});
  json["witnesses"] = PartialJson::array();
  for (const auto& [witness, run] : part.witnesses) json["witnesses"].push_back({witness, run});
  json["sent"] = PartialJson::array();
  for (const auto& [role, run] : part.sent) json["sent"].push_back({role, run});
  json["seen"] = PartialJson::array();
  for (const auto& [what, behind] : part.seen)
    json["seen"].push_back({std::get<0>(what), std::get<1>(what), std::get<2>(what), behind});
  json["violated"] = PartialJson::array();
  for (const properties::FirstBroken& one : part.broken)
    json["violated"].push_back({{"property", one.trail.property},
                                {"number", static_cast<unsigned>(one.property)},
                                {"run", one.run},
                                {"trail", sim::text_of(one.trail)},
                                {"deviations", sim::text_of(one.deviations)}});
  return json;
}

/// What was written by json_of; a trail that is none is the text of what is wrong with it.
std::string read_part(const PartialJson& json, properties::SampledPart& part, const std::string& file) {
  if (!json.at("refusal").is_null()) part.refusal = json.at("refusal").get<std::string>();
  part.runs = json.at("runs").get<std::uint64_t>();
  part.steps = json.at("steps").get<std::uint64_t>();
  part.cut_at_limit = json.at("cut_at_limit").get<std::uint64_t>();
  for (const PartialJson& one : json.at("unfinished"))
    part.unfinished.push_back({one.at(0).get<std::uint64_t>(), one.at(1).get<std::string>()});
  part.met_horizon = maybe_count(json.at("met_horizon"));
  part.interrupted = json.at("interrupted").get<bool>();
  part.time_was_up = json.at("time_was_up").get<bool>();
  part.thought_steps = json.at("thought_steps").get<std::uint64_t>();
  for (const PartialJson& one : json.at("sampled_by"))
    part.by[one.at(0).get<std::string>()] = {
        .runs = one.at(1).get<std::uint64_t>(),
        .cut = one.at(2).get<std::uint64_t>(),
        .settled = one.at(6).get<std::uint64_t>(),
        .longest = one.at(3).get<std::uint64_t>(),
        .actors = one.at(4).get<std::uint64_t>(),
        .one_move_each = one.at(5).get<bool>()};
  for (const PartialJson& one : json.at("witnesses"))
    part.witnesses[one.at(0).get<unsigned>()] = one.at(1).get<std::uint64_t>();
  for (const PartialJson& one : json.at("sent"))
    part.sent[one.at(0).get<std::string>()] = one.at(1).get<std::uint64_t>();
  for (const PartialJson& one : json.at("seen"))
    part.seen[{one.at(0).get<std::uint16_t>(), one.at(1).get<std::uint16_t>(),
               one.at(2).get<std::uint32_t>()}] = one.at(3).get<properties::SeenBehind>();
  for (const PartialJson& one : json.at("violated")) {
    auto trail = sim::parse_trail(one.at("trail").get<std::string>(), file);
    auto deviations = sim::parse_trail(one.at("deviations").get<std::string>(), file);
    if (!trail) return trail.problem().text;
    if (!deviations) return deviations.problem().text;
    part.broken.push_back({static_cast<properties::Property>(one.at("number").get<unsigned>()),
                           one.at("run").get<std::uint64_t>(), *std::move(trail), *std::move(deviations)});
  }
  return "";
}

PartialJson without_sum(const PartialResult& partial) {
  const ShardedQuestion& asked = partial.question;
  PartialJson json{{"lockstep", "shard"},        {"v", partial_format},
                   {"program", asked.program},   {"shard", text_of(partial.shard)},
                   {"strategy", asked.strategy}, {"seed", asked.seed},
                   {"runs", asked.runs},         {"steps_max", maybe(asked.steps_max)},
                   {"settling_max", maybe(asked.settling_max)},
                   {"shrink", asked.shrink},     {"coverage", asked.coverage},
                   {"properties", asked.properties}, {"scripts", asked.scripts}};
  json["scenarios"] = PartialJson::array();
  for (std::size_t s = 0; s < asked.scenarios.size(); ++s) {
    PartialJson scenario{{"word", asked.scenarios[s].first}, {"digest", asked.scenarios[s].second}};
    scenario["part"] = s < partial.parts.size() ? json_of(partial.parts[s]) : PartialJson(nullptr);
    json["scenarios"].push_back(std::move(scenario));
  }
  return json;
}

std::string read_partial(const PartialJson& json, ReadPartial& into) {
  ShardedQuestion& asked = into.partial.question;
  const auto shard =
      parse_shard(json.at("shard").get<std::string>(), [](const char*) { return std::nullopt; });
  if (!shard) return into.file + ": its shard " + shard.problem().text;
  into.partial.shard = *shard;
  asked.program = json.at("program").get<std::string>();
  asked.strategy = json.at("strategy").get<std::string>();
  asked.seed = json.at("seed").get<std::uint64_t>();
  asked.runs = json.at("runs").get<std::uint64_t>();
  asked.steps_max = maybe_count(json.at("steps_max"));
  asked.settling_max = maybe_count(json.at("settling_max"));
  asked.shrink = json.at("shrink").get<bool>();
  asked.coverage = json.at("coverage").get<bool>();
  asked.properties = json.at("properties").get<std::vector<std::string>>();
  asked.scripts = json.at("scripts").get<std::vector<std::string>>();
  for (const PartialJson& scenario : json.at("scenarios")) {
    asked.scenarios.emplace_back(scenario.at("word").get<std::string>(),
                                 scenario.at("digest").get<std::string>());
    if (scenario.at("part").is_null()) continue;
    properties::SampledPart part{.shard = *shard};
    if (auto wrong = read_part(scenario.at("part"), part, into.file); !wrong.empty()) return wrong;
    into.partial.parts.push_back(std::move(part));
  }
  return "";
}

}  // namespace

std::string text_of(const PartialResult& partial) {
  PartialJson json = without_sum(partial);
  json["sum"] = sum_of_partial(json);
  return json.dump() + "\n";
}

sim::Result<ReadPartial> parse_partial(std::string_view text, const std::string& file) {
  PartialJson json = PartialJson::parse(text, nullptr, false);
  if (!json.is_object() || json.value("lockstep", PartialJson()) != "shard")
    return sim::Problem{file + ": this is no shard of a check"};
  if (json.value("v", PartialJson()) != partial_format)
    return sim::Problem{fmt::format("{}: it is of format {}, and this program reads {}", file,
                                    json.value("v", PartialJson()).dump(), partial_format)};
  const PartialJson sum = json.value("sum", PartialJson());
  json.erase("sum");
  if (sum != sum_of_partial(json))
    return sim::Problem{file + ": it is not as it was written: its sum differs"};
  ReadPartial read{.partial = {}, .file = file};
  try {
    if (auto wrong = read_partial(json, read); !wrong.empty()) return sim::Problem{wrong};
  } catch (const PartialJson::exception&) {
    return sim::Problem{file + ": a member is missing, or is not what it should be"};
  }
  return read;
}

std::optional<sim::Problem> misfit(const ReadPartial& one, const ReadPartial& other) {
  const ShardedQuestion& a = one.partial.question;
  const ShardedQuestion& b = other.partial.question;
  const auto differ = [&](const char* what) {
    return sim::Problem{fmt::format("{}: it is of {} than {}", other.file, what, one.file)};
  };
  if (a.program != b.program) return differ("another build of the program");
  if (a.scripts != b.scripts) return differ("other scripts");
  if (a.scenarios != b.scenarios) return differ("another scenario, or other scripts,");
  if (!(a == b)) return differ("another question (strategy, seed, runs, limits, properties or coverage)");
  if (one.partial.shard.count != other.partial.shard.count)
    return differ(fmt::format("another division ({} and not {})", text_of(other.partial.shard),
                              text_of(one.partial.shard))
                      .c_str());
  if (one.partial.shard == other.partial.shard)
    return sim::Problem{fmt::format("{}: shard {} is there already, in {}", other.file,
                                    text_of(other.partial.shard), one.file)};
  return std::nullopt;
}

std::string missing_shards(const std::vector<ReadPartial>& all) {
  constexpr std::size_t named_max = 5;
  std::set<std::uint64_t> there;
  for (const ReadPartial& one : all) there.insert(one.partial.shard.index);
  const std::uint64_t count = all.front().partial.shard.count, missing = count - there.size();
  if (missing == 0) return "";
  std::string named;
  std::size_t told = 0;
  for (std::uint64_t i = 0; i < count && told < named_max; ++i)
    if (!there.contains(i)) named += fmt::format("{}{}", told++ == 0 ? "" : ", ", i + 1);
  if (missing > told) named += fmt::format(" and {} more", missing - told);
  return fmt::format("of {} shards {} {} missing: {}", count, missing, missing == 1 ? "is" : "are", named);
}

}  // namespace lockstep::tools
