import { describe, expect, it } from 'vitest';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { through } from './proxy.ts';
import { ask, HASTY, setUpRedis, type TestProcess, watchedLog } from './redis-world.ts';

const world = setUpRedis();

describe('limits in Redis', () => {
  const THREE: RateLimit = { name: 'three', points: 3, seconds: 600 };
  let drawn = 0;
  const someone = () => `somebody-${++drawn}@example.org`;

  async function consumeTimes(times: number, { limiter }: TestProcess, key: string, limit = THREE) {
    const waits: number[] = [];
    for (let round = 0; round < times; round += 1) waits.push(await limiter.consume(limit, key));
    return waits.map((wait) =>
      wait === 0 ? 0 : wait > limit.seconds - 60 && wait <= limit.seconds ? 1 : wait,
    );
  }
  const inDatabase = () => world.database.db.selectFrom('rateLimits').select('key').execute();

  it('let through as many as in the database, over all processes, and forget in time', async () => {
    const [here, there] = [await world.start(), await world.start()];
    expect(here.limiter.store()).toBe('redis');
    const [key, other] = [someone(), someone()];
    expect(await consumeTimes(4, here, key)).toEqual([0, 0, 0, 1]);
    expect(await there.limiter.waitFor(THREE, key)).toBeGreaterThan(0);
    expect(await there.limiter.waitFor(THREE, other)).toBe(0);
    expect(await consumeTimes(1, there, key, { ...THREE, name: 'other' })).toEqual([0]);
    await there.limiter.reset(THREE, key);
    expect(await consumeTimes(1, here, key)).toEqual([0]);

    const crowd: RateLimit = { name: 'crowd', points: 20, seconds: 600 };
    const waits = await Promise.all(
      [here, there].flatMap(({ limiter }) => Array.from({ length: 25 }, () => limiter.consume(crowd, key))),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
    const second: RateLimit = { name: 'second', points: 1, seconds: 1 };
    await expect.poll(() => here.limiter.consume(second, other)).toBe(1);
    await expect.poll(() => here.limiter.waitFor(second, other)).toBe(0);
    await expect(enforceLimit(here.limiter, { ...THREE, points: 0 }, other)).rejects.toMatchObject({
      code: 'rate_limited',
    });
    expect(await inDatabase()).toEqual([]);
  });

  it('have keys of the installation that end by themselves and name nobody', async () => {
    const here = await world.start({ prefix: 'mine:' });
    await consumeTimes(1, here, someone());
    const keys = await ask(here, (client) => client.keys('*'));
    const mine = keys.filter((key) => key.startsWith('mine:'));
    expect(mine).toEqual(expect.arrayContaining([expect.stringMatching(/^mine:limit:three:[\w-]{40,}=?$/)]));
    for (const key of keys) expect(key).not.toContain('somebody');
    for (const key of keys) expect(await ask(here, (client) => client.ttl(key)), key).toBeGreaterThan(0);
    // One that somebody has made last gets an end again.
    const key = mine.find((name) => name.includes('limit')) ?? '';
    await ask(here, (client) => client.persist(key));
    await here.limiter.consume(THREE, `somebody-${drawn}@example.org`);
    expect(await ask(here, (client) => client.ttl(key))).toBeGreaterThan(0);
  });

  it('hold in the database while Redis is away, full, silent or loses its answers: at most twice as many get through', async () => {
    const { log, said } = watchedLog();
    const here = await world.start({ ...HASTY, log, url: through(world.proxy, world.valkey.url) });
    const admin = await world.start();
    const setRoom = (bytes: string) => ask(admin, (client) => client.configSet('maxmemory', bytes));
    const replicaOf = (host: string, port: string) =>
      ask(admin, (client) => client.sendCommand(['replicaof', host, port]));
    const faults: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      ['full', () => setRoom('1'), () => setRoom('0')],
      ['silent', () => world.proxy.set('swallow'), () => world.proxy.set('none')],
      ['away', () => world.proxy.set('refuse'), () => world.proxy.set('none')],
      ['slow', () => world.proxy.set('delay', 5_000), () => world.proxy.set('none')],
      ['half-open', () => world.proxy.set('half-open'), () => world.proxy.set('none')],
      ['a replica now', () => replicaOf('127.0.0.1', '1'), () => replicaOf('no', 'one')],
      ['lost answers', () => world.proxy.set('lose-answer'), () => world.proxy.set('none')],
    ];
    const tried = faults.slice(0, shortOrLong(3, faults.length));
    for (const [fault, begin, end] of tried) {
      const key = someone();
      await expect.poll(here.redis.isUp).toBe(true);
      expect(await consumeTimes(3, here, key), fault).toEqual([0, 0, 0]);
      await begin();
      expect(await consumeTimes(4, here, key), fault).toEqual([0, 0, 0, 1]);
      expect(here.limiter.store(), fault).toBe('database');
      expect(await createRateLimiter(world.database.pool).waitFor(THREE, key), fault).toBeGreaterThan(0);
      await end();
      // A connection that has lost something stays dead.
      if (fault !== 'full') await world.proxy.set('cut').then(() => world.proxy.set('none'));
      await expect
        .poll(() => here.limiter.waitFor(THREE, key).then(() => here.limiter.store()))
        .toBe('redis');
      expect(await consumeTimes(1, here, key), fault).toEqual([1]);
    }
    expect(said().filter((text) => text.startsWith('limits are counted in the database'))).toHaveLength(
      tried.length,
    );
  });

  it('do not make requests pile up before a server that hangs: one waits, the others know', async () => {
    const here = await world.start({
      commandMs: HASTY.commandMs,
      url: through(world.proxy, world.valkey.url),
    });
    await here.limiter.consume(THREE, someone());
    await world.proxy.set('swallow');
    await here.limiter.consume(THREE, someone());
    const { requests } = world.proxy;
    const key = someone();
    const waits = await Promise.all(Array.from({ length: 50 }, () => here.limiter.consume(THREE, key)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
    expect(world.proxy.requests).toBe(requests);
  });

  it('start again when Redis has', async () => {
    const here = await world.start();
    const key = someone();
    await consumeTimes(3, here, key);
    await world.valkey.kill();
    await world.valkey.start();
    await expect.poll(here.redis.isUp).toBe(true);
    expect(await consumeTimes(4, here, key)).toEqual([0, 0, 0, 1]);
  });
});
