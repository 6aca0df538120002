return redis.call('unlock', KEYS[1], ARGV[3]);
