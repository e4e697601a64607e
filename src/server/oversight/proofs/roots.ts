import { randomBytes } from 'node:crypto';
import { NO_HASH, type RootFacts, rootText } from '#contract/oversight/proof-lines.ts';
import { ROOT_TYPE } from '#contract/oversight/proofs.ts';
import type { Context } from '#server/context/context.ts';
import { utcDay } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { sign } from '#server/coupons/exposures/service.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import { figuresOf } from './books.ts';
import { createGroups, createLedgerHash, hashOf } from './hashing.ts';
import * as store from './store.ts';

const AT_ONCE = 5_000;

/** What a stored root says. */
export function factsOf(row: Omit<store.RootRow, 'root' | 'signature'>): RootFacts {
  return {
    day: row.day,
    madeAt: row.madeAt.toISOString(),
    previous: row.previous.toString('hex'),
    chains: row.chains,
    chainsHash: hashOf(row.groups),
    journals: row.journals,
    ledgerHash: row.ledger.toString('hex'),
    booksHash: sha256(row.books),
  };
}

/**
 * Makes the root of today: over the heads of all chains that have grown since the last one, the journals of the ledger up
 * to now, the day's open books, and the root before. A second call on the same day does nothing.
 * @returns the day, or null
 */
export async function makeRoot(
  ctx: Pick<Context, 'db' | 'vault' | 'clock'>,
  atOnce = AT_ONCE,
): Promise<string | null> {
  const madeAt = ctx.clock();
  const day = utcDay(madeAt);
  const isMade = (latest: store.RootRow | undefined) => latest !== undefined && latest.day >= day;
  if (isMade(await store.findLatestRoot(ctx.db))) return null;
  const end = await inTransaction(ctx.db, store.endOfJournals);
  return inTransaction(ctx.db, async (trx) => {
    await store.lockRoots(trx);
    const before = await store.findLatestRoot(trx);
    if (isMade(before)) return null;
    // Another process may have made yesterday's in between.
    const journalsEnd = Math.max(end, before?.journalsEnd ?? 0);
    const chains = await placeAll(trx, day, atOnce);
    const salt = randomBytes(32);
    const row = {
      ...{ day, madeAt, chains, journalsEnd, salt },
      previous: before?.root ?? Buffer.from(NO_HASH, 'hex'),
      groups: await groupsOf(trx, day),
      journals: await store.countJournals(trx, journalsEnd),
      ledger: await ledgerHash(trx, { before, journalsEnd, salt }),
      books: JSON.stringify(await figuresOf(trx, madeAt)),
    };
    const facts = factsOf(row);
    const root = sha256(rootText(facts));
    const signature = await sign({ db: trx, vault: ctx.vault }, ROOT_TYPE, { ...facts, root });
    await store.insertRoot(trx, { ...row, root: Buffer.from(root, 'hex'), signature });
    return day;
  });
}

/** In parts, so that no statement takes long. @returns how many chains have grown since the last roots */
async function placeAll(trx: Trx, day: string, limit: number): Promise<number> {
  let place = 0;
  for (let after: string | null = null; ; ) {
    const { placed, last } = await store.placeChains(trx, { day, after, place, limit });
    place += placed;
    if (last === null) return place;
    after = last;
  }
}

/** The hashes of the groups of a day's chains, one after the other. */
export async function groupsOf(db: Database | Trx, day: string): Promise<Buffer> {
  const groups = createGroups();
  for (let from: number | undefined = 0; from !== undefined; ) {
    const rows = await store.listRooted(db, { day, from, limit: AT_ONCE });
    for (const row of rows) groups.add(row);
    const last: number | undefined = rows.at(-1)?.place;
    from = last === undefined ? undefined : last + 1;
  }
  return groups.finish();
}

/** The hash of the ledger at a root, from the root before it. */
export async function ledgerHash(
  db: Database | Trx,
  given: {
    before: Pick<store.RootRow, 'ledger' | 'journalsEnd'> | undefined;
    journalsEnd: number;
    salt: Buffer;
  },
): Promise<Buffer> {
  const { before, journalsEnd: end, salt } = given;
  const hash = createLedgerHash(before?.ledger ?? Buffer.from(NO_HASH, 'hex'), salt);
  for (let after: number | undefined = before?.journalsEnd ?? 0; after !== undefined; ) {
    const lines = await store.listJournalLines(db, { after, end, limit: AT_ONCE });
    for (const { line } of lines) hash.add(line);
    after = lines.at(-1)?.id;
  }
  return hash.finish();
}
