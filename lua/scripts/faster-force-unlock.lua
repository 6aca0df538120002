local removed = 0
for i = 3, #ARGV do
local owner = redis.call('hget', KEYS[1], ARGV[i])
removed = removed + redis.call('hdel', KEYS[1], ARGV[i])
redis.call('hdel', KEYS[1], ARGV[i] .. ':' .. owner .. ':expire_time')
redis.call('hdel', KEYS[1], ARGV[i] .. ':' .. owner .. ':lock_count')
end
redis.call(ARGV[2], KEYS[2], ARGV[1])
return removed