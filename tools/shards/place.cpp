#include "tools/shards/place.h"

#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace lockstep::tools {

namespace {

constexpr std::uint64_t shards_max = 1'000'000;

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value <= shards_max ? std::optional(value) : std::nullopt;
}

/// What a variable of a batch system says; a batch system that talks nonsense is a mistake.
class BatchSystem {
 public:
  explicit BatchSystem(const TaskEnvironment& around) : around_(around) {}

  bool has(const char* name) const { return around_(name).has_value(); }
  std::uint64_t get(const char* name, std::optional<std::uint64_t> otherwise = std::nullopt) {
    const auto text = around_(name);
    if (!text && otherwise) return *otherwise;
    const auto value = text ? number(*text) : std::nullopt;
    if (!value && mistake_.empty())
      mistake_ = text ? fmt::format("{} is `{}`, which is no number of a task", name, *text)
                      : fmt::format("{} is not set", name);
    return value.value_or(0);
  }
  const std::string& mistake() const { return mistake_; }

 private:
  const TaskEnvironment& around_;
  std::string mistake_;
};

/// An array of tasks that lie evenly: --array=0-7, 1-8 or 0-14:2.
sim::Result<properties::Shard> of_slurm(BatchSystem& around) {
  const std::uint64_t id = around.get("SLURM_ARRAY_TASK_ID"), count = around.get("SLURM_ARRAY_TASK_COUNT");
  const std::uint64_t first = around.get("SLURM_ARRAY_TASK_MIN", 0),
                      last = around.get("SLURM_ARRAY_TASK_MAX", first + count - 1);
  const std::uint64_t step = around.get("SLURM_ARRAY_TASK_STEP", 1);
  if (!around.mistake().empty()) return sim::Problem{around.mistake()};
  const bool even = step > 0 && id >= first && id <= last && (id - first) % step == 0 && count > 0 &&
                    (last - first) / step + 1 == count;
  if (even) return properties::Shard{(id - first) / step, count};
  return sim::Problem{
      fmt::format("the tasks of this Slurm array ({} of {}, from {} to {}) do not lie evenly; say I/N", id,
                  count, first, last)};
}

sim::Result<properties::Shard> of_environment(BatchSystem& around, std::optional<std::uint64_t> count) {
  properties::Shard shard, rank;
  const bool of_many = around.has("OMPI_COMM_WORLD_RANK");
  if (of_many) rank = {around.get("OMPI_COMM_WORLD_RANK"), around.get("OMPI_COMM_WORLD_SIZE")};
  if (around.has("SLURM_ARRAY_TASK_ID")) {
    const auto slurm = of_slurm(around);
    if (!slurm) return slurm.problem();
    shard = *slurm;
  } else if (around.has("JOB_COMPLETION_INDEX")) {
    if (!count) return sim::Problem{"Kubernetes does not say how many there are: say auto/N"};
    shard = {around.get("JOB_COMPLETION_INDEX"), *count};
  } else if (of_many) {
    shard = std::exchange(rank, {});
  } else {
    return sim::Problem{
        "auto finds none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and OMPI_COMM_WORLD_RANK: say I/N"};
  }
  if (!around.mistake().empty()) return sim::Problem{around.mistake()};
  if (count && *count != shard.count)
    return sim::Problem{fmt::format("auto/{} is asked for, and there are {}", *count, shard.count)};
  for (const properties::Shard& one : {shard, rank})
    if (one.index >= one.count)
      return sim::Problem{fmt::format("there are {}, and this is number {}", one.count, one.index + 1)};
  // Where each task starts mpirun, every rank of every task is one.
  return properties::Shard{shard.index * rank.count + rank.index, shard.count * rank.count};
}

}  // namespace

std::optional<std::string> from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

sim::Result<properties::Shard> parse_shard(std::string_view word, const TaskEnvironment& around) {
  BatchSystem environment(around);
  if (word == "auto") return of_environment(environment, std::nullopt);
  const std::size_t slash = word.find('/');
  const auto count = slash == word.npos ? std::nullopt : number(word.substr(slash + 1));
  const std::string_view which = word.substr(0, slash);
  if (which == "auto" && count && *count > 0) return of_environment(environment, count);
  const auto index = number(which);
  if (index && count && *index >= 1 && *index <= *count) return properties::Shard{*index - 1, *count};
  return sim::Problem{fmt::format("wants I/N with I from 1 to N, auto or auto/N, not `{}`", word)};
}

std::string text_of(const properties::Shard& shard) {
  return fmt::format("{}/{}", shard.index + 1, shard.count);
}

}  // namespace lockstep::tools
