import type { Context } from '#server/context/context.ts';
import { resealCodes, resealNewCodes } from '#server/coupons/codes/service.ts';
import { resealDrafts } from '#server/coupons/drafts/service.ts';
import { renewSigningKey } from '#server/coupons/exposures/service.ts';
import { resealPictures } from '#server/coupons/images/service.ts';
import { resealVaultKeys } from '#server/database/vault.ts';
import { resealSecondFactors } from '#server/people/accounts/service.ts';
import { resealSettingKeys } from '#server/people/settings/service.ts';
import { resealWebhooks } from '#server/people/webhooks/service.ts';
import type { Say } from './backup.ts';

export interface Rotation {
  /** How many were sealed under the newest key. */
  readonly codes: number;
  readonly pictures: number;
  readonly secondFactors: number;
  /** Also waiting parts of mails. */
  readonly drafts: number;
  readonly webhooks: number;
  /** Of feeds and validators that admins have set up. */
  readonly settingKeys: number;
  /** The key that signs statements is not sealed again: a new one takes its place. */
  readonly signingKeys: number;
  /** What no key opens, by name. */
  readonly closed: readonly string[];
}

const KINDS = [
  ['codes', 'codes', resealCodes],
  ['codes', 'codes', resealNewCodes],
  ['pictures', 'pictures', resealPictures],
  ['secondFactors', 'second factors', resealSecondFactors],
  ['drafts', 'drafts', resealDrafts],
  ['webhooks', 'webhook secrets', resealWebhooks],
  ['settingKeys', 'keys of settings', resealSettingKeys],
  ['signingKeys', 'signing keys', renewSigningKey],
] as const;

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
  const resealed = {
    codes: 0,
    pictures: 0,
    secondFactors: 0,
    drafts: 0,
    webhooks: 0,
    settingKeys: 0,
    signingKeys: 0,
  };
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    let isDone = true;
    const closed: string[] = [];
    for (const [kind, words, reseal] of KINDS) {
      for await (const portion of reseal(ctx)) {
        resealed[kind] += portion.resealed;
        closed.push(...portion.closed);
        if (portion.resealed > 0) isDone = false;
        say(`${resealed[kind]} ${words}`);
      }
    }
    if (!isDone) continue;
    // Last: it says that the older keys are needed no more.
    if (closed.length === 0) await resealVaultKeys(ctx.db, ctx.vault);
    return { ...resealed, closed };
  }
  throw new Error('A process still seals under an older key: start every process with the newest key first');
}
