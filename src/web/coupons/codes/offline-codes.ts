import { clear, createStore, entries, get, promisifyRequest, set, type UseStore, update } from 'idb-keyval';
import {
  OFFLINE_CODES_DAYS,
  type OfflineCode,
  type OfflineCodes,
  REPORTED_VIEWS_MAX,
} from '#contract/coupons/offline-codes.ts';
import { hasOfflineCodes, noteOfflineCodes } from '#web/lib/viewer-storage.ts';

/*
 * The codes of one's coupons on this device, for tills without a network. They are in IndexedDB, each encrypted under a
 * key that scripts can use and not read. They go at the sign-out, when another account signs in, when the server says so,
 * and where the device has not reached it for OFFLINE_CODES_DAYS.
 */

const DAY_MS = 86_400_000;

/** What the device keeps, and for whom. */
interface Settings {
  readonly userId: number;
  /** Null: all. */
  readonly only: readonly number[] | null;
  readonly key: CryptoKey;
  readonly keyId: string;
  /** When the server was reached last, by `timeNow`. */
  readonly reachedAt: number;
}

interface SealedCode {
  readonly version: string;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

interface ShownView {
  readonly couponId: number;
  /** By `timeNow`. */
  readonly at: number;
}

/** The latest time, and what the device's clock said then; in milliseconds since 1970. */
interface Clock {
  readonly latest: number;
  readonly device: number;
}

const SETTINGS = 'settings';
const VIEWS = 'views';
const CLOCK = 'clock';
const nameOf = (id: number) => `code-${id}`;
const idOf = (name: IDBValidKey) => Number(/^code-(\d+)$/.exec(String(name))?.[1] ?? Number.NaN);

let opened: UseStore | undefined;
const store = () => {
  opened ??= createStore('clipswap-codes', 'codes');
  return opened;
};

/**
 * The time by the device's clock; where that was set back, the time goes on from the latest that was seen. In milliseconds,
 * good for ages alone.
 */
async function timeNow(): Promise<number> {
  const device = Date.now();
  let latest = device;
  await update<Clock>(
    CLOCK,
    (seen) => {
      if (seen) latest = seen.latest + Math.max(0, device - seen.device);
      return { latest, device };
    },
    store(),
  );
  return latest;
}

async function settingsOf(userId: number): Promise<Settings | undefined> {
  if (!hasOfflineCodes()) return undefined;
  const settings = await get<Settings>(SETTINGS, store());
  const isTheirs = settings?.userId === userId;
  if (isTheirs && (await timeNow()) - settings.reachedAt < OFFLINE_CODES_DAYS * DAY_MS) return settings;
  await forgetCodes();
  return undefined;
}

/** Which codes are offline for this person. */
interface OfflineState extends Pick<Settings, 'only'> {
  readonly count: number;
  /** When the server was reached last, by the clock of the device as it is now. */
  readonly reachedAt: number;
}

/** Which codes are offline for this person; null: none. @throws DOMException where the browser stores nothing */
export async function offlineState(userId: number): Promise<OfflineState | null> {
  const settings = await settingsOf(userId);
  if (!settings) return null;
  const age = (await timeNow()) - settings.reachedAt;
  return { only: settings.only, reachedAt: Date.now() - age, count: (await knownCodes()).length };
}

/** Keeps the codes of these coupons from now on; null: of all. @throws where the browser keeps nothing, or is full */
export async function chooseCodes(userId: number, only: readonly number[] | null): Promise<void> {
  const before = await settingsOf(userId);
  const key =
    before?.key ??
    (await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']));
  const keyId = before?.keyId ?? crypto.randomUUID();
  const reachedAt = before?.reachedAt ?? (await timeNow());
  await set(SETTINGS, { userId, only, key, keyId, reachedAt } satisfies Settings, store());
  noteOfflineCodes(true);
  if (!hasOfflineCodes())
    throw new DOMException('The note that there are codes was not stored', 'QuotaExceededError');
}

/** Forgets every code and the key. */
export async function forgetCodes(): Promise<void> {
  noteOfflineCodes(false);
  await clear(store());
}

/** The calls of the server that a device needs. */
export interface CodesServer {
  readonly keep: (given: {
    known: { id: number; version: string }[];
    only: number[] | null;
  }) => Promise<OfflineCodes>;
  readonly report: (views: { couponId: number; secondsAgo: number }[]) => Promise<unknown>;
}

/**
 * Reports what was shown without the network, gets new codes and forgets those that the server no longer gives.
 * @throws where the server cannot be reached or refuses, or the device is full
 */
export async function refreshCodes(userId: number, server: CodesServer): Promise<void> {
  const settings = await settingsOf(userId);
  if (!settings) return;
  await reportViews(server);
  for (;;) {
    const known = await knownCodes();
    const only = settings.only && [...settings.only];
    const { codes, gone, hasMore } = await server.keep({ known, only });
    const sealed = await Promise.all(
      codes.map(async (code) => [nameOf(code.id), await seal(settings.key, code)] as const),
    );
    const isWanted = await storeWanted(settings, gone, sealed, await timeNow());
    if (!hasMore || !isWanted) return;
  }
}

/**
 * Stores what the server has answered, in one transaction, unless the codes were forgotten while it was asked: at a
 * sign-out, for example. Answers whether they are still wanted.
 */
function storeWanted(
  { keyId }: Settings,
  gone: readonly number[],
  sealed: readonly (readonly [string, SealedCode])[],
  reachedAt: number,
): Promise<boolean> {
  return store()('readwrite', async (codes) => {
    const now: Settings | undefined = await promisifyRequest(codes.get(SETTINGS));
    if (now?.keyId !== keyId) return false;
    for (const id of gone) codes.delete(nameOf(id));
    for (const [name, code] of sealed) codes.put(code, name);
    codes.put({ ...now, reachedAt }, SETTINGS);
    await promisifyRequest(codes.transaction);
    return true;
  });
}

async function knownCodes(): Promise<{ id: number; version: string }[]> {
  const all = await entries<IDBValidKey, SealedCode>(store());
  return all
    .map(([name, { version }]) => ({ id: idOf(name), version }))
    .filter(({ id }) => Number.isInteger(id));
}

async function reportViews(server: CodesServer): Promise<void> {
  const views = (await get<ShownView[]>(VIEWS, store())) ?? [];
  if (views.length === 0) return;
  const now = await timeNow();
  await server.report(
    views.map(({ couponId, at }) => ({ couponId, secondsAgo: Math.max(0, Math.round((now - at) / 1_000)) })),
  );
  await update<ShownView[]>(VIEWS, (later = []) => later.slice(views.length), store());
}

async function seal(key: CryptoKey, code: OfflineCode): Promise<SealedCode> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const bytes = new TextEncoder().encode(JSON.stringify(code));
  return {
    version: code.version,
    iv,
    sealed: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, bytes),
  };
}

async function open(key: CryptoKey, { iv, sealed }: SealedCode): Promise<OfflineCode> {
  const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed);
  // What is kept since an earlier release does not say what was drawn.
  return { drawn: [], ...JSON.parse(new TextDecoder().decode(bytes)) };
}

/** What the device keeps of a coupon of this person's; null for nothing. */
export async function offlineCode(userId: number, couponId: number): Promise<OfflineCode | null> {
  const settings = await settingsOf(userId);
  const sealed = settings && (await get<SealedCode>(nameOf(couponId), store()));
  return sealed ? open(settings.key, sealed) : null;
}

/** All that the device keeps for this person. */
export async function offlineCodes(userId: number): Promise<OfflineCode[]> {
  const settings = await settingsOf(userId);
  if (!settings) return [];
  const all = await entries<IDBValidKey, SealedCode>(store());
  const codes = all.filter(([name]) => Number.isInteger(idOf(name)));
  return Promise.all(codes.map(([, sealed]) => open(settings.key, sealed)));
}

/** Notes that an offline code was shown; it is reported when the network is back. */
export async function noteView(couponId: number): Promise<void> {
  const at = await timeNow();
  await update<ShownView[]>(
    VIEWS,
    (views = []) => [...views.slice(1 - REPORTED_VIEWS_MAX), { couponId, at }],
    store(),
  );
}
