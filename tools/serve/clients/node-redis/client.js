// node-redis, which speaks RESP3 only, against a server on the port given: commands, scripts, transactions,
// messages. Ends with 0 and prints "ok" if every answer is the one expected.
'use strict';

const assert = require('node:assert');
const { createClient, WatchError } = require('redis');

const port = Number(process.argv[2]);

async function connect() {
  const client = createClient({ RESP: 3, socket: { host: '127.0.0.1', port, reconnectStrategy: false } });
  client.on('error', (error) => { throw error; });
  return client.connect();
}

async function commands(redis) {
  assert.strictEqual(await redis.set('lock', 'me', { NX: true, PX: 30000 }), 'OK');
  assert.strictEqual(await redis.set('lock', 'you', { NX: true, PX: 30000 }), null);
  assert.strictEqual(await redis.get('none'), null);
  assert.strictEqual(await redis.hSet('h', { a: '1', b: '2' }), 2);
  assert.deepEqual({ ...await redis.hGetAll('h') }, { a: '1', b: '2' });
  await redis.sAdd('s', ['1', '2']);
  assert.deepStrictEqual(await redis.sMembers('s'), ['1', '2']);
  await redis.zAdd('z', [{ score: 1.5, value: 'm' }]);
  assert.strictEqual(await redis.zScore('z', 'm'), 1.5);
  assert.deepEqual(await redis.zRangeWithScores('z', 0, -1), [{ value: 'm', score: 1.5 }]);
  assert.match(await redis.info('server'), /redis_version:7\.0\.15/);
  assert.deepEqual({ ...await redis.configGet('maxmemory') }, { maxmemory: '0' });
  await assert.rejects(redis.lPush('h', 'x'), /^Error: WRONGTYPE|WRONGTYPE/);
}

async function scripts(redis) {
  const text = "return {KEYS[1], ARGV[1], redis.call('hgetall', 'h'), {double = 2.5}}";
  const reply = await redis.eval(text, { keys: ['k'], arguments: ['v'] });
  assert.deepEqual(reply, ['k', 'v', ['a', '1', 'b', '2'], 2.5]);
}

async function transactions(redis) {
  const replies = await redis.multi().get('none').hGetAll('h').incr('n').exec();
  assert.deepEqual(JSON.parse(JSON.stringify(replies)), [null, { a: '1', b: '2' }, 1]);
  const other = await connect();
  await other.watch('n');
  await redis.incr('n');
  await assert.rejects(other.multi().incr('n').exec(), WatchError);
  other.destroy();
}

async function messages(redis) {
  const subscriber = await connect();
  let heard;
  const message = new Promise((resolve) => { heard = (text, channel) => resolve([text, channel]); });
  await subscriber.subscribe('news', heard);
  assert.strictEqual(await redis.publish('news', 'hello'), 1);
  assert.deepStrictEqual(await message, ['hello', 'news']);
  assert.strictEqual(await subscriber.get('lock'), 'me', 'a subscriber may do everything');
  await subscriber.unsubscribe('news');
  subscriber.destroy();
}

async function main() {
  const redis = await connect();
  for (const part of [commands, scripts, transactions, messages]) await part(redis);
  redis.destroy();
  console.log('ok');
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
