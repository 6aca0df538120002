redis.call('unlokc', KEYS[1])
return 1
