import type { Context } from '#server/context/context.ts';
import { renewSigningKey } from '#server/coupons/exposures/service.ts';
import type { Say } from './backup.ts';
import { SEALED_COLUMNS, VAULT_KEYS } from './sealed-columns.ts';

export interface Rotation {
  /** How many of each kind were sealed under the newest key, in words. */
  readonly resealed: readonly string[];
  /** What no key opens, by name. */
  readonly closed: readonly string[];
}

const STEPS = [...SEALED_COLUMNS, { words: 'keys that sign', reseal: renewSigningKey }];

/** Each pass finds what was sealed under an older key since the pass before. */
const MAX_PASSES = 5;

/**
 * Seals everything under the newest secret key, in portions, while the program runs. Interrupted, it is begun again:
 * what is done already is only looked at. What no key opens is left as it is and named.
 * @throws Error where some process goes on sealing under an older key
 */
export async function rotateKeys(
  ctx: Pick<Context, 'db' | 'vault' | 'providers'>,
  say: Say,
): Promise<Rotation> {
  const counts = STEPS.map(() => 0);
  const resealed = () => STEPS.map(({ words }, at) => `${counts[at]} ${words}`);
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    let isDone = true;
    const closed: string[] = [];
    for (const [at, step] of STEPS.entries()) {
      for await (const portion of step.reseal(ctx)) {
        counts[at] = (counts[at] ?? 0) + portion.resealed;
        closed.push(...portion.closed);
        if (portion.resealed > 0) isDone = false;
        say(resealed()[at] ?? '');
      }
    }
    if (!isDone) continue;
    if (closed.length === 0)
      for await (const { closed: rest } of VAULT_KEYS.reseal(ctx)) closed.push(...rest);
    return { resealed: resealed(), closed };
  }
  throw new Error('A process still seals under an older key: start every process with the newest key first');
}
