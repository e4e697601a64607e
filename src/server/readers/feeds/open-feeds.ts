import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { internet, type Network } from '#server/providers/guarded-network.ts';
import { decideDates, type UndatedRow } from './dating.ts';
import { type Feed, FeedRefusal, type FeedVersion, type FetchedFeed } from './feeds.ts';
import {
  FETCH_LIMITS,
  type FetchAnswer,
  type FetchLimits,
  type FetchRequest,
  guardedFetch,
} from './guarded-fetch.ts';
import { PRESETS } from './presets.ts';
import { orderOf, readRows, readUndated } from './rows.ts';
import type { FeedSetting } from './settings.ts';

/** A paged feed ends with an empty page; one with more pages than this is incomplete. */
const MAX_PAGES = 200;

interface FetchSetup {
  readonly network: Network;
  readonly limits: FetchLimits;
}

const NORMAL: FetchSetup = { network: internet, limits: FETCH_LIMITS };

/** Opens the configured feeds. `setup` lets tests replace the network and its limits. */
export function openFeeds(settings: readonly FeedSetting[], setup: FetchSetup = NORMAL): readonly Feed[] {
  return settings.map((setting) => openFeed(setting, setup));
}

/** For somebody who waits for the first rows of a feed. */
export const TRY_LIMITS: FetchLimits = {
  connectMs: 5_000,
  idleMs: 10_000,
  totalMs: 20_000,
  maxBytes: 20_000_000,
};

/** Opens one feed; `setup` as of `openFeeds`. */
export function openFeed(setting: FeedSetting, setup: FetchSetup = NORMAL): Feed {
  const { name, everyHours, url } = setting;
  const pages = setting.pageParameter ?? networkPages(setting);
  const fetch = (known: FeedVersion) => {
    if (url.startsWith('file:')) return readFile(setting, known);
    return pages ? fetchPages(setting, pages, setup) : fetchWhole(setting, known, setup);
  };
  return { name, everyHours, fetch };
}

/** The page parameter of a network's API; its tables come as a whole. */
function networkPages({ network, format }: FeedSetting): string | null {
  return network && (format === 'json' || format === 'xml') ? PRESETS[network].pageParameter : null;
}

/** Changes with the settings, so that a feed with new settings is read again. */
function digestOf(setting: FeedSetting): string {
  return createHash('sha256').update(JSON.stringify(setting)).digest('base64url').slice(0, 12);
}

/** The server's validators, prefixed by the digest of the settings. */
function versionOf(setting: FeedSetting, etag: string | null, lastModified: string | null): FeedVersion {
  return { etag: `${digestOf(setting)} ${etag ?? ''}`, lastModified };
}

/** What to send back to the server; nothing if the settings have changed. */
function knownVersion(setting: FeedSetting, known: FeedVersion): FeedVersion {
  const [digest, ...etag] = known.etag?.split(' ') ?? [];
  if (digest !== digestOf(setting)) return { etag: null, lastModified: null };
  return { etag: etag.join(' ') || null, lastModified: known.lastModified };
}

async function fetchWhole(setting: FeedSetting, known: FeedVersion, setup: FetchSetup): Promise<FetchedFeed> {
  const { etag, lastModified } = knownVersion(setting, known);
  const answer = await send(
    requestOf(setting, {
      ...(etag !== null && { 'if-none-match': etag }),
      ...(lastModified !== null && { 'if-modified-since': lastModified }),
    }),
    setup,
  );
  if (answer.isUnchanged) return answer;
  const version = versionOf(setting, answer.etag, answer.lastModified);
  return { isUnchanged: false, version, rows: readRows(answer.body, setting) };
}

/** Paged feeds have no version: any page may have changed. */
async function fetchPages(setting: FeedSetting, parameter: string, setup: FetchSetup): Promise<FetchedFeed> {
  const first = await fetchPage(setting, parameter, 1, setup);
  return {
    isUnchanged: false,
    version: { etag: null, lastModified: null },
    rows: decideDates(
      readPages(first, (page) => fetchPage(setting, parameter, page, setup)),
      orderOf(setting),
    ),
  };
}

async function* readPages(
  first: AsyncIterable<UndatedRow>,
  fetchNext: (page: number) => Promise<AsyncIterable<UndatedRow>>,
): AsyncGenerator<UndatedRow> {
  let rows = first;
  let count = 0;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const before = count;
    for await (const row of rows) {
      count += 1;
      yield { ...row, line: count };
    }
    if (count === before) return;
    rows = await fetchNext(page + 1);
  }
  throw new FeedRefusal(`It has more than ${MAX_PAGES} pages.`);
}

async function fetchPage(
  setting: FeedSetting,
  parameter: string,
  page: number,
  setup: FetchSetup,
): Promise<AsyncIterable<UndatedRow>> {
  const given = requestOf(setting, {});
  const paged = setting.body
    ? { ...given, body: withPage(setting.body, parameter.split('.'), page) }
    : { ...given, url: withParameter(given.url, parameter, page) };
  const answer = await send(paged, setup);
  if (answer.isUnchanged)
    throw new FeedRefusal('Its server says that a page has not changed, which was not asked.');
  return readUndated(answer.body, setting);
}

function withParameter(url: string, name: string, page: number): string {
  const paged = new URL(url);
  paged.searchParams.set(name, String(page));
  return paged.href;
}

/** Sets the page number at a path of the body. */
function withPage(
  body: Record<string, unknown>,
  [key = '', ...path]: readonly string[],
  page: number,
): object {
  const inner = body[key];
  if (path.length === 0) return { ...body, [key]: page };
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return { ...body, [key]: withPage(isObject ? { ...inner } : {}, path, page) };
}

function requestOf(setting: FeedSetting, conditions: Record<string, string>): FetchRequest {
  const { url, method, headers, body } = setting;
  return { url, method, headers: { ...conditions, ...headers }, ...(body && { body }) };
}

function send(given: FetchRequest, { limits, network }: FetchSetup): Promise<FetchAnswer> {
  return guardedFetch(given, limits, network);
}

/** A local file; its modification time and size are its version. */
async function readFile(setting: FeedSetting, known: FeedVersion): Promise<FetchedFeed> {
  const file = setting.url.slice('file:'.length);
  try {
    const { mtimeMs, size } = await stat(file);
    const etag = `${mtimeMs}-${size}`;
    if (knownVersion(setting, known).etag === etag) return { isUnchanged: true };
    return {
      isUnchanged: false,
      version: versionOf(setting, etag, null),
      rows: readRows(createReadStream(file), setting),
    };
  } catch {
    throw new FeedRefusal('Its file cannot be read.');
  }
}
