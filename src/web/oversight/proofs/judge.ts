import {
  type ExposureEntry,
  entryText,
  leafText,
  NO_HASH,
  type RootFacts,
  rootText,
} from '#contract/oversight/proof-lines.ts';
import {
  type CheckedStatement,
  type Inclusion,
  STATEMENT_TYPE,
  type Statement,
  statementSchema,
} from '#contract/oversight/proofs.ts';

/** The keys that this site publishes. */
export interface KeySet {
  readonly keys: readonly (JsonWebKey & { readonly kid: string })[];
}

/** How the entries of a chain differ from what a statement says of them. Places count from 1. */
export type Difference =
  | { readonly kind: 'removed' | 'added'; readonly place: number; readonly count: number }
  | { readonly kind: 'cut'; readonly place: number }
  | { readonly kind: 'altered'; readonly place: number }
  | { readonly kind: 'reordered'; readonly place: number };

/** What is true of a statement. */
export type Verdict =
  | { readonly kind: 'unreadable' }
  /** No published key of this site has signed it. */
  | { readonly kind: 'otherKey' }
  /** It has changed since it was signed. */
  | { readonly kind: 'changed' }
  /** The records do not know its chain any more. */
  | { readonly kind: 'gone'; readonly statement: Statement }
  | { readonly kind: 'differs'; readonly statement: Statement; readonly difference: Difference }
  | {
      readonly kind: 'true';
      readonly statement: Statement;
      /** The daily root that it is part of; null: none yet; 'broken': the root does not have it as the site says. */
      readonly root: { readonly day: string; readonly hash: string } | 'broken' | null;
    };

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

const encoder = new TextEncoder();

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

const hexOf = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

async function sha256(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  return hexOf(await crypto.subtle.digest('SHA-256', typeof data === 'string' ? encoder.encode(data) : data));
}

/** SHA-256 over hashes in hex, one after the other. */
const hashOfHashes = (hashes: readonly string[]) => sha256(fromHex(hashes.join('')));

interface Signed {
  readonly kid: unknown;
  readonly typ: unknown;
  readonly payload: unknown;
  readonly data: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** The parts of a JWS in its compact form; null for other texts. */
function readJws(text: string): Signed | null {
  try {
    const [head = '', body = '', signature = ''] = text.trim().split('.');
    const read = (part: string) => JSON.parse(new TextDecoder().decode(bytesOf(part)));
    const { kid, typ } = read(head);
    const data = encoder.encode(`${head}.${body}`);
    return { kid, typ, payload: read(body), data, signature: bytesOf(signature) };
  } catch {
    return null;
  }
}

/** @returns undefined if the set has no such key */
async function isSigned({ kid, data, signature }: Signed, { keys }: KeySet): Promise<boolean | undefined> {
  const jwk = keys.find((key) => key.kid === kid);
  if (!jwk) return undefined;
  const { kty, crv, x, y } = jwk as JsonWebKey;
  const given = { kty, crv, x, y } as JsonWebKey;
  const key = await crypto.subtle.importKey('jwk', given, ECDSA, false, ['verify']);
  return crypto.subtle.verify(ECDSA, key, signature, data);
}

/** The hash of the last entry of a chain. */
async function headOf(chain: string, entries: readonly ExposureEntry[]): Promise<string> {
  let previous = NO_HASH;
  for (const [index, entry] of entries.entries())
    previous = await sha256(entryText(chain, index + 1, entry, previous));
  return previous;
}

/** How entries differ from what was said of them; null where they are the same. */
export function differenceOf(
  said: readonly ExposureEntry[],
  now: readonly ExposureEntry[],
): Difference | null {
  const [was, is] = [said, now].map((entries) =>
    entries.map(({ kind, at, person }) => [kind, at, person].join()),
  ) as [string[], string[]];
  const first = was.findIndex((entry, index) => entry !== is[index]);
  if (first < 0) return null;
  const place = first + 1;
  if (first >= is.length) return { kind: 'cut', place };
  if (was.toSorted().join('\n') === is.toSorted().join('\n')) return { kind: 'reordered', place };
  /** Whether one list from `from` on goes on like the other one from here on, as far as both are known. */
  const follows = (list: readonly string[], from: number, other: readonly string[]) =>
    list.slice(from).every((entry, index) => {
      const against = other[first + index];
      return against === undefined || against === entry;
    });
  const removedTo = was.indexOf(is[first] ?? '', first);
  if (removedTo > first && follows(was, removedTo, is))
    return { kind: 'removed', place, count: removedTo - first };
  const addedTo = is.indexOf(was[first] ?? '', first);
  if (addedTo > first && follows(is, addedTo, was)) return { kind: 'added', place, count: addedTo - first };
  return { kind: 'altered', place };
}

/** Whether a daily root has this head, as the site says. */
async function rootOf(
  { chain, length, head }: Statement,
  { day, signature, place, leaves, group, groups }: Inclusion,
  keys: KeySet,
): Promise<{ day: string; hash: string } | 'broken'> {
  const signed = readJws(signature);
  if (!signed || (await isSigned(signed, keys)) !== true) return 'broken';
  const { root, ...facts } = signed.payload as RootFacts & { root: string };
  const isRight =
    facts.day === day &&
    leaves[place] === (await sha256(leafText(chain, length, head))) &&
    groups[group] === (await hashOfHashes(leaves)) &&
    facts.chainsHash === (await hashOfHashes(groups)) &&
    root === (await sha256(rootText(facts)));
  return isRight ? { day, hash: root } : 'broken';
}

/**
 * Judges a statement in this browser: its signature, its own hashes, and whether the records still begin with its entries.
 * @param text what somebody has pasted
 * @param keys the published keys
 * @param ask asks the records about the chain of the statement
 */
export async function judge(
  text: string,
  keys: KeySet,
  ask: (statement: string) => Promise<CheckedStatement>,
): Promise<Verdict> {
  const signed = readJws(text);
  const statement = statementSchema.safeParse(signed?.payload).data;
  if (!signed || !statement || signed.typ !== STATEMENT_TYPE) return { kind: 'unreadable' };
  const isGenuine = await isSigned(signed, keys);
  if (isGenuine === undefined) return { kind: 'otherKey' };
  const { chain, entries, length, head } = statement;
  if (!isGenuine || entries.length !== length || (await headOf(chain, entries)) !== head)
    return { kind: 'changed' };
  const answer = await ask(text.trim());
  if (!answer.chain) return { kind: 'gone', statement };
  const difference = differenceOf(entries, answer.chain.entries);
  if (difference) return { kind: 'differs', statement, difference };
  const { inclusion } = answer.chain;
  return { kind: 'true', statement, root: inclusion && (await rootOf(statement, inclusion, keys)) };
}
