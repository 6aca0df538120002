local me = string.match(ARGV[3], '^(.+):')
for _, f in ipairs(redis.call('hkeys', KEYS[1])) do
if string.match(f, '^(.+):') == me then
redis.call('del', KEYS[1])
redis.call('publish', KEYS[2], ARGV[1])
return 1
end
end
return nil
