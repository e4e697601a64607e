import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  hang,
  json,
  type SandboxServer,
  startSandboxServer,
  voucherify,
  voucherifyAt,
} from '#tests/support/voucher-sandbox.ts';
import { openValidators } from './open-validators.ts';

const MERCHANT = 'Corner Coffee';
const CODE = 'KQZ-4711-LATTE';
const good = voucherify({ [CODE]: { discount: { type: 'PERCENT', percent_off: 10 } } });

let sandbox: SandboxServer;
let lines: string[];
beforeEach(async () => {
  sandbox = await startSandboxServer(good);
  lines = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await sandbox.close();
  // The failure is logged, without any part of the code.
  expect(lines.join()).not.toMatch(/KQZ|4711|LATTE/i);
});

function open(given: Parameters<typeof voucherifyAt>[1] = {}) {
  const setting = voucherifyAt(sandbox.baseUrl, { merchants: [MERCHANT], ...given });
  const warn = (...words: unknown[]) => lines.push(JSON.stringify(words));
  const validators = openValidators({ adapters: [setting] }, { warn });
  const now = new Date('2035-06-15T12:00:00Z');
  return () => validators.check({ merchant: MERCHANT, code: CODE, source: 'voucherify', now });
}

/** How many validation requests have arrived. */
const validations = () => sandbox.asked.filter(({ method }) => method === 'POST').length;

const OFFLINE = {
  valid: true,
  validatedWith: 'voucherify-offline',
  confirmed: false,
  confidence: 'format-only',
};
const ONLINE = { valid: true, validatedWith: 'voucherify', confirmed: true };

type Answering = Parameters<typeof startSandboxServer>[0];

const reset: Answering = (_asked, response) => response.destroy();
const cutShort: Answering = (_asked, response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"valid":', () => response.destroy());
};
const garbage: Answering = (_asked, response) => response.end('<html>Welcome</html>');
const endless: Answering = (_asked, response) => {
  const writeMore = () => {
    while (response.write('x'.repeat(10_000)));
    response.once('drain', writeMore);
  };
  writeMore();
};
const elsewhere = json({}, 307, { location: '/elsewhere' });

it.each<[string, number, Answering, string]>([
  ['status 500', 2, json({}, 500), 'status 500'],
  ['status 503', 2, json({}, 503), 'status 503'],
  ['a connection that breaks', 2, reset, 'no connection'],
  ['half an answer', 2, cutShort, 'an answer cut short'],
  ['status 401', 1, json({}, 401), 'status 401'],
  ['status 402', 1, json({}, 402), 'status 402'],
  ['status 403', 1, json({}, 403), 'status 403'],
  ['status 404', 1, json({}, 404), 'status 404'],
  ['status 429', 1, json({}, 429), 'too many requests'],
  ['something that is not JSON', 1, garbage, 'an answer that does not read'],
  ['an answer without an end', 1, endless, 'an answer that is too long'],
  ['a redirect', 1, elsewhere, 'status 307'],
])('%s counts as not reached after %s tries', async (_what, tries, answering, reason) => {
  sandbox.answer(answering);
  const verdict = await open()();
  expect(verdict).toMatchObject(OFFLINE);
  expect(verdict.checks[0]).toEqual({
    name: 'provider',
    passed: false,
    text: 'Voucherify could not be reached.',
  });
  expect(sandbox.asked).toHaveLength(tries);
  expect(lines).toEqual([JSON.stringify([{ source: 'voucherify', reason }, 'a validator was not reached'])]);
});

it('counts as not reached when nothing listens at the address', async () => {
  await sandbox.close();
  expect(await open()()).toMatchObject(OFFLINE);
});

it.each([400, 422])('treats a refused request (%i) as an unknown code', async (status) => {
  sandbox.answer(json({ code: status, key: 'invalid_payload' }, status));
  expect(await open()()).toMatchObject({ valid: false, validatedWith: 'voucherify', confidence: 'none' });
});

it('retries once when the first try fails', async () => {
  let tries = 0;
  sandbox.answer((asked, response) => {
    tries += 1;
    if (tries === 1) json({}, 502)(asked, response);
    else good(asked, response);
  });
  expect(await open()()).toMatchObject(ONLINE);
  expect(validations()).toBe(2);
});

describe('a provider that hangs', () => {
  const LIMIT_MS = 500_000;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });

  /**
   * Advances the clock after `asked` requests have arrived; for that it also passes the pause before a retry.
   * @returns the time that the answer took, in milliseconds
   */
  async function timeOf(answer: Promise<unknown>, asked: number): Promise<number> {
    const begun = Date.now();
    const taken = answer.then(() => Date.now() - begun);
    await expect
      .poll(async () => {
        await vi.advanceTimersByTimeAsync(60);
        return validations();
      })
      .toBe(asked);
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    return taken;
  }

  const halfWay: Answering = (_asked, response) => {
    response.write('{"valid":');
  };
  const atRetry: Answering = (asked, response) => {
    if (validations() === 1) json({}, 500)(asked, response);
  };

  it.each([
    ['before its answer', hang, 1],
    ['within its answer', halfWay, 1],
    ['while it is tried again', atRetry, 2],
  ])('%s delays an answer by its time limit', async (_when, answering, tries) => {
    sandbox.answer(answering);
    const verdict = open({ timeoutMs: LIMIT_MS })();
    expect(await timeOf(verdict, tries)).toBe(LIMIT_MS);
    expect(await verdict).toMatchObject(OFFLINE);
    expect(lines.join()).toContain('out of time');
  });

  it('delays many answers by one time limit only', async () => {
    sandbox.answer(hang);
    const check = open({ timeoutMs: LIMIT_MS, concurrency: 3 });
    const verdicts = Promise.all(Array.from({ length: 12 }, check));
    expect(await timeOf(verdicts, 3)).toBe(LIMIT_MS);
    for (const verdict of await verdicts) expect(verdict).toMatchObject(OFFLINE);
    // The other requests are answered at once instead of waiting for their turn.
    expect(validations()).toBe(3);
    expect(lines.filter((line) => line.includes('too many questions at once'))).toHaveLength(9);
  });
});

describe('a provider that keeps failing', () => {
  const OPEN_MS = 30_000;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

  async function failing(failures: number) {
    sandbox.answer(json({}, 401));
    const check = open({ failuresToOpen: 5, openMs: OPEN_MS });
    for (let i = 0; i < failures; i += 1) await check();
    return check;
  }

  it('gets no requests for a while, and then one again', async () => {
    const check = await failing(5);
    sandbox.answer(good);
    expect(await check()).toMatchObject(OFFLINE);
    expect(validations()).toBe(5);
    later(OPEN_MS);
    expect(await check()).toMatchObject(ONLINE);
    expect(await check()).toMatchObject(ONLINE);
    expect(validations()).toBe(7);
  });

  it('gets no requests for another while when that one fails too', async () => {
    const check = await failing(5);
    later(OPEN_MS);
    await check();
    await check();
    expect(validations()).toBe(6);
  });

  it('still gets requests while some of them are answered', async () => {
    const check = await failing(4);
    sandbox.answer(good);
    expect(await check()).toMatchObject(ONLINE);
    sandbox.answer(json({}, 401));
    for (let i = 0; i < 4; i += 1) await check();
    expect(validations()).toBe(9);
  });

  it('still gets requests after requests that it refuses', async () => {
    sandbox.answer(json({}, 400));
    const check = open({ failuresToOpen: 5, openMs: OPEN_MS });
    for (let i = 0; i < 8; i += 1) await check();
    expect(validations()).toBe(8);
  });

  it('answers the others at once while one request tests whether it works again', async () => {
    const check = await failing(5);
    later(OPEN_MS);
    let answerLate: (() => void) | undefined;
    sandbox.answer((asked, response) => {
      answerLate = () => good(asked, response);
    });
    const trial = check();
    while (!answerLate) await sleep(5);
    expect(await check()).toMatchObject(OFFLINE);
    expect(validations()).toBe(6);
    sandbox.answer(good);
    answerLate();
    expect(await trial).toMatchObject(ONLINE);
  });

  it.each([
    ['seconds', () => '120', 120_000],
    ['a date', () => new Date(Date.now() + 120_000).toUTCString(), 120_000],
    ['nothing', () => '', 30_000],
    ['more than we wait', () => '86400', 3_600_000],
    ['seconds, while it is away', () => '120', 120_000, 503],
    ['a date, while it is away', () => new Date(Date.now() + 120_000).toUTCString(), 120_000, 503],
  ])('gets no requests for the time of Retry-After: %s', async (_how, header, pauseMs, status = 429) => {
    // Whole seconds, because an HTTP date has no fractions.
    vi.setSystemTime(new Date('2030-01-01T00:00:00Z'));
    sandbox.answer(json({}, status, { 'retry-after': header() }));
    const check = open();
    expect(await check()).toMatchObject(OFFLINE);
    sandbox.answer(good);
    later(pauseMs - 1_000);
    expect(await check()).toMatchObject(OFFLINE);
    expect(validations()).toBe(1);
    later(1_000);
    expect(await check()).toMatchObject(ONLINE);
  });
});
