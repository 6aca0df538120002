#include "tools/differential/replica_stream.h"

namespace lockstep::differential {

using model::Command;
using model::Reply;

namespace {

Command words_of(const Reply& reply) {
  Command words;
  if (!reply.array()) return words;
  for (const Reply& word : *reply.array()) words.push_back(word.bulk() ? *word.bulk() : "");
  return words;
}

}  // namespace

ReplicaStream::ReplicaStream(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {
  const Command sync{"SYNC"};
  connection_->send(std::span(&sync, 1));
  connection_->skip_payload();
}

std::vector<Command> ReplicaStream::until(const Command& end) {
  std::vector<Command> commands;
  for (;;) {
    const auto reply = connection_->receive();
    Command words = reply ? words_of(*reply) : Command{};
    if (words.empty() || words == end) return commands;
    if (words[0] == "SELECT") database_ = words[1];
    if (words[0] == "SELECT" || words[0] == "PING") continue;
    if (words[0] != "MULTI" && words[0] != "EXEC") words.insert(words.begin(), {"SELECT", database_});
    commands.push_back(std::move(words));
  }
}

}  // namespace lockstep::differential
