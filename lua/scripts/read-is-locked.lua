local mode = redis.call('hget', KEYS[1], 'mode')
if mode == 'read' then return 1 end
if mode == 'write' and redis.call('hlen', KEYS[1]) > 2 then return 1 end
return 0