import { createHash } from 'node:crypto';
import { LEAVES_IN_GROUP, leafText } from '#contract/oversight/proof-lines.ts';
import { sha256 } from '#server/core/crypto.ts';

/** A chain as a daily root has it. */
export interface RootedChain {
  readonly chainId: string;
  readonly length: number;
  readonly head: Buffer;
}

/** The leaf of a chain in a daily root, 32 bytes. */
export function leafOf({ chainId, length, head }: RootedChain): Buffer {
  return Buffer.from(sha256(leafText(chainId, length, head.toString('hex'))), 'hex');
}

/** Hashes of the groups of leaves, in their order; `add` the chains in theirs. */
export function createGroups() {
  const groups: Buffer[] = [];
  let group = createHash('sha256');
  let count = 0;
  const end = () => {
    groups.push(group.digest());
    [group, count] = [createHash('sha256'), 0];
  };
  return {
    add(chain: RootedChain) {
      group.update(leafOf(chain));
      count += 1;
      if (count === LEAVES_IN_GROUP) end();
    },
    /** All groups, one after the other. */
    finish(): Buffer {
      if (count > 0) end();
      return Buffer.concat(groups);
    },
  };
}

/** SHA-256 over bytes, in hex. */
export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The hash of the ledger: over the one before, a salt that nobody outside knows, and a line for each new journal. */
export function createLedgerHash(previous: Buffer, salt: Buffer) {
  const hash = createHash('sha256').update(previous).update(salt);
  return {
    add: (line: string) => void hash.update(`${line}\n`),
    finish: () => hash.digest(),
  };
}
