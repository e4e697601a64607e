import { z } from 'zod';
import { isOffline, type ValidationSource, validationDetailsSchema } from '#contract/validation.ts';
import { callerOf, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { Verdict } from '#server/providers/validators/validators.ts';
import { codeFingerprint } from '../code-fingerprint.ts';
import { countCodeTry } from '../code-tries.ts';
import type { Context } from '../context.ts';
import { isReusable, keptSince, localSourceOf, reusableSince } from './rules.ts';
import * as store from './store.ts';

const HOUR = 3_600;
/** Questions, which providers answer: new codes have a limit of their own. */
const PER_PERSON: RateLimit = { name: 'validations', points: 200, seconds: HOUR };
const PER_CALLER: RateLimit = { name: 'validations-anonymous', points: 20, seconds: HOUR };

interface Question {
  readonly merchant: string;
  readonly code: string;
  readonly source: ValidationSource;
  /** Of the listed coupon whose code it is; null for a code that the caller has brought. */
  readonly couponId: number | null;
  /** What the caller has confirmed before asking. */
  readonly disclaimer: string | null;
}

/**
 * Asks the validators about a code and records what they say. Whoever asks again soon is told the same.
 * @returns the verdict, with what may be read off the code: for others than those who know it, see `withoutPieces`
 * @throws AppError rate_limited
 */
export async function validateCode(ctx: Context, question: Question): Promise<Verdict> {
  const { merchant, code, source, couponId, disclaimer } = question;
  // The code of a listed coupon is not the caller's guess.
  if (couponId === null) await countCodeTry(ctx, { merchant, code });
  if (ctx.actor) await enforceLimit(ctx.limiter, PER_PERSON, String(ctx.actor.id));
  else await enforceLimit(ctx.limiter, PER_CALLER, callerOf(ctx.ip));
  const codeHash = codeFingerprint(ctx.vault, merchant, code);
  const known = await findRecent(ctx, question, codeHash);
  if (known) return known;

  const { validators } = ctx.providers;
  const verdict = await validators.check({ merchant, code, source, now: ctx.clock() });
  await store.insertValidation(ctx.db, {
    userId: ctx.actor?.id ?? null,
    couponId,
    codeHash,
    source,
    validatedWith: verdict.validatedWith,
    isValid: verdict.valid,
    isConfirmed: verdict.valid && verdict.confirmed,
    verdict: JSON.stringify(withoutPieces(verdict, merchant)),
    disclaimer,
    createdAt: ctx.clock(),
  });
  return verdict;
}

/**
 * Whether somebody has brought this code (by its fingerprint) since an instant and its merchant's own programme has
 * confirmed it, and nobody has been told the contrary after that.
 */
export async function isConfirmed(
  db: Database | Trx,
  asked: { userId: number; codeHash: string; since: Date },
): Promise<boolean> {
  // Of a listed coupon's code the asker may have seen nothing: a guess of it must not be told to be right.
  if (!(await store.hasBroughtGood(db, asked))) return false;
  return (await store.lastWord(db, asked.codeHash)) === true;
}

/** What a merchant's own programme has said last about a code (by its fingerprint), null where it has said nothing. */
export function lastWord(trx: Trx, codeHash: string): Promise<boolean | null> {
  return store.lastWord(trx, codeHash);
}

const REMOVED_AT_ONCE = 1_000;

/** Removes the records that have run out and that no coupon refers to. @returns how many */
export async function cleanUpValidations(ctx: Context): Promise<number> {
  const before = keptSince(ctx.clock());
  let count = 0;
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
    removed = await store.removeOld(ctx.db, before, REMOVED_AT_ONCE);
    count += removed;
  }
  return count;
}

/** What the caller was told a moment ago to the same question; nobody else's answers are. */
async function findRecent(ctx: Context, question: Question, codeHash: string): Promise<Verdict | null> {
  if (!ctx.actor) return null;
  const { merchant, code, source, couponId } = question;
  const now = ctx.clock();
  const asked = { userId: ctx.actor.id, codeHash, source, couponId, since: reusableSince(now) };
  const record = await store.findLatest(ctx.db, asked);
  if (!record || !isReusable(record.validatedWith)) return null;
  const local = localSourceOf(record.validatedWith);
  // What is read off the code is not in the record; nobody has to be asked for it.
  if (local) return ctx.providers.validators.check({ merchant, code, source: local, now });
  return toVerdict(record.verdict);
}

const verdictSchema = validationDetailsSchema
  .omit({ merchantName: true, couponCode: true })
  .extend({ valid: z.boolean(), message: z.string(), validatedWith: z.string() });

/** A verdict as it was recorded. */
function toVerdict(recorded: unknown): Verdict {
  return verdictSchema.parse(recorded);
}

/** Words without a number say nothing of the code's signs. */
const hasDigit = (text: string) => /\d/.test(text);

/**
 * A verdict without any piece of the code, for whoever may not know it, and for the record. What a provider says is
 * about the code; what the library and the pattern say is read off the code itself: values and days are its digits,
 * and so may be those in their words.
 */
export function withoutPieces(verdict: Verdict, merchant: string): Verdict {
  const bare = { ...verdict, description: null };
  const isReadOffCode = localSourceOf(verdict.validatedWith) !== null || isOffline(verdict.validatedWith);
  if (!isReadOffCode) return bare;
  return {
    ...bare,
    message: plainMessage(verdict, merchant),
    value: null,
    discountType: null,
    expiryDate: null,
    requirement: null,
    checks: verdict.checks.filter(({ name, text }) => !hasDigit(name) && !hasDigit(text)),
  };
}

/** Says of the code no more than the verdict itself. */
function plainMessage({ valid, validatedWith }: Verdict, merchant: string): string {
  const isStandard = validatedWith === 'library';
  if (!valid) return isStandard ? 'This is not a well-made standard code.' : 'This code does not look right.';
  const right = isStandard ? 'This is a well-made standard code' : 'This code looks right';
  return `${right}; it is not confirmed with ${merchant}.`;
}
