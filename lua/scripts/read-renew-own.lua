local renewed = {}
local at = 2
for i = 1, #KEYS, 2 do
  local threads, held = tonumber(ARGV[at]), 0
  for n = 1, threads do
    local holder = ARGV[at + n]
    local count = tonumber(redis.call('hget', KEYS[i], holder))
    if count then
      for hold = count, 1, -1 do
        redis.call('pexpire', KEYS[i + 1] .. ':' .. holder .. ':rwlock_timeout:' .. hold, ARGV[1])
      end
      held = 1
    end
  end
  if held == 1 then redis.call('pexpire', KEYS[i], ARGV[1]) end
  renewed[#renewed + 1] = held
  at = at + threads + 1
end
return renewed