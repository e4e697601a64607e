import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Feeds,
  feedsSchema,
  type OwnFeed,
  type OwnValidator,
  type ValidatorList,
  validatorsSchema,
} from '#contract/oversight/sources.ts';
import type { Actor } from '#server/context/context.ts';
import { refreshFeeds } from '#server/coupons/discover/refreshing.ts';
import { followFeeds } from '#server/oversight/sources/feeds.ts';
import { internet, type Network } from '#server/providers/guarded-network.ts';
import type { Feed } from '#server/readers/feeds/feeds.ts';
import { FETCH_LIMITS } from '#server/readers/feeds/guarded-fetch.ts';
import { openFeed } from '#server/readers/feeds/open-feeds.ts';
import type { FeedSetting } from '#server/readers/feeds/settings.ts';
import { besides, createTestApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import {
  CODE,
  KEYS,
  MERCHANT,
  type SandboxServer,
  startSandboxServer,
  voucherify,
} from '#tests/support/voucher-sandbox.ts';
import { aFeed, aValidator } from './source-inputs.ts';

const ROWS = [1, 2, 3, 4].map((number) => `Acme,SAVE${number},Offer ${number}`).join('\n');
const SHOP = 'https://shop.example';

let programme: SandboxServer;
let shop: SandboxServer;
/** Two processes over one database. */
let test: TestApp;
let other: TestApp;
let admin: Actor;
beforeAll(async () => {
  shop = await startSandboxServer(({ url, headers }, response) => {
    if (url === '/locked.csv' && headers.authorization !== 'Bearer k3y') response.writeHead(401);
    response.end(url === '/empty.csv' ? 'merchant,code,title\n' : `merchant,code,title\n${ROWS}\n`);
  });
  programme = await startSandboxServer(
    voucherify({ [CODE]: { discount: { type: 'PERCENT', percent_off: 10 } } }),
  );
  const config = { validatorOrigins: [programme.baseUrl] };
  const settings = { config, providers: { tryFeed: openInShop } };
  test = await createTestApp(settings);
  other = await besides(test, { ...settings, settingsMs: 50 });
  admin = await createUser(test.ctx, { role: 'admin', username: 'nora' });
});
afterAll(async () => {
  await other.close();
  await test.close();
  await shop.close();
  await programme.close();
});

/** One host of the internet is our shop; everything else is as it is. */
function openInShop(setting: FeedSetting): Feed {
  if (!setting.url.startsWith(SHOP)) return openFeed(setting);
  const network: Network = {
    ...internet,
    protocols: ['http:'],
    resolve: async () => ['93.184.216.34'],
    route: () => '127.0.0.1',
  };
  const { port } = new URL(shop.baseUrl);
  const url = setting.url.replace(SHOP, `http://shop.example:${port}`);
  return openFeed({ ...setting, url }, { network, limits: FETCH_LIMITS });
}

async function feeds(app = test): Promise<Feeds> {
  return feedsSchema.parse((await app.trpc(admin, 'query', 'sources.feeds')).json().result.data);
}

async function validators(): Promise<ValidatorList> {
  const answer = await test.trpc(admin, 'query', 'sources.validators');
  return validatorsSchema.parse(answer.json().result.data);
}

/** Calls a mutation as an admin who has just looked. @returns the status and what the server says */
async function act(path: string, input: object): Promise<[number, string?]> {
  const isFeed = path.endsWith('Feed');
  const follows = (await (isFeed ? feeds() : validators())).changeId;
  const answer = await test.trpc(admin, 'mutation', `sources.${path}`, {
    ...(!path.startsWith('try') && { follows }),
    ...input,
  });
  return answer.statusCode === 200 ? [200] : [answer.statusCode, answer.json().error.data.wire.error];
}

const deals = (change: Partial<OwnFeed> = {}): OwnFeed => ({
  ...aFeed,
  url: 'https://shop.example/offers.csv',
  ...change,
});
const put = (change: Partial<OwnFeed> = {}, rest: object = {}) =>
  act('putFeed', { feed: deals(change), isNew: false, ...rest });

/** Lets the job read what is due. */
async function read(): Promise<void> {
  const { deps, ctx } = test;
  await followFeeds({ ...ctx, settings: deps.settings });
  await refreshFeeds({ ...ctx, providers: deps.providers });
}

const everything = async () => {
  const { rows } = await test.database.pool.query<{ text: string }>(
    `select value::text as text from setting_changes union all select details from audit_log
     union all select encode(sealed, 'escape') from setting_keys`,
  );
  return rows.map(({ text }) => text).join();
};

describe('a feed', () => {
  it('is tried first: its first coupons, or the problem, and nothing is stored', async () => {
    const tryIt = async (change: Partial<OwnFeed>, key?: string) =>
      (await test.trpc(admin, 'mutation', 'sources.tryFeed', { feed: deals(change), key })).json().result
        .data;
    expect(await tryIt({})).toEqual({
      problem: null,
      offers: [1, 2, 3].map((number) => ({
        merchant: 'Acme',
        code: `SAVE${number}`,
        title: `Offer ${number}`,
        expiryDate: null,
      })),
    });
    expect(await tryIt({ url: 'https://shop.example/locked.csv' })).toEqual({
      offers: [],
      problem: 'Its server answered with status 401.',
    });
    expect(await tryIt({ url: 'https://shop.example/locked.csv' }, 'k3y')).toMatchObject({ problem: null });
    expect(await tryIt({ url: 'https://shop.example/empty.csv' })).toMatchObject({ offers: [] });
    expect((await feeds()).feeds).toEqual([]);
  });

  it.each(['https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/latest', 'https://0x7f.1/'])(
    'is not fetched from %s',
    async (url) => {
      const answer = await test.trpc(admin, 'mutation', 'sources.tryFeed', { feed: deals({ url }) });
      expect(answer.json().result.data).toEqual({ offers: [], problem: 'Its address is not public.' });
    },
  );

  it.each([
    'http://shop.example/',
    'file:/etc/passwd',
    'https://me:pw@shop.example/',
    'https://{secret}.example/',
  ])('does not have the address %s', async (url) => {
    expect(await put({ url }, { isNew: true })).toEqual([400, expect.stringContaining('https://')]);
  });

  it('is added, for all processes without a restart, and its key is shown to nobody', async () => {
    expect(await put({}, { isNew: true, key: 'k3y-of-the-shop' })).toEqual([200]);
    expect(await put({}, { isNew: true })).toEqual([400, 'This name is taken.']);
    await vi.waitFor(() => expect(other.deps.providers.feeds()).toMatchObject([{ name: 'Deals' }]));
    const shown = await test.trpc(admin, 'query', 'sources.feeds');
    expect(shown.json().result.data.feeds).toMatchObject([{ name: 'Deals', hasKey: true, triedAt: null }]);
    const history = await test.trpc(admin, 'query', 'settings.history', { name: 'feeds' });
    expect(history.json().result.data).toMatchObject([
      { by: 'nora', text: expect.stringContaining('Deals') },
    ]);
    expect([shown.body, history.body, await everything()].join()).not.toContain('k3y');
  });

  it('keeps its key for the same request alone', async () => {
    expect(await put({ everyHours: 12 })).toEqual([200]);
    await read();
    expect(shop.asked.at(-1)?.headers.authorization).toBe('Bearer k3y-of-the-shop');
    const again = 'Type the key again: it was typed for another address or other settings.';
    const elsewhere = { url: 'https://evil.example/' };
    expect(await put(elsewhere)).toEqual([400, again]);
    expect(await put({ more: { headers: { 'x-copy': '{secret}' } } })).toEqual([400, again]);
    expect(await act('tryFeed', { feed: deals(elsewhere) })).toEqual([400, again]);
    expect(await put({}, { key: null })).toEqual([200]);
    expect((await feeds()).feeds).toMatchObject([{ hasKey: false, feed: { everyHours: 6 } }]);
  });

  it('says what is wrong when its stored key fits no longer', async () => {
    await put({}, { key: 'k3y' });
    await test.database.pool.query("update setting_keys set bound_to = repeat('0', 64)");
    const reopened = await besides(test);
    const [feed] = reopened.deps.providers.feeds();
    await expect(feed?.fetch({ etag: null, lastModified: null })).rejects.toThrow('Type it again');
    await reopened.close();
    await put({}, { key: null });
  });

  it('is paused, and goes on', async () => {
    await put({ isPaused: true });
    expect(test.deps.providers.feeds()).toEqual([]);
    await put({ isPaused: false });
    expect(test.deps.providers.feeds()).toMatchObject([{ name: 'Deals' }]);
  });

  const offers = async () =>
    (await test.database.pool.query('select code from feed_offers order by id')).rows.map(({ code }) => code);

  it('is read, and takes its coupons along when it is removed, and back when that is undone', async () => {
    await read();
    expect(await offers()).toEqual(['SAVE1', 'SAVE2', 'SAVE3', 'SAVE4']);
    const at = test.ctx.clock().toISOString();
    expect((await feeds()).feeds).toMatchObject([{ offers: 4, triedAt: at, readAt: at, problem: null }]);
    expect(await act('removeFeed', { name: 'Deals' })).toEqual([200]);
    expect([await offers(), (await feeds()).feeds]).toEqual([[], []]);
    expect(await act('removeFeed', { name: 'Deals' })).toEqual([404, expect.any(String)]);
    const id = (await feeds()).changeId;
    expect((await test.trpc(admin, 'mutation', 'settings.undo', { id })).statusCode).toBe(200);
    await read();
    expect(await offers()).toHaveLength(4);
  });

  it('is not changed by who has not seen the latest change', async () => {
    const answer = await act('removeFeed', { name: 'Deals', follows: 1 });
    expect(answer).toEqual([409, expect.stringContaining('changed this setting')]);
  });

  it('is shown, and cannot be changed, where the operator’s file sets it up', async () => {
    const locked = await besides(test, { config: { setIn: { environment: ['FEEDS_FILE'], folder: [] } } });
    expect(await feeds(locked)).toMatchObject({ lockedBy: 'FEEDS_FILE', feeds: [] });
    const { changeId: follows } = await feeds();
    const input = { feed: deals(), isNew: false, follows };
    expect((await locked.trpc(admin, 'mutation', 'sources.putFeed', input)).statusCode).toBe(409);
    await locked.close();
  });
});

describe('a validator', () => {
  const account = (change: Partial<OwnValidator> = {}): OwnValidator => ({
    ...aValidator,
    baseUrl: programme.baseUrl,
    merchants: [MERCHANT],
    appId: KEYS.id,
    ...change,
  });
  const putValidator = (change: Partial<OwnValidator> = {}, rest: object = {}) =>
    act('putValidator', { validator: account(change), isNew: true, ...rest });

  const asked = async (app: TestApp) => {
    const question = { merchant: MERCHANT, code: CODE, source: 'auto', now: test.ctx.clock() } as const;
    return (await app.deps.providers.validators.check(question)).validatedWith;
  };

  it('sends codes only where the operator allows it', async () => {
    const refused = [400, expect.stringContaining('VALIDATOR_ORIGINS')];
    expect(await putValidator({ baseUrl: 'https://evil.example' }, { key: 'k' })).toEqual(refused);
    expect(await putValidator({ baseUrl: `${programme.baseUrl}@evil.example` }, { key: 'k' })).toEqual(
      refused,
    );
    const trial = { validator: account({ baseUrl: 'https://evil.example' }), merchant: MERCHANT, code: CODE };
    expect(await act('tryValidator', { ...trial, key: 'k' })).toEqual(refused);
    expect(await putValidator({ merchants: [] }, { key: 'k' })).toEqual([400, expect.any(String)]);
    expect(programme.asked).toEqual([]);
  });

  it('is tried first, and then asked by all processes without a restart', async () => {
    const trial = { validator: account(), key: KEYS.token, merchant: MERCHANT, code: CODE };
    const tried = await test.trpc(admin, 'mutation', 'sources.tryValidator', trial);
    expect(tried.json().result.data).toMatchObject({ isValid: true });
    expect(await asked(test)).toBe('pattern');
    expect(await putValidator({}, { key: KEYS.token })).toEqual([200]);
    expect(await asked(test)).toBe('voucherify');
    await vi.waitFor(async () => expect(await asked(other)).toBe('voucherify'));
    expect((await validators()).validators).toMatchObject([{ hasKey: true, problem: null, coupons: 0 }]);
    expect(await everything()).not.toContain(KEYS.token);
  });

  it('is not asked while it is paused or its address is no longer allowed, or once it is removed', async () => {
    expect(await putValidator({ isPaused: true }, { isNew: false })).toEqual([200]);
    expect(await asked(test)).toBe('pattern');
    await putValidator({}, { isNew: false });
    const strict = await besides(test);
    expect(await asked(strict)).toBe('pattern');
    await strict.close();
    expect(await asked(test)).toBe('voucherify');
    expect(await act('removeValidator', { name: account().name })).toEqual([200]);
    expect(await asked(test)).toBe('pattern');
  });
});
