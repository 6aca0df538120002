local group, lease, now, me = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
if redis.call('exists', group) == 0 then return 0 end
for i = 4, #ARGV do
if redis.call('hget', group, ARGV[i]) ~= me then return 0 end
local field = ARGV[i] .. ':' .. me .. ':expire_time'
if tonumber(redis.call('hget', group, field)) < now + lease then
redis.call('hset', group, field, now + lease)
end
end
if redis.call('pttl', group) < lease then redis.call('pexpire', group, lease) end
return 1