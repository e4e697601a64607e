/*
 * What the hashes of exposures and daily roots are made of: lines of text, which browser, server and anybody else can
 * write. docs/proofs.md describes them for others. No zod: pages import it.
 */

/** What can happen to a code. `listed`: its owner gave it; `known`: the same code was here before; `kept`: a device of a
 * person's keeps it; `taken_over`: the entries before come from records that had no chain yet. */
export const EXPOSURE_KINDS = [
  'listed',
  'known',
  'shown',
  'kept',
  'handed_over',
  'reissued',
  'taken_over',
] as const;
export type ExposureKind = (typeof EXPOSURE_KINDS)[number];

/** One entry of a chain. */
export interface ExposureEntry {
  readonly kind: ExposureKind;
  /** When, as an ISO instant with milliseconds in UTC. */
  readonly at: string;
  /** The number of a person within the chain, from 1; null where nobody saw the code. */
  readonly person: number | null;
}

/** What the first entry of a chain, and the first root, follow. */
export const NO_HASH = '0'.repeat(64);

/**
 * The text whose SHA-256 is the hash of an entry.
 * @param seq its place in the chain, from 1
 * @param previous the hash of the entry before it, in hex; NO_HASH for the first
 */
export function entryText(
  chain: string,
  seq: number,
  { kind, person, at }: ExposureEntry,
  previous: string,
): string {
  return ['clipswap exposure 1', chain, seq, kind, person ?? '-', at, previous].join('\n');
}

/** The text whose SHA-256 is the leaf of a chain in a daily root. @param head the hash of its last entry, in hex */
export function leafText(chain: string, length: number, head: string): string {
  return ['clipswap leaf 1', chain, length, head].join('\n');
}

/** How many leaves a group has; the last one of a day may have fewer. */
export const LEAVES_IN_GROUP = 256;

/** What a daily root says. Hashes are in hex. */
export interface RootFacts {
  /** The day that it closes, `YYYY-MM-DD` in UTC. */
  readonly day: string;
  readonly madeAt: string;
  /** The root before it; NO_HASH for the first. */
  readonly previous: string;
  /** How many chains have grown since the root before it. */
  readonly chains: number;
  /** SHA-256 over the hashes of the groups of these chains. */
  readonly chainsHash: string;
  /** How many journals the ledger has up to here. */
  readonly journals: number;
  /** Of all journals of the ledger up to here. */
  readonly ledgerHash: string;
  /** SHA-256 of the day's open books, as the text that they are published as. */
  readonly booksHash: string;
}

/** The text whose SHA-256 is a daily root. */
export function rootText(root: RootFacts): string {
  const { day, madeAt, previous, chains, chainsHash, journals, ledgerHash, booksHash } = root;
  return ['clipswap root 1', day, madeAt, previous, chains, chainsHash, journals, ledgerHash, booksHash].join(
    '\n',
  );
}
