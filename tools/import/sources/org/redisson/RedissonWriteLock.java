package org.redisson;
public class RedissonWriteLock extends RedissonLock implements RLock {
    protected RedissonWriteLock(CommandAsyncExecutor commandExecutor, String name) { super(commandExecutor, name); }
    String getChannelName() { return prefixName("redisson_rwlock", getRawName()); }
    protected String getLockName(long threadId) { return super.getLockName(threadId) + ":write"; }
    <T> RFuture<T> tryLockInnerAsync(long waitTime, long leaseTime, TimeUnit unit, long threadId, RedisStrictCommand<T> command) {
        return commandExecutor.syncedEval(getRawName(), LongCodec.INSTANCE, command,
                "local seen = {KEYS[1], ARGV[2]} " +
                "return seen;",
                        Arrays.<Object>asList(getRawName()),
                        unit.toMillis(leaseTime), getLockName(threadId));
    }
    protected RFuture<Boolean> unlockInnerAsync(long threadId, String requestId, int timeout) {
        return evalWriteSyncedAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local seen = {KEYS[3], ARGV[5]} " +
                "return seen;",
        Arrays.<Object>asList(getRawName(), getChannelName(), getUnlockLatchName(requestId)),
        LockPubSub.READ_UNLOCK_MESSAGE, internalLockLeaseTime, getLockName(threadId), getSubscribeService().getPublishCommand(), timeout);
    }
    public RFuture<Boolean> forceUnlockAsync() {
        cancelExpirationRenewal(null);
        return commandExecutor.syncedEvalWithRetry(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local seen = {KEYS[2], ARGV[2]} " +
                "return seen;",
              Arrays.asList(getRawName(), getChannelName()),
                LockPubSub.READ_UNLOCK_MESSAGE, getSubscribeService().getPublishCommand());
    }
}
