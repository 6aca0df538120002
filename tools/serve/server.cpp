#include "tools/serve/server.h"

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ip/v6_only.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/post.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "tools/serve/client_table.h"
#include "tools/serve/free_memory.h"
#include "tools/serve/pause.h"
#include "tools/serve/waiting_clients.h"

namespace lockstep::tools::serve {

namespace {

using asio::ip::tcp;
using Local = asio::local::stream_protocol;

constexpr int backlog = 511;                      // tcp-backlog
constexpr std::chrono::milliseconds period{100};  // hz 10
constexpr std::size_t most_clients = 65'535;      // connections have numbers of 16 bits

sim::Problem problem_at(const std::string& place, const asio::error_code& error) {
  return {place + ": " + error.message()};
}

std::string text_of(const tcp::endpoint& at) {
  const std::string address = at.address().to_string();
  return (at.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(at.port());
}

bool somebody_listens_on(const std::string& path) {
  asio::io_context io;
  Local::socket probe(io);
  asio::error_code error;
  probe.connect(Local::endpoint(path), error);
  return !error;
}

/// Makes room for so many clients if the machine allows it; how many there is room for.
std::size_t clients_allowed(std::size_t wanted) {
  constexpr std::size_t other_files = 32;  // CONFIG_MIN_RESERVED_FDS
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return wanted;
  if (files.rlim_cur < wanted + other_files) {
    files.rlim_cur = std::min<rlim_t>(wanted + other_files, files.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  return std::min<std::size_t>(wanted, files.rlim_cur > other_files ? files.rlim_cur - other_files : 1);
}

}  // namespace

class Server::Sockets final : public Connection::Host {
 public:
  explicit Sockets(Settings settings)
      : settings_(std::move(settings)),
        node_(settings_.time, settings_.epoch_ms, settings_.runs_within_commands,
              [this] { return look_at_sockets(); }),
        clients_(clients_allowed(most_clients)) {
    node_.set_clients_max(static_cast<std::int64_t>(clients_.most()));
  }
  ~Sockets() override {
    if (local_) ::unlink(settings_.unix_path.c_str());
  }

  sim::Result<std::vector<std::string>> listen() {
    if (settings_.port) {
      const auto problem = settings_.bind.empty() ? listen_on_loopback() : listen_on_addresses();
      if (problem) return *problem;
    }
    if (!settings_.unix_path.empty()) {
      if (const auto problem = listen_on_path()) return *problem;
    }
    node_.configure("port", std::to_string(tcp_.empty() ? 0 : tcp_.front().local_endpoint().port()));
    node_.configure("unixsocket", settings_.unix_path);
    node_.configure("maxclients", std::to_string(std::min(settings_.clients_max, clients_.most())));
    return addresses_;
  }

  void run() {
    std::signal(SIGPIPE, SIG_IGN);  // who reads what --verbose prints may go, as a client may
    signals_.async_wait([this](const asio::error_code&, int) { io_.stop(); });
    for (tcp::acceptor& acceptor : tcp_) accept(acceptor);
    if (local_) accept(*local_);
    tick();
    run_on();
  }

  void serve(Connection& from, const model::Command& command) override {
    if (settings_.on_command) settings_.on_command(from.id(), command);
    execute(from, command);
  }
  void flush_later(Connection& which) override { to_flush_.push_back(which.shared_from_this()); }
  /// As Redis, which writes before it looks for events again: who is answered does not take the processor
  /// from those who wait for theirs.
  void flush_soon() override {
    if (std::exchange(flush_posted_, true)) return;
    asio::post(io_, [this] {
      flush_posted_ = false;
      flush_all();
    });
  }
  void flush_all() {
    for (const model::ConnectionId id : waiting_.take_due(node_.wall_ms())) {
      Connection* const waiting = clients_.find(id);
      if (waiting) waiting->resume(std::int64_t{0});  // so many replicas have acknowledged
    }
    if (!held_back_.empty() && !pause_.lasts(node_.wall_ms())) release();
    for (std::size_t i = 0; i < to_flush_.size(); ++i) to_flush_[i]->flush();
    to_flush_.clear();
  }
  const OutputLimit& output_limit(const Connection& which) override { return node_.output_limit(which.id()); }
  std::size_t least_output_limit() override { return node_.least_output_limit(); }
  std::int64_t now_ms() override { return node_.wall_ms(); }
  bool is_stranger(const Connection& which) override { return node_.is_stranger(which.id()); }
  void closed(Connection& which, const std::string& reason) override {
    if (settings_.on_client) settings_.on_client(which.id(), "closed: " + reason);
    node_.disconnect(which.id());
    waiting_.forget(which.id());
    std::erase_if(held_back_, [&](const HeldBack& held) { return held.id == which.id(); });
    clients_.remove(which.id());
  }
  bool is_held(const Connection& which) override { return node_.is_busy() && &which == asking_; }
  Connection::ReadBuffer& read_buffer() override { return *read_buffer_; }

 private:
  /// A connection for which there is no memory is dropped (connection.h); whatever else fails for want of it
  /// does not end the server.
  void run_on() {
    while (!io_.stopped()) {
      try {
        io_.run();
      } catch (const std::bad_alloc&) { continue; }
    }
  }

  struct HeldBack {
    model::ConnectionId id;
    model::Command command;
  };

  /// Whether it ran, and was not held back.
  bool execute(Connection& from, const model::Command& command) {
    if (!node_.is_busy()) asking_ = &from;
    const Answer caused = node_.execute(from.id(), command, pause_.at(node_.wall_ms()));
    if (caused.outcome.held_back) {
      held_back_.push_back({from.id(), command});
      from.block();
      return false;
    }
    if (!io_.stopped()) answer(from, caused);  // the server may have been ended while a script ran
    return true;
  }

  /// While a script runs for long. What ends the server ends the script.
  bool look_at_sockets() {
    io_.poll();
    return !io_.stopped();
  }

  void answer(Connection& from, const Answer& answer) {
    if (answer.dropped) return from.drop("it speaks HTTP");
    const redis::Outcome& outcome = answer.outcome;
    push(outcome.pushes);
    if (outcome.orders) obey(from, *outcome.orders);
    reply(from, answer);
    if (outcome.waiting) wait(from, *outcome.waiting);
    else from.end_command();
    for (const model::ConnectionId id : outcome.closed) end(id, from);
  }

  void reply(Connection& to, const Answer& answer) {
    const auto each = [&](const model::Reply& reply) {
      if (answer.subscribes && !reply.error()) to.push(reply);
      else to.send(reply);
    };
    const redis::Outcome& outcome = answer.outcome;
    const bool skips_next = outcome.orders && outcome.orders->replies == redis::Orders::Replies::skip_next;
    if (!outcome.waiting && !outcome.silent && !skips_next) each(outcome.reply);
    for (const model::Reply& more : outcome.more_replies) each(more);
  }

  void push(const std::vector<redis::Push>& messages) {
    for (const redis::Push& message : messages) {
      Connection* const to = clients_.find(message.to);
      if (to && message.message.status()) to->send(message.message);  // what a monitor is shown
      else if (to) to->push(message.message);
    }
  }

  /// What a command wants of the server itself.
  void obey(Connection& from, const redis::Orders& orders) {
    using Chosen = redis::Orders::Replies;
    if (orders.replies == Chosen::skip_next) from.skip_next_replies();
    else if (orders.replies == Chosen::as_new) from.reset_replies();
    else if (orders.replies) from.switch_replies(*orders.replies == Chosen::on);
    if (orders.pause) pause_.begin(*orders.pause, node_.wall_ms());
    if (orders.shutdown) {
      from.switch_replies(false);
      io_.stop();
    }
  }

  /// The pause is over: what was held back runs in the order in which it came.
  void release() {
    const std::vector<HeldBack> held = std::exchange(held_back_, {});
    for (const HeldBack& one : held) {
      Connection* const from = clients_.find(one.id);
      if (from && execute(*from, one.command)) from->unblock();
    }
  }

  std::optional<sim::Problem> listen_on_addresses() {
    std::uint16_t port = *settings_.port;
    for (const std::string& text : settings_.bind) {
      asio::error_code error;
      const auto address = asio::ip::make_address(text, error);
      if (error) return sim::Problem{"--bind wants an IP address, not `" + text + "`"};
      if ((error = listen_on({address, port}))) return problem_at(text_of({address, port}), error);
      port = tcp_.back().local_endpoint().port();  // the same for all if any would do
    }
    return std::nullopt;
  }

  std::optional<sim::Problem> listen_on_loopback() {
    const tcp::endpoint v4(asio::ip::address_v4::loopback(), *settings_.port);
    if (const auto error = listen_on(v4)) return problem_at(text_of(v4), error);
    const tcp::endpoint v6(asio::ip::address_v6::loopback(), tcp_.back().local_endpoint().port());
    const auto error = listen_on(v6);
    // The number was given; another server that has it on ::1 would get half of the clients of "localhost".
    if (error == asio::error::address_in_use && *settings_.port != 0) return problem_at(text_of(v6), error);
    return std::nullopt;
  }

  asio::error_code listen_on(const tcp::endpoint& at) {
    asio::error_code error;
    tcp::acceptor acceptor(io_);
    acceptor.open(at.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error && at.address().is_v6()) acceptor.set_option(asio::ip::v6_only(true), error);
    if (!error) acceptor.bind(at, error);
    if (!error) acceptor.listen(backlog, error);
    if (error) return error;
    addresses_.push_back(text_of(acceptor.local_endpoint()));
    tcp_.push_back(std::move(acceptor));
    return {};
  }

  std::optional<sim::Problem> listen_on_path() {
    const std::string& path = settings_.unix_path;
    if (path.size() >= sizeof(sockaddr_un::sun_path)) return sim::Problem{path + ": too long for a socket"};
    struct stat there {};
    if (::lstat(path.c_str(), &there) == 0 && !S_ISSOCK(there.st_mode))
      return sim::Problem{path + ": exists and is no socket"};
    if (somebody_listens_on(path))
      return problem_at(path, asio::error::make_error_code(asio::error::address_in_use));
    ::unlink(path.c_str());  // what an earlier server left behind
    asio::error_code error;
    Local::acceptor acceptor(io_);
    acceptor.open(Local(), error);
    if (!error) acceptor.bind(Local::endpoint(path), error);
    if (!error) acceptor.listen(backlog, error);
    if (error) return problem_at(path, error);
    addresses_.push_back(path);
    local_.emplace(std::move(acceptor));
    return std::nullopt;
  }

  template <class Acceptor>
  void accept(Acceptor& acceptor) {
    acceptor.async_accept([this, &acceptor](const asio::error_code& error, auto socket) {
      if (!error) {
        welcome(std::move(socket));
        return accept(acceptor);
      }
      const auto pause = std::make_shared<asio::steady_timer>(io_, period);  // no file is left, perhaps
      pause->async_wait([this, &acceptor, pause](const asio::error_code&) { accept(acceptor); });
    });
  }

  template <class Socket>
  void welcome(Socket socket) {
    asio::error_code ignored;
    if constexpr (std::is_same_v<Socket, tcp::socket>) socket.set_option(tcp::no_delay(true), ignored);
    socket.non_blocking(true, ignored);
    if (clients_.full(static_cast<std::size_t>(node_.setting("maxclients")))) {
      static constexpr std::string_view full = "-ERR max number of clients reached\r\n";
      socket.write_some(asio::buffer(full), ignored);
      return;
    }
    const auto [address, local_address] = ends_of(socket);
    const int file = socket.native_handle();
    const auto connection = clients_.add(*this, std::move(socket));
    node_.connect(connection->id(), address, local_address, file);
    if (settings_.on_client) settings_.on_client(connection->id(), "connected");
    connection->start();
  }

  /// Both ends of a connection as CLIENT LIST shows them.
  template <class Socket>
  std::pair<std::string, std::string> ends_of(const Socket& socket) const {
    if constexpr (std::is_same_v<Socket, tcp::socket>) {
      asio::error_code ignored;
      return {text_of(socket.remote_endpoint(ignored)), text_of(socket.local_endpoint(ignored))};
    } else {
      return {settings_.unix_path + ":0", settings_.unix_path + ":0"};
    }
  }

  void wait(Connection& from, const redis::Waiting& waiting) {
    std::optional<std::int64_t> until_ms;
    constexpr sim::Duration sum_fits = sim::Duration::max() / 2;
    if (waiting.at_most && *waiting.at_most < sum_fits) until_ms = node_.wall_ms() + waiting.at_most->count();
    waiting_.add(from.id(), until_ms);
    from.block();
  }

  /// A client that ends its own connection still gets the reply; the others lose what was not written (CLIENT
  /// KILL).
  void end(model::ConnectionId id, Connection& asked_by) {
    Connection* const which = clients_.find(id);
    if (which == &asked_by) which->close_when_written();
    else if (which) which->drop("another client closed it");
  }

  /// Who has said and been sent nothing for longer than this goes, unless it waits or listens (server.c,
  /// clientsCronHandleTimeout).
  void drop_idle(std::int64_t seconds) {
    clients_.for_each([&](Connection& each) {
      const bool stays = each.waits() || node_.listens(each.id()) || node_.monitors(each.id());
      if (!stays && node_.wall_ms() / 1000 - each.active_ms() / 1000 > seconds) each.drop("it was idle");
    });
  }

  void tick() {
    ticks_.expires_after(period);
    ticks_.async_wait([this](const asio::error_code& error) {
      if (!error) tick();
    });
    push(node_.tick(pause_.at(node_.wall_ms())));
    const auto now = std::chrono::steady_clock::now();
    clients_.for_each([now](Connection& each) { each.check_limits(now); });
    if (const std::int64_t seconds = node_.setting("timeout"); seconds > 0) drop_idle(seconds);
    flush_all();
    free_memory_.give_back(now);
  }

  Settings settings_;
  ServedNode node_;
  asio::io_context io_{1};
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  asio::steady_timer ticks_{io_};
  std::vector<tcp::acceptor> tcp_;
  std::optional<Local::acceptor> local_;
  std::vector<std::string> addresses_;
  std::unique_ptr<Connection::ReadBuffer> read_buffer_ = std::make_unique<Connection::ReadBuffer>();
  ClientTable clients_;
  WaitingClients waiting_;
  const Connection* asking_ = nullptr;  // whose command runs, or ran last, unless it came while one ran
  Pause pause_;
  std::vector<HeldBack> held_back_;  // by CLIENT PAUSE, in the order in which it came
  std::vector<std::shared_ptr<Connection>> to_flush_;
  bool flush_posted_ = false;
  FreeMemory free_memory_;
};

Server::Server(Settings settings) : sockets_(std::make_unique<Sockets>(std::move(settings))) {}
Server::~Server() = default;

sim::Result<std::vector<std::string>> Server::listen() { return sockets_->listen(); }
void Server::run() { sockets_->run(); }

}  // namespace lockstep::tools::serve
