if redis.call('hget', KEYS[1], 'mode') ~= 'write' then return 0 end
redis.call('del', KEYS[1])
redis.call(ARGV[2], KEYS[2], ARGV[1])
return 1