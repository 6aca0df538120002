#include "model/redisson/lock_pub_sub.h"

#include <algorithm>

#include "sim/base/verify.h"

namespace lockstep::redisson {

std::string channel_of(const std::string& lock, const std::string& prefix) {
  if (lock.find('{') != std::string::npos) return prefix + ":" + lock;
  return prefix + ":{" + lock + "}";
}

std::vector<std::string> LockPubSub::locks_on(const std::string& channel) const {
  std::vector<std::string> locks;
  for (const auto& [lock, entry] : entries)
    if (entry.channel == channel) locks.push_back(lock);
  return locks;
}

bool LockPubSub::subscribe(const std::string& lock, const std::string& channel, ThreadId thread,
                           Channels out) {
  const auto found = entries.find(lock);
  if (found == entries.end()) {
    entries[lock] = Subscription{.channel = channel, .references = 1, .waiting = {thread}};
    out.push_back({.subscribe = true, .channel = channel});
    return false;
  }
  Subscription& entry = found->second;
  if (entry.phase == Subscription::Phase::unsubscribing) {
    entry.behind.push_back(thread);
    return false;
  }
  ++entry.references;
  if (entry.phase == Subscription::Phase::subscribed) return true;
  entry.waiting.push_back(thread);
  return false;
}

std::vector<ThreadId> LockPubSub::confirmed(const std::string& lock, Channels out) {
  const auto found = entries.find(lock);
  if (found == entries.end() || found->second.phase != Subscription::Phase::subscribing) return {};
  Subscription& entry = found->second;
  entry.phase = Subscription::Phase::subscribed;
  const std::vector<ThreadId> ready = std::move(entry.waiting);
  entry.waiting.clear();
  const std::size_t gone = entry.abandoned.size();
  entry.abandoned.clear();
  for (std::size_t i = 0; i < gone; ++i) unsubscribe(lock, out);
  return ready;
}

void LockPubSub::message(const std::string& lock, bool remembered) {
  const auto found = entries.find(lock);
  if (found == entries.end() || found->second.phase == Subscription::Phase::unsubscribing) return;
  Subscription& entry = found->second;
  if (remembered || entry.permits < entry.parked.size()) ++entry.permits;
}

/// READ_UNLOCK_MESSAGE: Semaphore.release(getQueueLength()); who has been given a permit and has not gone on
/// yet is in the queue, too.
void LockPubSub::message_to_all(const std::string& lock) {
  const auto found = entries.find(lock);
  if (found == entries.end() || found->second.phase == Subscription::Phase::unsubscribing) return;
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

void LockPubSub::unsubscribe(const std::string& lock, Channels out) {
  Subscription& entry = entries.at(lock);
  VERIFY(entry.references > 0);
  if (--entry.references > 0) return;
  entry = Subscription{.phase = Subscription::Phase::unsubscribing, .channel = entry.channel};
  out.push_back({.subscribe = false, .channel = entry.channel});
}

void LockPubSub::unsubscription_confirmed(const std::string& lock, Channels out) {
  const auto found = entries.find(lock);
  if (found == entries.end() || found->second.phase != Subscription::Phase::unsubscribing) return;
  const Subscription old = std::move(found->second);
  entries.erase(found);
  for (const ThreadId thread : old.behind) subscribe(lock, old.channel, thread, out);
}

void LockPubSub::abandon(const std::string& lock, ThreadId thread) {
  Subscription& entry = entries.at(lock);
  if (std::erase(entry.behind, thread) > 0) return;  // it never had a reference
  if (std::erase(entry.waiting, thread) > 0) entry.abandoned.push_back(thread);
}

void LockPubSub::resubscribe_all(Channels out) {
  std::vector<std::string> locks;
  for (const auto& [lock, entry] : entries) locks.push_back(lock);
  for (const std::string& lock : locks) {
    Subscription& entry = entries.at(lock);
    if (entry.phase == Subscription::Phase::unsubscribing) unsubscription_confirmed(lock, out);
    else out.push_back({.subscribe = true, .channel = entry.channel});
  }
}

}  // namespace lockstep::redisson
