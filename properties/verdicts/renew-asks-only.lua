return redis.call("hexists", KEYS[1], ARGV[2])
