return redis.call('pttl', KEYS[1])
