local holder = redis.call('hkeys', KEYS[1])[1]
if holder and holder ~= ARGV[2] then
local mine, its = string.match(ARGV[2], ':(%d+)$'), string.match(holder, ':(%d+)$')
if tonumber(mine) >= tonumber(its) then
return redis.call('pttl', KEYS[1])
end
redis.call('del', KEYS[1])
end
redis.call('hincrby', KEYS[1], ARGV[2], 1)
redis.call('pexpire', KEYS[1], ARGV[1])
return nil
