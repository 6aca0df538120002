// connection.h: one client's socket: what was read and not yet run, what was answered and not yet written.
//
// When bytes have arrived, all that is there (64 KiB at most, so that others get their turn) is read, its
// requests run in order, and their replies are written together, once all connections at which something had
// arrived had their turn. What cannot be written waits; how much may wait (output_limits.h), and how much a
// client may send before a request is whole, is limited as in Redis (client-query-buffer-limit).
//
// A connection ends in one of two ways: `close_when_written`, after QUIT or a protocol error, or `drop`,
// which writes nothing more. Either takes effect in `flush`, never in the middle of a request.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <string>

#include <asio/generic/stream_protocol.hpp>

#include "model/redis/resp/resp.h"
#include "tools/serve/output_limits.h"

namespace lockstep::tools::serve {

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Socket = asio::generic::stream_protocol::socket;
  using ReadBuffer = std::array<char, 64 * 1024>;

  /// What a connection asks of its server.
  class Host {
   public:
    virtual ~Host() = default;
    virtual void serve(Connection& from, const model::Command& command) = 0;
    /// `flush` is to be called once everything that arrived has run.
    virtual void flush_later(Connection& which) = 0;
    /// All that arrived at this connection has run; others may have something yet.
    virtual void flush_soon() = 0;
    /// What may wait for this connection. `least_output_limit`: fewer bytes may wait for any.
    virtual const OutputLimit& output_limit(const Connection& which) = 0;
    virtual std::size_t least_output_limit() = 0;
    virtual void closed(Connection& which, const std::string& reason) = 0;
    /// Whether a command of this connection runs that lets others run meanwhile: it must not go.
    virtual bool is_held(const Connection& which) = 0;
    /// The server's clock.
    virtual std::int64_t now_ms() = 0;
    /// Whether it has not given the password that is wanted.
    virtual bool is_stranger(const Connection& which) = 0;
    /// Where bytes are read to; one buffer serves all.
    virtual ReadBuffer& read_buffer() = 0;
  };

  Connection(Host& host, Socket socket, model::ConnectionId id)
      : host_(host),
        socket_(std::move(socket)),
        id_(id),
        parser_([this] { return host_.is_stranger(*this); }),
        active_ms_(host_.now_ms()) {}

  model::ConnectionId id() const { return id_; }

  void start() { wait_for_bytes(); }

  /// What CLIENT REPLY chose: whether replies are sent.
  void switch_replies(bool on) { replies_ = on ? Replies::on : Replies::off; }
  /// Those to the next command are not sent, if any are.
  void skip_next_replies() { skips_next_ = replies_ != Replies::off; }
  /// RESET, whose own reply may be one that is not sent.
  void reset_replies() {
    if (replies_ == Replies::off) replies_ = Replies::on;
  }

  /// A message that was published, or the answer to (UN)SUBSCRIBE: sent in any case.
  void push(const model::Reply& message) { write(message); }
  /// The reply to a command, or what a monitor is shown.
  void send(const model::Reply& reply) {
    if (replies_ == Replies::on) write(reply);
  }
  /// All that a command causes has been sent.
  void end_command();
  void close_when_written() { closing_ = true; }
  /// When something was last read or written.
  std::int64_t active_ms() const { return active_ms_; }
  /// Whether its requests wait unread.
  bool waits() const { return blocked_; }
  /// From now on requests wait unread, until `resume`.
  void block() { blocked_ = true; }
  /// Runs those that came while it was blocked.
  void unblock();
  /// Answers the request that was blocked and runs those that came in the meantime.
  void resume(const model::Reply& reply);
  /// Drops a client that does not read what it is sent.
  void check_limits(std::chrono::steady_clock::time_point now);
  void drop(const char* reason);

  void flush();

 private:
  void wait_for_bytes();
  void read();
  void feed(std::string_view bytes);
  void run_requests();
  void close(const std::string& reason);
  void ask_to_flush();
  void write(const model::Reply& reply);
  std::size_t unwritten() const { return out_.size() - written_; }

  Host& host_;
  Socket socket_;
  model::ConnectionId id_;
  redis::RequestParser parser_;
  model::Command command_;  // the request that runs, or ran last
  std::string out_;         // replies; the first written_ bytes are on their way
  std::size_t written_ = 0;
  std::chrono::steady_clock::time_point above_soft_limit_{};  // since when; zero: it is not
  std::int64_t active_ms_;
  std::string reason_;                                        // why it is dropped
  bool flush_asked_ = false;
  bool waits_to_write_ = false;
  bool closing_ = false;
  bool dropped_ = false;
  bool blocked_ = false;
  enum class Replies : std::uint8_t { on, off, skipped };
  Replies replies_ = Replies::on;
  bool skips_next_ = false;
};

}  // namespace lockstep::tools::serve
