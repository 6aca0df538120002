// SCAN and HSCAN: cursors, MATCH, COUNT and TYPE (db.c, scanGenericCommand).
#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/keys/scan_options.h"
#include "model/redis/errors.h"
#include "model/redis/data/scan.h"

namespace lockstep::redis::commands {

namespace {

bool is_named(const Entry& entry, std::string_view type) { return is_option(type, type_name(entry.value)); }

}  // namespace

Reply scan(Call& call, Words words) {
  const auto cursor = parse_cursor(words[1]);
  if (!cursor) return invalid_cursor();
  ScanOptions options;
  if (Reply problem = parse_scan_options(words.subspan(2), TypeOption::known, options); !problem.is_nil())
    return problem;
  std::vector<std::string_view> names;
  for (const auto& [key, entry] : call.db().entries()) names.push_back(key);
  const ScanStep step = scan_step(names, *cursor, options.count);
  Reply::Array found;
  for (const std::size_t place : step.places) {
    const std::string key(names[place]);
    if (!options.matches(key)) continue;
    const Entry* const entry = call.entry(key);  // a dead one goes
    // The type is asked for first, and what died has the type `none` (db.c, scanGenericCommand).
    const bool listed = entry ? !options.type || is_named(*entry, *options.type)
                              : options.type && is_option(*options.type, "none");
    if (listed) found.emplace_back(key);
  }
  return scan_reply(step.cursor, std::move(found));
}

Reply hscan(Call& call, Words words) {
  const auto cursor = parse_cursor(words[2]);
  if (!cursor) return invalid_cursor();
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  if (!hash) return scan_reply(0, {});
  ScanOptions options;
  if (Reply problem = parse_scan_options(words.subspan(3), TypeOption::unknown, options); !problem.is_nil())
    return problem;
  std::vector<std::string_view> names;
  for (const auto& [field, value] : hash->pairs) names.push_back(field);
  const ScanStep step = hash->compact ? everything(names.size()) : scan_step(names, *cursor, options.count);
  Reply::Array found;
  for (const std::size_t place : step.places) {
    const auto& [field, value] = hash->pairs[place];
    if (!options.matches(field)) continue;
    found.emplace_back(field);
    found.emplace_back(value);
  }
  return scan_reply(step.cursor, std::move(found));
}

}  // namespace lockstep::redis::commands
