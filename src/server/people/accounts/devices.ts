import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { DEVICE_DAYS } from '#contract/base/limits.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';

/** The most people who are known in one browser. */
const PEOPLE_AT_MOST = 5;
const SEPARATOR = '.';
const SEAL_CONTEXT = 'known browser';

/** The token by which we recognise a browser (OWASP: "device cookie"). It signs nobody in. */
export interface DeviceToken {
  readonly token: string;
  readonly expiresAt: Date;
}

interface Owner {
  readonly id: number;
  readonly passwordHash: string;
}

const markSchema = z.object({ userId: z.int(), nonce: z.string(), until: z.number(), password: z.string() });
type Mark = z.output<typeof markSchema>;

/**
 * Marks a browser as known for an account. A new password makes the account's marks invalid, because they contain a hash
 * of the stored password hash.
 * @param before the token that the browser came with; the marks of other accounts in it are kept
 */
export function rememberDevice(ctx: Context, owner: Owner, before: string | null): DeviceToken {
  const expiresAt = addDays(ctx.clock(), DEVICE_DAYS);
  const mark: Mark = {
    userId: owner.id,
    nonce: randomBytes(12).toString('base64url'),
    until: expiresAt.getTime(),
    password: sha256(owner.passwordHash),
  };
  const sealed = ctx.vault.seal(JSON.stringify(mark), SEAL_CONTEXT).toString('base64url');
  const others = partsOf(before).filter((part) => {
    const other = readMark(ctx, part);
    return other && other.userId !== owner.id;
  });
  return { token: [sealed, ...others].slice(0, PEOPLE_AT_MOST).join(SEPARATOR), expiresAt };
}

/** The people whose accounts have been used in this browser. */
export function peopleIn(ctx: Context, token: string | null): number[] {
  return partsOf(token).flatMap((part) => readMark(ctx, part)?.userId ?? []);
}

/** The name of a browser that is known for this account, by which its tries are counted; null for any other. */
export function knownDevice(ctx: Context, owner: Owner, token: string | null): string | null {
  const mark = partsOf(token)
    .map((part) => readMark(ctx, part))
    .find((one) => one?.userId === owner.id);
  return mark && mark.password === sha256(owner.passwordHash) ? mark.nonce : null;
}

function partsOf(token: string | null): string[] {
  return token ? token.split(SEPARATOR, PEOPLE_AT_MOST) : [];
}

/** Null for a token that is not ours or has expired. */
function readMark({ vault, clock }: Context, part: string): Mark | null {
  try {
    const mark = markSchema.parse(JSON.parse(vault.open(Buffer.from(part, 'base64url'), SEAL_CONTEXT)));
    return mark.until > clock().getTime() ? mark : null;
  } catch {
    return null;
  }
}
