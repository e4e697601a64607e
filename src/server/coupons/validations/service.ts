import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { language } from '#contract/base/i18n.ts';
import { isOffline, type ValidationSource, validationDetailsSchema } from '#contract/coupons/validation.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { canonicalMerchant } from '#server/core/fold.ts';
import { addressKey, enforceLimit, type RateLimit, siteKey } from '#server/core/rate-limit.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import { countCodeTry, countForStrangers, refuseWhileGuessed } from '#server/coupons/core/code-tries.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { Verdict } from '#server/providers/validators/validators.ts';
import {
  isReusable,
  keptSince,
  localSourceOf,
  lookedAtSince,
  questionsPerDay,
  reusableSince,
  shareOf,
} from './rules.ts';
import * as store from './store.ts';

const HOUR = 3_600;
/** Limits questions, since providers answer them. New codes have their own limit. */
const PER_PERSON: RateLimit = { name: 'validations', points: 200, seconds: HOUR };
const PER_ADDRESS: RateLimit = { name: 'validations-anonymous', points: 20, seconds: HOUR };
/** Of the questions that a merchant's own account answers in a day. */
const SHARE: Omit<RateLimit, 'points'> = {
  name: 'validations-share',
  text: () => t`You have asked this merchant about many codes today.`,
  seconds: 24 * HOUR,
};
const BY_STRANGERS: Omit<RateLimit, 'points'> = {
  name: 'validations-strangers',
  text: () => t`This merchant was asked about many codes today, so we ask only for established members.`,
  seconds: 24 * HOUR,
};

interface Question {
  readonly merchant: string;
  readonly code: string;
  readonly source: ValidationSource;
  /** The listed coupon that has the code; null for a code that the caller has entered. */
  readonly couponId: number | null;
  /** The ownership statement that the caller has confirmed. */
  readonly disclaimer: string | null;
}

/**
 * Asks the validators about a code and records the verdict. A repeated question soon after gets the same verdict.
 * @returns the verdict with everything that can be read from the code; for those who may not know the code, apply
 *   `withoutCodeDetails`
 * @throws AppError rate_limited (questions, or new codes)
 */
export async function validateCode(ctx: Context, question: Question): Promise<Verdict> {
  const { merchant, code, couponId } = question;
  // The code of a listed coupon is not the caller's guess.
  if (couponId === null) {
    await countCodeTry(ctx, { merchant, code });
    // Only a merchant's own account knows which codes exist.
    if (await ctx.providers.validators.hasOwn(merchant)) await refuseWhileGuessed(ctx, { merchant, code });
  }
  await countQuestion(ctx);
  const known = await findRecent(ctx, question, reusableSince(ctx.clock()));
  if (known) return known;
  await countAtMerchant(ctx, question);
  return ask(ctx, question);
}

/**
 * The verdict on a code that the caller brings to a coupon: the one on record if they have validated the code in the
 * last day, else a new one, which is recorded. While codes of the merchant are being guessed there is no new one.
 * @returns it, and whether they are: then no answer may say whether the code exists
 * @throws AppError rate_limited (questions, or new codes)
 */
export async function lookAtCode(
  ctx: MemberContext,
  { merchant, code }: { merchant: string; code: string },
): Promise<{ verdict: Verdict | null; isGuessed: boolean }> {
  await countCodeTry(ctx, { merchant, code });
  const isGuessed = (await countForStrangers(ctx, { merchant, code })) > 0;
  const question = { merchant, code, source: 'auto', couponId: null, disclaimer: null } as const;
  const since = lookedAtSince(ctx.clock());
  const known = await findRecent(ctx, question, since, isGuessed);
  if (known || isGuessed) return { verdict: known, isGuessed };
  await countQuestion(ctx);
  return { verdict: await ask(ctx, question), isGuessed };
}

/** What a merchant's own account says of a code; fine where there is none, or where it says neither yes nor no. */
export type CodeAnswer = 'fine' | 'refused' | 'unreached';

/**
 * Asks a merchant's own account about the code of a coupon that changes hands, and records the verdict. Never answers from
 * a record: the code may have been used since. `isConfirmed`: it has said yes.
 * @throws AppError rate_limited
 */
export async function askMerchant(
  ctx: Context,
  { couponId, merchant, code }: { couponId: number; merchant: string; code: string },
): Promise<{ answer: CodeAnswer; codeHash: string; isConfirmed: boolean }> {
  const codeHash = codeFingerprint(ctx.vault, merchant, code);
  if (!(await ctx.providers.validators.hasOwn(merchant)))
    return { answer: 'fine', codeHash, isConfirmed: false };
  if (ctx.actor) await countQuestion(ctx);
  const verdict = await ask(ctx, { merchant, code, source: 'auto', couponId, disclaimer: null });
  if (isOffline(verdict.validatedWith)) return { answer: 'unreached', codeHash, isConfirmed: false };
  const { confirmed, valid } = verdict;
  return { answer: confirmed && !valid ? 'refused' : 'fine', codeHash, isConfirmed: confirmed && valid };
}

async function countQuestion({ limiter, actor, ip }: Context): Promise<void> {
  if (actor) await enforceLimit(limiter, PER_PERSON, String(actor.id));
  else await enforceLimit(limiter, PER_ADDRESS, addressKey(ip));
}

/**
 * Counts a question to a merchant's own account: a person's share of the day's budget, and all strangers' together. Others
 * cannot use up what an established person may ask, and what a deal or a listing needs is asked anyway.
 * @throws AppError rate_limited
 */
async function countAtMerchant(
  { providers, limiter, actor, ip }: Context,
  question: Question,
): Promise<void> {
  const name = canonicalMerchant(question.merchant);
  const isOwn = (merchant: string) => canonicalMerchant(merchant) === name;
  const account = providers.validators.accounts().find(({ merchants }) => merchants.some(isOwn));
  if (!account || localSourceOf(question.source) !== null) return;
  const budget = questionsPerDay(account.checksPerDay);
  const caller = actor ? `person ${actor.id}` : `address ${siteKey(ip)}`;
  await enforceLimit(limiter, { ...SHARE, points: shareOf(budget) }, `${caller} ${account.id}`);
  if (!actor?.isEstablished) await enforceLimit(limiter, { ...BY_STRANGERS, points: budget }, account.id);
}

/** Asks the validators and records the verdict. */
async function ask(ctx: Context, question: Question): Promise<Verdict> {
  const { merchant, code, source, couponId, disclaimer } = question;
  const verdict = await ctx.providers.validators.check({ merchant, code, source, now: ctx.clock() });
  await store.insertValidation(ctx.db, {
    userId: ctx.actor?.id ?? null,
    couponId,
    codeHash: codeFingerprint(ctx.vault, merchant, code),
    source,
    validatedWith: verdict.validatedWith,
    isValid: verdict.valid,
    isConfirmed: verdict.valid && verdict.confirmed,
    verdict: JSON.stringify({ ...withoutCodeDetails(verdict, merchant), language: language() }),
    disclaimer,
    createdAt: ctx.clock(),
  });
  return verdict;
}

/**
 * As SQL, for the write that stores it: whether this person has entered the code (by its fingerprint) in the last day,
 * its merchant's own programme has confirmed it, and the programme's latest verdict is still a confirmation. Questions
 * about a listed coupon do not count: the asker may not know its code, and the answer must not confirm a guess.
 */
export function isConfirmed(
  db: Database | Trx,
  { now, ...entered }: { userId: number; codeHash: string; now: Date },
) {
  return store.isConfirmedTo(db, { ...entered, since: lookedAtSince(now) });
}

/** The latest verdict of a merchant's own programme on a code (by its fingerprint); null if there is none. */
export function lastConfirmedVerdict(trx: Trx, codeHash: string): Promise<boolean | null> {
  return store.lastConfirmedVerdict(trx, codeHash);
}

const REMOVED_AT_ONCE = 1_000;

/** Removes old records that no coupon needs. @returns how many */
export async function cleanUpValidations(ctx: Context): Promise<number> {
  const before = keptSince(ctx.clock());
  let count = 0;
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
    removed = await store.removeOld(ctx.db, before, REMOVED_AT_ONCE);
    count += removed;
  }
  return count;
}

/**
 * The caller's own verdict on the same question since `since`, in the language that is spoken; never another person's.
 * @param isInAny whether one in another language is better than none
 */
async function findRecent(
  ctx: Context,
  question: Question,
  since: Date,
  isInAny = false,
): Promise<Verdict | null> {
  if (!ctx.actor) return null;
  const { merchant, code, source, couponId } = question;
  const now = ctx.clock();
  const codeHash = codeFingerprint(ctx.vault, merchant, code);
  const asked = { userId: ctx.actor.id, codeHash, source, couponId, since };
  const record = await store.findLatest(ctx.db, asked);
  if (!record || !isReusable(record.validatedWith)) return null;
  const local = localSourceOf(record.validatedWith);
  // The record does not contain what a local source reads from the code, so that source is asked again.
  if (local) return ctx.providers.validators.check({ merchant, code, source: local, now });
  const { language: spoken, ...verdict } = recordSchema.parse(record.verdict);
  return isInAny || spoken === language() ? verdict : null;
}

const recordSchema = validationDetailsSchema
  .omit({ merchantName: true, couponCode: true })
  .extend({ valid: z.boolean(), message: z.string(), validatedWith: z.string() })
  // Records of earlier versions do not say these.
  .extend({ dead: z.boolean().default(false), language: z.string().default('en') });

/** Texts without digits reveal nothing of the code. */
const hasDigit = (text: string) => /\d/.test(text);

/**
 * A verdict without any part of the code, for people who may not know it and for the record. A provider's details are
 * about the code. The details of the library and the pattern are read from the code itself: their values, days and
 * texts may contain its digits.
 */
export function withoutCodeDetails(verdict: Verdict, merchant: string): Verdict {
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

/** A message that reveals only the verdict. */
function plainMessage({ valid, validatedWith }: Verdict, merchant: string): string {
  const isStandard = validatedWith === 'library';
  if (!valid) return isStandard ? t`This is not a valid standard code.` : t`This code does not look right.`;
  return isStandard
    ? t`This is a valid standard code; ${merchant} has not confirmed it.`
    : t`This code looks right; ${merchant} has not confirmed it.`;
}
