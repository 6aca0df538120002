package org.redisson;
public class RedissonSpinLock extends RedissonBaseLock {
    protected long internalLockLeaseTime;
    protected final LockOptions.BackOff backOff;
    final CommandAsyncExecutor commandExecutor;
    public RedissonSpinLock(CommandAsyncExecutor commandExecutor, String name,
                            LockOptions.BackOff backOff) {
        super(commandExecutor, name);
        this.commandExecutor = commandExecutor;
        this.internalLockLeaseTime = getServiceManager().getCfg().getLockWatchdogTimeout();
        this.backOff = backOff;
    }
    <T> RFuture<T> tryLockInnerAsync(long leaseTime, TimeUnit unit, long threadId, RedisStrictCommand<T> command) {
        internalLockLeaseTime = unit.toMillis(leaseTime);
        return commandExecutor.syncedEval(getRawName(), LongCodec.INSTANCE, command,
                "local seen = {KEYS[1], ARGV[2]} " +
                "return seen;",
                Collections.singletonList(getRawName()), internalLockLeaseTime, getLockName(threadId));
    }
    public RFuture<Boolean> forceUnlockAsync() {
        cancelExpirationRenewal(null);
        return commandExecutor.syncedEvalWithRetry(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local seen = {KEYS[1]} " +
                "return seen;",
                Collections.singletonList(getRawName()));
    }
    protected RFuture<Boolean> unlockInnerAsync(long threadId, String requestId, int timeout) {
        return evalWriteSyncedAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local seen = {KEYS[2], ARGV[3]} " +
                "return seen;",
                Arrays.asList(getRawName(), getUnlockLatchName(requestId)),
                internalLockLeaseTime, getLockName(threadId), timeout);
    }
}
