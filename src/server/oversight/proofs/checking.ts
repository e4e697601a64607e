import { NO_HASH, rootText } from '#contract/oversight/proof-lines.ts';
import { ROOT_TYPE } from '#contract/oversight/proofs.ts';
import type { Context } from '#server/context/context.ts';
import { sha256 } from '#server/core/crypto.ts';
import { hashesOf, verify } from '#server/coupons/exposures/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { checkMarketDays } from '#server/deals/market-days/service.ts';
import * as checkingStore from './checking-store.ts';
import { factsOf, groupsOf, ledgerHash } from './roots.ts';
import * as store from './store.ts';

const AT_ONCE = 1_000;
const ROWS_SHOWN = 20;

export interface ProofsReport {
  readonly chains: number;
  readonly entries: number;
  readonly statements: number;
  readonly roots: number;
  readonly marketDays: number;
  /** Broken rules with offending rows; empty when everything proves right. */
  readonly broken: readonly { readonly rule: string; readonly rows: readonly unknown[] }[];
}

type Note = (rule: string, row: unknown) => void;

/**
 * Computes every hash again from the rows alone, and compares: entries, chains, statements that were handed out, daily
 * roots, their signatures, and the ledger's journals in them. It trusts no function of the database.
 */
export async function checkProofs(ctx: Pick<Context, 'db'>): Promise<ProofsReport> {
  const found = new Map<string, unknown[]>();
  const note: Note = (rule, row) => {
    const rows = found.get(rule) ?? [];
    if (rows.length < ROWS_SHOWN) rows.push(row);
    found.set(rule, rows);
  };
  return inTransaction(ctx.db, async (trx) => {
    await checkingStore.useSnapshot(trx);
    const counts = await checkChains(trx, note);
    const roots = await checkRoots(trx, note);
    for (const { rule, rows } of await checkingStore.checkRules(trx)) {
      for (const row of rows) note(rule, row);
    }
    const marketDays = await checkMarketDays(trx);
    for (const fault of marketDays.faults)
      note('every market day was the best, and as was said of it', fault);
    const statements = await checkingStore.countStatements(trx);
    return {
      ...counts,
      statements,
      roots,
      marketDays: marketDays.count,
      broken: [...found].map(([rule, rows]) => ({ rule, rows })),
    };
  });
}

async function checkChains(trx: Trx, note: Note): Promise<{ chains: number; entries: number }> {
  let [chains, entries] = [0, 0];
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined; ) {
    const page: checkingStore.CheckedChain[] = await checkingStore.listChains(trx, after, AT_ONCE);
    const ids = page.map(({ id }) => id);
    const byChain = groupByChain(await checkingStore.listEntriesOf(trx, ids));
    const promises = groupByChain(await checkingStore.listPromises(trx, ids));
    for (const chain of page) {
      const own = byChain.get(chain.id) ?? [];
      checkChain(chain, own, promises.get(chain.id) ?? [], note);
      entries += own.length;
    }
    chains += page.length;
    after = ids.at(-1);
  }
  return { chains, entries };
}

function groupByChain<Row extends { readonly chainId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.chainId);
    if (group) group.push(row);
    else groups.set(row.chainId, [row]);
  }
  return groups;
}

function checkChain(
  { id, couponId, length, head }: checkingStore.CheckedChain,
  entries: readonly checkingStore.CheckedEntry[],
  promises: readonly checkingStore.PromisedHead[],
  note: Note,
): void {
  const row = { chain: id, coupon: couponId };
  const hashes = hashesOf(id, entries);
  const wrong = entries.findIndex(
    ({ seq, hash }, index) => seq !== index + 1 || hash.toString('hex') !== hashes[index],
  );
  if (wrong >= 0)
    note('every entry has the hash of itself and of the one before', { ...row, entry: wrong + 1 });
  if (entries.length !== length || hashes.at(-1) !== head.toString('hex'))
    note('every chain ends with its last entry', { ...row, length, entries: entries.length });
  for (const promised of promises) {
    if (hashes[promised.length - 1] !== promised.head.toString('hex'))
      note('every chain still begins as was said of it', {
        ...row,
        length: promised.length,
        by: promised.by,
      });
  }
}

async function checkRoots(trx: Trx, note: Note): Promise<number> {
  let count = 0;
  let before: store.RootRow | undefined;
  for (let day: string | undefined = '0001-01-01'; day !== undefined; ) {
    const page: store.RootRow[] = await store.listRootsAfter(trx, { day, limit: AT_ONCE });
    for (const root of page) {
      await checkRoot(trx, { root, before }, note);
      before = root;
    }
    count += page.length;
    day = page.at(-1)?.day;
  }
  return count;
}

async function checkRoot(
  trx: Trx,
  { root, before }: { root: store.RootRow; before: store.RootRow | undefined },
  note: Note,
): Promise<void> {
  const { day } = root;
  const facts = factsOf(root);
  if (facts.previous !== (before?.root.toString('hex') ?? NO_HASH))
    note('every daily root follows the one before', { day });
  const { count, last } = await checkingStore.countPlaces(trx, day);
  if (count !== root.chains || last !== count - 1 || !(await groupsOf(trx, day)).equals(root.groups))
    note('every daily root has its chains', { day, chains: root.chains, found: count });
  const { journalsEnd, salt } = root;
  const ledger = await ledgerHash(trx, { before, journalsEnd, salt });
  const journals = await store.countJournals(trx, journalsEnd);
  if (!ledger.equals(root.ledger) || journals !== root.journals)
    note('the ledger is as every daily root saw it', { day, journals: root.journals, found: journals });
  const hash = sha256(rootText(facts));
  const said = await verify({ db: trx }, ROOT_TYPE, root.signature);
  const isSigned = JSON.stringify(said) === JSON.stringify({ ...facts, root: hash });
  if (hash !== root.root.toString('hex') || !isSigned) note('every daily root is signed as it is', { day });
}
