import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { internet, type Network } from '#server/providers/guarded-network.ts';
import type { FeedVersion, FetchedFeed } from './feeds.ts';
import { FETCH_LIMITS } from './guarded-fetch.ts';
import { openFeeds } from './open-feeds.ts';
import type { FeedSetting } from './settings.ts';

const reach = {
  limits: FETCH_LIMITS,
  network: {
    ...internet,
    protocols: ['http:'],
    resolve: async () => ['93.184.216.34'],
    route: () => '127.0.0.1',
  } satisfies Network,
};

const NEVER: FeedVersion = { etag: null, lastModified: null };

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A feed whose server gives this answer. */
async function feedOf(
  answer: (request: IncomingMessage) => Answer | Promise<Answer>,
  given: Partial<FeedSetting> = {},
) {
  server = createServer(async (request, response) => {
    const { status = 200, headers = {}, body = '' } = await answer(request);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const setting: FeedSetting = {
    name: 'shop',
    url: `http://feeds.example:${port}/feed?key=1`,
    format: 'csv',
    method: 'GET',
    headers: {},
    everyHours: 6,
    ...given,
  };
  const open = (changes: Partial<FeedSetting> = {}) => {
    const [feed] = openFeeds([{ ...setting, ...changes }], reach);
    if (!feed) throw new Error('no feed');
    return feed;
  };
  return { open, setting };
}

/** The codes of a fetched feed with their lines. */
async function codesOf(fetched: FetchedFeed): Promise<string[]> {
  if (fetched.isUnchanged) throw new Error('unchanged');
  const codes: string[] = [];
  for await (const row of fetched.rows)
    codes.push(`${row.line} ${'offer' in row ? row.offer.code : row.problem}`);
  return codes;
}

const CSV = 'merchant,code,title\nAcme,A,first\nAcme,B,second\n';

it('is fetched once per version, and again when its settings change', async () => {
  const { open } = await feedOf(({ headers }) => {
    const isKnown = headers['if-none-match'] === '"a b"' && headers['if-modified-since'] === 'yesterday';
    return isKnown
      ? { status: 304 }
      : { headers: { etag: '"a b"', 'last-modified': 'yesterday' }, body: CSV };
  });
  const first = await open().fetch(NEVER);
  expect(await codesOf(first)).toEqual(['2 A', '3 B']);
  const version = first.isUnchanged ? NEVER : first.version;
  expect(await open().fetch(version)).toEqual({ isUnchanged: true });
  expect(await codesOf(await open({ fields: { code: ['title'] } }).fetch(version))).toEqual([
    '2 first',
    '3 second',
  ]);
});

const page = (...codes: string[]) => ({
  body: JSON.stringify({
    data: codes.map((code) => ({ advertiser: { name: 'Acme' }, title: 'x', voucher: { code } })),
  }),
});

it('is read page by page with a page number in the body', async () => {
  const asked: unknown[] = [];
  const pages = [page('A', 'B'), page('C'), page()];
  const { open } = await feedOf(
    async (request) => {
      asked.push(await json(request));
      return pages.shift() ?? {};
    },
    {
      format: 'json',
      network: 'awin',
      method: 'POST',
      body: { filters: { type: 'voucher' }, pagination: { pageSize: 2 } },
    },
  );
  expect(await codesOf(await open().fetch(NEVER))).toEqual(['1 A', '2 B', '3 C']);
  expect(asked).toEqual(
    [1, 2, 3].map((number) => ({ filters: { type: 'voucher' }, pagination: { pageSize: 2, page: number } })),
  );
});

it('is read page by page with a page number in the address, and refused when a page fails', async () => {
  const asked: (string | undefined)[] = [];
  const { open } = await feedOf(
    ({ url }) => {
      asked.push(url);
      return asked.length === 1 ? page('A') : { status: 500 };
    },
    { format: 'json', network: 'awin', pageParameter: 'p' },
  );
  await expect(codesOf(await open().fetch(NEVER))).rejects.toThrow('status 500');
  expect(asked).toEqual(['/feed?key=1&p=1', '/feed?key=1&p=2']);
});

it('sends the headers of the settings', async () => {
  const { open } = await feedOf(
    ({ headers }) => ({ body: `merchant,code,title\nAcme,${headers['x-key']},x` }),
    {
      headers: { 'X-Key': 'K1' },
    },
  );
  expect(await codesOf(await open().fetch(NEVER))).toEqual(['2 K1']);
});

it('reads a local file, and again when it changes', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'feed-file-'));
  try {
    const file = path.join(folder, 'offers.csv');
    writeFileSync(file, CSV);
    const { open } = await feedOf(() => ({}), { url: `file:${file}` });
    const first = await open().fetch(NEVER);
    expect(await codesOf(first)).toEqual(['2 A', '3 B']);
    const version = first.isUnchanged ? NEVER : first.version;
    expect(await open().fetch(version)).toEqual({ isUnchanged: true });
    writeFileSync(file, `${CSV}Acme,C,third\n`);
    expect(await codesOf(await open().fetch(version))).toEqual(['2 A', '3 B', '4 C']);
    await expect(open({ url: `file:${folder}/missing.csv` }).fetch(NEVER)).rejects.toThrow('cannot be read');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
