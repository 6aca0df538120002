local group, lease, now, me = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local there = redis.call('exists', group) > 0
local last = -1
if there then
for i = 4, #ARGV do
local owner = redis.call('hget', group, ARGV[i])
if owner and owner ~= me then
local ends = tonumber(redis.call('hget', group, ARGV[i] .. ':' .. owner .. ':expire_time') or 0)
if ends > now then last = math.max(last, ends) end
end
end
end
if last ~= -1 then return last - now end
for i = 4, #ARGV do
local mine = ARGV[i] .. ':' .. me
redis.call('hset', group, ARGV[i], me)
local ends = redis.call('hget', group, mine .. ':expire_time')
if not ends or tonumber(ends) < now + lease then
redis.call('hset', group, mine .. ':expire_time', now + lease)
end
redis.call('hincrby', group, mine .. ':lock_count', 1)
end
if there then
local left = redis.call('pttl', group)
if left > 0 and left < lease then redis.call('pexpire', group, lease) end
else
redis.call('pexpire', group, lease)
end
return nil