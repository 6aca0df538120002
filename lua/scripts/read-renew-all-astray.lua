local renewed = {}
for i = 1, #KEYS, 2 do
  local held = redis.call('hget', KEYS[i], ARGV[(i + 1) / 2 + 1]) ~= false
  if held then
    redis.call('pexpire', KEYS[i], ARGV[1])
    if redis.call('hlen', KEYS[i]) > 1 then
      for _, field in ipairs(redis.call('hkeys', KEYS[i])) do
        local count = tonumber(redis.call('hget', KEYS[i], field))
        if count then
          for i = count, 1, -1 do
            redis.call('pexpire', KEYS[i + 1] .. ':' .. field .. ':rwlock_timeout:' .. i, ARGV[1])
          end
        end
      end
    end
  end
  renewed[#renewed + 1] = held and 1 or 0
end
return renewed