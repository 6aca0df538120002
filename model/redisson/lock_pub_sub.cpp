#include "model/redisson/lock_pub_sub.h"

#include <algorithm>

#include "sim/base/verify.h"

namespace lockstep::redisson {

namespace {

using Phase = Subscription::Phase;

bool share(const Channel& one, const Channel& other) {
  return one.name == other.name || (one.stripe != 0 && one.stripe == other.stripe);
}

bool is_settling(const Subscription& entry) { return entry.phase != Phase::subscribed; }

void append(std::vector<Waiter>& to, std::vector<Waiter> more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

std::string channel_of(const std::string& lock, const std::string& prefix) {
  if (lock.find('{') != std::string::npos) return prefix + ":" + lock;
  return prefix + ":{" + lock + "}";
}

std::uint16_t stripe_of(std::string_view channel, std::uint16_t stripes) {
  std::uint32_t hash = 1;  // Java's int, which wraps around
  for (const char byte : channel)
    hash = hash * 31 + static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<signed char>(byte)));
  const auto whole = static_cast<std::int32_t>(hash + 31);
  const std::int32_t rest = whole % std::int32_t{stripes};
  return static_cast<std::uint16_t>((rest < 0 ? -rest : rest) + 1);
}

std::vector<std::string> LockPubSub::locks_on(const std::string& channel) const {
  std::vector<std::string> locks;
  for (const auto& [lock, entry] : entries)
    if (entry.channel.name == channel) locks.push_back(lock);
  return locks;
}

bool LockPubSub::is_taken(const Channel& channel) const {
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
    return is_settling(entry.second) && share(entry.second.channel, channel);
  });
}

bool LockPubSub::is_in_line(const Channel& channel) const {
  return std::any_of(line.begin(), line.end(),
                     [&](const InLine& one) { return share(one.channel, channel); });
}

/// The mutex is taken by this lock's own entry, and nobody is in line for it.
bool LockPubSub::joins(const std::string& lock, const Channel& channel) const {
  const auto found = entries.find(lock);
  return found != entries.end() && is_settling(found->second) && !is_in_line(channel);
}

bool LockPubSub::subscribe(const std::string& lock, const Channel& channel, Waiter waiter, Channels out) {
  if (joins(lock, channel)) {
    Subscription& entry = entries.at(lock);
    if (entry.phase == Phase::unsubscribing) {
      entry.behind.push_back(waiter);
      return false;
    }
    ++entry.references;
    entry.waiting.push_back(waiter);
    return false;
  }
  if (is_taken(channel) || is_in_line(channel)) {
    line.push_back({lock, channel, waiter});
    return false;
  }
  const auto found = entries.find(lock);
  if (found == entries.end()) return open(lock, channel, waiter, out), false;
  ++found->second.references;
  return true;
}

void LockPubSub::open(const std::string& lock, const Channel& channel, Waiter waiter, Channels out) {
  Subscription& entry = entries[lock] = Subscription{.channel = channel, .references = 1};
  entry.waiting.push_back(waiter);
  entry.unconfirmed = {out.confirmed_within};
  out.push_back({.subscribe = true, .channel = channel.name});
}

std::vector<Waiter> LockPubSub::confirmed(const std::string& lock, Channels out) {
  const auto found = entries.find(lock);
  if (found == entries.end() || found->second.phase == Phase::unsubscribing) return {};
  Subscription& entry = found->second;
  entry.unconfirmed = {sim::never};
  if (entry.phase == Phase::subscribed) return {};
  entry.phase = Phase::subscribed;
  std::vector<Waiter> ready = std::exchange(entry.waiting, {});
  const std::size_t gone = entry.abandoned.size();
  entry.abandoned.clear();
  for (std::size_t i = 0; i < gone; ++i) drop_reference(lock, out);
  append(ready, next_in_line(out));
  return ready;
}

/// A mutex is free: who stands in line for one that is free now has its turn.
std::vector<Waiter> LockPubSub::next_in_line(Channels out) {
  std::vector<Waiter> ready;
  for (std::size_t i = 0; i < line.size();) {
    const auto before = [&](const InLine& one) { return share(one.channel, line[i].channel); };
    const auto here = line.begin() + static_cast<std::ptrdiff_t>(i);
    if (is_taken(line[i].channel) || std::any_of(line.begin(), here, before)) {
      ++i;
      continue;
    }
    const InLine next = line[i];
    line.erase(here);
    if (!next.subscriber) drop_reference(next.lock, out);
    else if (!entries.contains(next.lock)) open(next.lock, next.channel, *next.subscriber, out);
    else ++entries.at(next.lock).references, ready.push_back(*next.subscriber);
    i = 0;
  }
  return ready;
}

void LockPubSub::message(const std::string& lock, bool remembered) {
  const auto found = entries.find(lock);
  if (found == entries.end() || found->second.phase == Phase::unsubscribing) return;
  Subscription& entry = found->second;
  if (remembered || entry.permits < entry.parked.size()) ++entry.permits;
}

/// READ_UNLOCK_MESSAGE: Semaphore.release(getQueueLength()); who has been given a permit and has not gone on
/// yet is in the queue, too.
void LockPubSub::message_to_all(const std::string& lock) {
  const auto found = entries.find(lock);
  if (found == entries.end() || found->second.phase == Phase::unsubscribing) return;
  found->second.permits += static_cast<std::uint32_t>(found->second.parked.size());
}

bool LockPubSub::take_permit(const std::string& lock) {
  Subscription& entry = entries.at(lock);
  if (entry.permits == 0) return false;
  --entry.permits;
  return true;
}

void LockPubSub::park(const std::string& lock, ThreadId thread) { entries.at(lock).parked.push_back(thread); }

void LockPubSub::unpark(const std::string& lock, ThreadId thread) {
  std::erase(entries.at(lock).parked, thread);
}

bool LockPubSub::may_wake(const std::string& lock, ThreadId thread) const {
  const auto found = entries.find(lock);
  if (found == entries.end() || found->second.permits == 0) return false;
  return !found->second.parked.empty() && found->second.parked.front() == thread;
}

void LockPubSub::listen(const std::string& lock, Waiter waiter) {
  entries.at(lock).listeners.push_back(waiter);
}

void LockPubSub::forget_listener(const std::string& lock, ThreadId thread, std::uint16_t task) {
  const auto its = [&](const Waiter& waiter) { return waiter.is(thread, task); };
  std::erase_if(entries.at(lock).listeners, its);
  std::erase_if(entries.at(lock).undecided, its);
}

std::vector<Waiter> LockPubSub::listeners_of(const std::string& lock, bool all) {
  const auto found = entries.find(lock);
  if (found == entries.end() || found->second.listeners.empty()) return {};
  std::vector<Waiter>& listeners = found->second.listeners;
  if (all) return std::exchange(listeners, {});
  const Waiter first = listeners.front();
  listeners.erase(listeners.begin());
  return {first};
}

void LockPubSub::unsubscribe(const std::string& lock, Channels out) {
  const Channel channel = entries.at(lock).channel;
  const bool own = is_settling(entries.at(lock));
  if (!own && (is_taken(channel) || is_in_line(channel))) return line.push_back({lock, channel, {}});
  drop_reference(lock, out);
}

void LockPubSub::drop_reference(const std::string& lock, Channels out) {
  Subscription& entry = entries.at(lock);
  VERIFY(entry.references > 0);
  if (--entry.references == 0) close(entry, out);
}

void LockPubSub::close(Subscription& entry, Channels out) {
  entry = Subscription{.phase = Phase::unsubscribing, .channel = entry.channel};
  entry.unconfirmed = {out.confirmed_within};
  out.push_back({.subscribe = false, .channel = entry.channel.name});
}

std::vector<Waiter> LockPubSub::unsubscription_confirmed(const std::string& lock, Channels out) {
  const auto found = entries.find(lock);
  if (found == entries.end() || found->second.phase != Phase::unsubscribing) return {};
  const Subscription old = std::move(found->second);
  entries.erase(found);
  for (const Waiter& waiter : old.behind) {
    if (entries.contains(lock)) ++entries.at(lock).references, entries.at(lock).waiting.push_back(waiter);
    else open(lock, old.channel, waiter, out);
  }
  return next_in_line(out);
}

void LockPubSub::abandon(const std::string& lock, ThreadId thread, std::uint16_t task) {
  const auto its = [&](const Waiter& waiter) { return waiter.is(thread, task); };
  const auto in_line = [&](const InLine& one) {
    return one.lock == lock && one.subscriber && its(*one.subscriber);
  };
  if (std::erase_if(line, in_line) > 0) return;  // it never had a reference
  const auto found = entries.find(lock);
  if (found == entries.end()) return;  // that one failed
  Subscription& entry = found->second;
  if (std::erase_if(entry.behind, its) > 0) return;
  if (std::erase_if(entry.waiting, its) > 0) entry.abandoned.push_back({thread, task});
}

LockPubSub::Failed LockPubSub::unanswered(const std::string& lock, Channels out) {
  Subscription& entry = entries.at(lock);
  if (entry.phase == Phase::unsubscribing) return {{}, unsubscription_confirmed(lock, out)};
  if (entry.phase == Phase::subscribed) {
    entry.unconfirmed = {out.confirmed_within};
    out.push_back({.subscribe = true, .channel = entry.channel.name});
    return {};
  }
  const std::vector<Waiter> failed = std::exchange(entry.waiting, {});
  close(entry, out);
  return {failed, {}};
}

std::vector<Waiter> LockPubSub::resubscribe_all(Channels out) {
  std::vector<std::string> locks;
  for (const auto& [lock, entry] : entries) locks.push_back(lock);
  std::vector<Waiter> over;
  for (const std::string& lock : locks) {
    const auto found = entries.find(lock);
    if (found->second.phase == Phase::unsubscribing) {
      append(over, unsubscription_confirmed(lock, out));
      continue;
    }
    found->second.unconfirmed = {out.confirmed_within};
    out.push_back({.subscribe = true, .channel = found->second.channel.name});
  }
  return over;
}

}  // namespace lockstep::redisson
