package org.redisson;
abstract class RedissonExpirable extends RedissonObject implements RExpirable {
    protected RFuture<Boolean> expireAsync(long timeToLive, TimeUnit timeUnit, String param, String... keys) {
        return commandExecutor.evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local seen = {KEYS[1], ARGV[2]} " +
                "return seen;", Arrays.asList(keys), timeUnit.toMillis(timeToLive), param);
    }
}
