// ioredis against a server on the port given: commands, pipelines, scripts, messages, transactions, MONITOR.
// Ends with 0 and prints "ok" if every answer is the one expected.
'use strict';

const assert = require('node:assert');
const Redis = require('ioredis');

const port = Number(process.argv[2]);
const connect = () => new Redis({ host: '127.0.0.1', port, retryStrategy: null });

async function commands(redis) {
  assert.strictEqual(await redis.set('k', 'v', 'PX', 60000, 'NX'), 'OK');
  assert.strictEqual(await redis.set('k', 'v', 'PX', 60000, 'NX'), null);
  assert.deepStrictEqual(await redis.getBuffer('k'), Buffer.from('v'));
  assert.strictEqual(await redis.hset('h', { a: 1, b: 2 }), 2);
  assert.deepStrictEqual(await redis.hgetall('h'), { a: '1', b: '2' });
  await assert.rejects(redis.lpush('k', 'x'), /^ReplyError: WRONGTYPE Operation against a key/);
}

async function pipelines(redis) {
  const answers = await redis.pipeline().incr('n').incr('n').lpush('n', 'x').get('n').exec();
  assert.deepStrictEqual(answers.slice(0, 2), [[null, 1], [null, 2]]);
  assert.match(answers[2][0].message, /^WRONGTYPE/);
  assert.deepStrictEqual(answers[3], [null, '2']);
}

async function scripts(redis) {
  redis.defineCommand('unlock', {
    numberOfKeys: 1,
    lua: "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0",
  });
  await redis.set('lock', 'mine');
  assert.strictEqual(await redis.unlock('lock', 'theirs'), 0);
  assert.strictEqual(await redis.unlock('lock', 'mine'), 1);
  await assert.rejects(redis.eval("return redis.error_reply('MY error')", 0), /MY error/);
}

async function messages(redis) {
  const subscriber = connect();
  const message = new Promise((resolve) => subscriber.on('message', (...all) => resolve(all)));
  const pattern = new Promise((resolve) => subscriber.on('pmessage', (...all) => resolve(all)));
  assert.strictEqual(await subscriber.subscribe('news', 'more'), 2);
  assert.strictEqual(await subscriber.psubscribe('n*'), 3);
  assert.strictEqual(await redis.publish('news', 'hello'), 2);
  assert.deepStrictEqual(await message, ['news', 'hello']);
  assert.deepStrictEqual(await pattern, ['n*', 'news', 'hello']);
  assert.strictEqual(await subscriber.unsubscribe('news', 'more'), 1);
  assert.strictEqual(await subscriber.quit(), 'OK');
}

async function transactions(redis) {
  const other = connect();
  await redis.set('t', '1');
  await redis.watch('t');
  await other.set('t', '2');
  assert.strictEqual(await redis.multi().incr('t').exec(), null);
  assert.deepStrictEqual(await redis.multi().incr('t').get('t').exec(), [[null, 3], [null, '3']]);
  other.disconnect();
}

async function monitors(redis) {
  const monitor = await redis.monitor();
  const seen = new Promise((resolve) => monitor.once('monitor', (...all) => resolve(all)));
  await redis.set('k', 'a "b"');
  const [time, words, source, database] = await seen;
  assert.match(time, /^\d+\.\d{6}$/);
  assert.deepStrictEqual(words, ['set', 'k', 'a "b"']);
  assert.match(source, /^127\.0\.0\.1:\d+$/);
  assert.strictEqual(database, '0');
  monitor.disconnect();
}

async function main() {
  const redis = connect();
  for (const part of [commands, pipelines, scripts, messages, transactions, monitors]) await part(redis);
  assert.strictEqual(await redis.quit(), 'OK');
  console.log('ok');
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
