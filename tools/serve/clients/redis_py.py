"""redis-py against a server on the unix socket given: the part named by the second argument.

Ends with 0 and prints "ok" if every answer is the one expected.
"""

import sys
import threading
import time

import redis
from redis.lock import Lock

server = redis.Redis(unix_socket_path=sys.argv[1])


def raises(text, call):
    try:
        call()
    except redis.RedisError as error:
        assert text in str(error), error
    else:
        raise AssertionError("no error: " + text)


def commands():
    assert server.set("k", b"a\r\n\0b", px=60000, nx=True) is True
    assert server.set("k", "w", nx=True) is None
    assert server.get("k") == b"a\r\n\0b"
    assert 0 < server.pttl("k") <= 60000
    assert server.hset("h", mapping={"a": 1, "b": 2}) == 2
    assert server.hgetall("h") == {b"a": b"1", b"b": b"2"}
    assert server.zadd("z", {"a": 1.5, "b": -1}) == 2
    assert server.zrange("z", 0, -1, withscores=True) == [(b"b", -1.0), (b"a", 1.5)]
    assert server.info("server")["redis_version"] == "7.0.15"
    raises("wrong kind of value", lambda: server.lpush("k", 1))


def pipelines():
    pipe = server.pipeline(transaction=False)
    for i in range(1000):
        pipe.rpush("l", i)
    pipe.lrange("l", 0, -1)
    answers = pipe.execute()
    assert answers[:1000] == list(range(1, 1001))
    assert answers[1000] == [b"%d" % i for i in range(1000)]


def locks():
    lock = server.lock("lock", timeout=60, blocking_timeout=0.2)
    other = server.lock("lock", timeout=60, blocking_timeout=0.2)
    assert lock.acquire()
    assert not other.acquire()
    assert lock.extend(60) and lock.reacquire()
    raises("no longer owned", lambda: server.lock("lock", timeout=60).do_release(b"nobody"))
    lock.release()
    with other:
        assert other.owned()
    assert not server.exists("lock")
    threads_take_turns()


def threads_take_turns():
    count = [0]

    def work():
        for _ in range(20):
            with server.lock("turn", timeout=60, sleep=0.001):
                seen = count[0]
                server.ping()
                count[0] = seen + 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert count[0] == 80, count


def lock_class():
    """redis.lock.Lock itself: its tokens, threads, time-outs and errors."""
    lock = Lock(server, "class", timeout=60, blocking=False, thread_local=True)
    assert lock.acquire(token="mine") and server.get("class") == b"mine"
    assert lock.locked() and lock.owned() and not lock.acquire()
    seen = []
    other = threading.Thread(target=lambda: seen.append(getattr(lock.local, "token", None)))
    other.start()
    other.join()
    assert seen == [None], seen  # another thread does not own it
    assert lock.extend(60) and 60000 < server.pttl("class") <= 120000
    assert lock.extend(5, replace_ttl=True) and server.pttl("class") <= 5000
    lock.release()
    raises("unlocked lock", lock.release)
    short = Lock(server, "short", timeout=0.05)
    assert short.acquire()
    waiting = Lock(server, "short", timeout=60, sleep=0.01, blocking_timeout=30)
    assert waiting.acquire()  # once the other lease is over
    raises("no longer owned", lambda: short.extend(1))
    raises("no longer owned", short.release)
    assert waiting.owned()
    waiting.release()
    with Lock(server, "with", timeout=60):
        taken = Lock(server, "with", timeout=60, blocking_timeout=0.05)
        raises("within the time specified", taken.__enter__)
    assert not server.exists("with")


def scripts():
    add = server.register_script("return redis.call('incrby', KEYS[1], ARGV[1]) + #ARGV")
    assert add(keys=["n"], args=[40, "x"]) == 42
    server.script_flush()
    assert add(keys=["n"], args=[1]) == 42  # loads it anew
    assert server.script_exists(add.sha) == [True]
    raises("user_script:1", lambda: server.eval("return nil .. 1", 0))
    server.script_flush()
    pipe = server.pipeline()
    add(keys=["m"], args=[1], client=pipe)
    add(keys=["m"], args=[2], client=pipe)
    assert pipe.execute() == [2, 4]  # the pipeline loads what is missing
    name = server.function_load(
        "#!lua name=lib\nredis.register_function('get', function(keys) return redis.call('get', keys[1]) end)"
    )
    assert name == b"lib" and server.fcall("get", 1, "m") == b"3"


def messages():
    listener = server.pubsub(ignore_subscribe_messages=True)
    listener.subscribe("news")
    listener.psubscribe("n*")
    while server.pubsub_numpat() == 0:  # it has been sent, but perhaps not read
        pass
    assert server.publish("news", "hello") == 2
    heard = []
    while len(heard) < 2:
        message = listener.get_message(timeout=10)
        heard += [(message["type"], message["data"])] if message else []
    assert heard == [("message", b"hello"), ("pmessage", b"hello")], heard
    listener.close()


def threads_that_listen():
    heard = []
    everything = threading.Event()

    def hear(message):
        heard.append((message["channel"], message["data"]))
        if len(heard) == 200:
            everything.set()

    listener = server.pubsub(ignore_subscribe_messages=True)
    listener.subscribe(**{"news": hear})
    listener.psubscribe(**{"n?ws": hear})
    thread = listener.run_in_thread(sleep_time=0.01)
    while server.pubsub_numsub("news") != [(b"news", 1)] or server.pubsub_numpat() == 0:
        pass
    publish = lambda: [server.publish("news", i) for i in range(25)]
    publishers = [threading.Thread(target=publish) for _ in range(4)]
    for each in publishers:
        each.start()
    for each in publishers:
        each.join()
    assert everything.wait(30), len(heard)
    thread.stop()
    thread.join()
    assert sorted(data for _, data in heard) == sorted(b"%d" % (i // 8) for i in range(200))


def monitors():
    with server.monitor() as monitor:
        server.set("k", "a b")
        server.eval("return redis.call('get', KEYS[1])", 1, "k")
        set_, eval_, get = (monitor.next_command() for _ in range(3))
    assert set_["command"] == "SET k a b", set_
    assert set_["client_type"] == "unix" and set_["client_address"] == "unix" and set_["db"] == 0, set_
    assert eval_["command"].startswith("EVAL return"), eval_
    assert get["command"] == "get k" and get["client_type"] == "lua", get
    assert abs(get["time"] - time.time()) < 600


def transactions():
    server.set("n", 1)

    def double(pipe):
        value = int(pipe.get("n"))
        if value == 1:
            server.set("n", 10)  # disturbs the first try
        pipe.multi()
        pipe.set("n", value * 2)
        pipe.get("n")

    assert server.transaction(double, "n") == [True, b"20"]
    pipe = server.pipeline()
    pipe.watch("n")
    server.incr("n")
    pipe.multi()
    pipe.incr("n")
    raises("Watched variable changed", pipe.execute)


def scans():
    for i in range(1000):
        server.set("key:%d" % i, i)
    assert len(set(server.scan_iter(match="key:*", count=100))) == 1000
    server.sadd("s", *range(1000))
    assert len(set(server.sscan_iter("s"))) == 1000
    server.hset("h", mapping={"f%d" % i: i for i in range(1000)})
    last = {b"f%d" % i: b"%d" % i for i in range(990, 1000)}
    assert dict(server.hscan_iter("h", match="f99?", count=10)) == last
    server.zadd("z", {"m%d" % i: i for i in range(1000)})
    assert sorted(server.zscan_iter("z"))[0] == (b"m0", 0.0) and len(set(server.zscan_iter("z"))) == 1000
    assert set(server.scan_iter(_type="zset")) == {b"z"}


globals()[sys.argv[2]]()
print("ok")
