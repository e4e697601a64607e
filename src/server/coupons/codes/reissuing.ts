import { randomInt } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import type { Context } from '#server/context/context.ts';
import { addHours, addMinutes } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import { uuidv7 } from '#server/core/uuid.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import { type DealKey, lockCoupons } from '#server/coupons/core/reservations.ts';
import { codeContext } from '#server/coupons/core/view.ts';
import { discardImages } from '#server/coupons/images/service.ts';
import { type Database, inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import { notify, recordLog } from '#server/people/notifications/service.ts';
import { COUPON_HISTORY, OLD_CODE } from '#server/texts/coupons.ts';
import * as codesStore from './codes-store.ts';
import * as store from './reissues-store.ts';

/**
 * New codes at a change of hands: the merchant's programme retires the old code and mints one that only the new owner
 * sees. Each is written down before the first call to the programme and settled after each answer, so that a crash at any
 * moment leaves something to go on with. `docs/validators.md` has the states.
 */

export { listOfExchange, lockOfExchange, type Reissue, takeDue } from './reissues-store.ts';

/** What reissuing needs of the program. */
export type ReissueContext = Pick<Context, 'db' | 'clock' | 'vault' | 'providers' | 'log'>;

/** Longer than any call takes: until then nobody else goes on with what a process has taken. */
export const TAKEN_MINUTES = 5;
/** After a call without an answer, since the call may still arrive. */
const LATER_MINUTES = 1;
/** How long a sold coupon's programme is asked for a new code before the old one is made valid again. */
const TRY_HOURS = 1;
/** After these without an answer, a person has to ask the programme. */
const GIVE_UP_HOURS = 48;

/** Without characters that are taken for others. 16 of them are 78 bits: nobody guesses one. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS = 16;

function newCode(): string {
  const letters = Array.from({ length: LETTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return letters.replace(/.{4}(?=.)/g, '$&-');
}

function planOf(
  { vault, clock }: Pick<Context, 'vault' | 'clock'>,
  { couponId, receiverId }: { couponId: number; receiverId: number },
): store.ReissuePlan {
  const sealed = vault.seal(newCode(), codeContext(couponId));
  return { couponId, receiverId, key: uuidv7(clock()), newCode: sealed };
}

const onItsWay = () =>
  t`The merchant is making a new code for this coupon right now. Please try again in a minute.`;

/** @throws AppError code_on_its_way while one of these coupons gets a new code */
export async function checkNotReissuing(db: Database | Trx, couponIds: readonly number[]): Promise<void> {
  if ((await store.listOpenCoupons(db, couponIds)).length > 0)
    throw new AppError('code_on_its_way', onItsWay());
}

/**
 * Writes down that codes of an exchange are to be replaced before its coupons move. Lock the coupons first.
 * @throws AppError code_on_its_way when one of them is being replaced already
 */
export async function beginReissues(
  trx: Trx,
  ctx: Pick<Context, 'vault' | 'clock'>,
  given: {
    exchangeId: number;
    actorId: number;
    legs: readonly { couponId: number; receiverId: number }[];
    at: Date;
  },
): Promise<void> {
  const { exchangeId, actorId, legs, at } = given;
  const until = addMinutes(at, TAKEN_MINUTES);
  const plans = legs.map((leg) => planOf(ctx, leg));
  await refuseDuplicate(
    store.insertReissues(trx, plans, { exchangeId, actorId, at, until }),
    'reissues_open_once',
    (cause) => new AppError('code_on_its_way', onItsWay(), { cause }),
  );
}

/** Writes down that coupons that have just moved get new codes, where their programmes can. The job does the rest. */
export async function queueReissues(
  trx: Trx,
  ctx: Pick<Context, 'vault' | 'clock' | 'providers'>,
  given: {
    deal: DealKey;
    moves: readonly { couponId: number; toUserId: number }[];
    /** The coupons of these that their receivers have paid for. */
    paid: readonly number[];
    at: Date;
  },
): Promise<void> {
  const { deal, moves, paid, at } = given;
  for (const { couponId, toUserId: receiverId } of moves) {
    const found = await store.findCode(trx, couponId);
    const isOpen = (await store.listOpenCoupons(trx, [couponId])).length > 0;
    if (!isOpen && !(found && ctx.providers.validators.canReissue(found.merchant))) continue;
    const plan = planOf(ctx, { couponId, receiverId });
    await store.queueReissue(trx, plan, { deal, isPaid: paid.includes(couponId), at });
  }
}

/** What the programme is told; null once the coupon is gone. */
async function replacementOf(
  { db, vault }: ReissueContext,
  { couponId, newCode: sealed, key }: store.Reissue,
) {
  const found = await store.findCode(db, couponId);
  if (!found) return null;
  const context = codeContext(couponId);
  return {
    merchant: found.merchant,
    code: vault.open(found.sealedCode, context),
    newCode: vault.open(sealed, context),
    key,
  };
}

/** What a programme has said; null: somebody else goes on with it. */
export type Minted = 'minted' | 'refused' | 'unreached' | null;

/**
 * Asks the programme of one that is written down for its new code, and stores what it answers.
 * @param turnsBack whether a refusal turns back all codes of its exchange
 */
export async function mint(
  ctx: ReissueContext,
  reissue: store.Reissue,
  { turnsBack = false } = {},
): Promise<Minted> {
  if (!(await take(ctx, reissue))) return null;
  const given = await replacementOf(ctx, reissue);
  const answer = given === null ? null : await ctx.providers.validators.reissue(given);
  const at = ctx.clock();
  if (answer?.kind === 'unreached') return 'unreached';
  const isMinted = answer?.kind === 'reissued';
  const isOther = isMinted && answer.code !== given?.newCode;
  const code = isOther ? ctx.vault.seal(answer.code, codeContext(reissue.couponId)) : undefined;
  const minted = { state: 'minted', nextTryAt: addMinutes(at, TAKEN_MINUTES), at } as const;
  const refused = { state: 'refused', nextTryAt: null, at } as const;
  const change = isMinted ? { ...minted, ...(code && { newCode: code }) } : refused;
  const isMoved = await inTransaction(ctx.db, async (trx) => {
    const moved = await store.moveReissue(trx, reissue.id, 'minting', change);
    if (moved && !isMinted && turnsBack && reissue.exchangeId !== null)
      await store.turnBack(trx, reissue.exchangeId, { at, later: addMinutes(at, LATER_MINUTES) });
    return moved;
  });
  if (!isMoved) return null;
  return isMinted ? 'minted' : 'refused';
}

function take(ctx: ReissueContext, reissue: store.Reissue): Promise<boolean> {
  const at = ctx.clock();
  return store.takeReissue(ctx.db, reissue, { at, until: addMinutes(at, TAKEN_MINUTES) });
}

/** Each time twice as late, at most an hour. */
const triedAgainAt = (attempts: number, at: Date) =>
  addMinutes(at, Math.min(60, LATER_MINUTES * 2 ** attempts));

/** Turns all open ones of an exchange back, and makes the old codes valid again that the programmes can now. */
export async function restoreExchange(ctx: ReissueContext, exchangeId: number): Promise<void> {
  const at = ctx.clock();
  await store.turnBack(ctx.db, exchangeId, { at, later: addMinutes(at, LATER_MINUTES) });
  for (const reissue of await store.listOfExchange(ctx.db, exchangeId)) {
    if (reissue.state === 'restoring' && reissue.nextTryAt <= at) await restore(ctx, reissue);
  }
}

/** Makes the old code of one valid again, or tries later. What cannot be restored is left to a person, and logged. */
export async function restore(ctx: ReissueContext, reissue: store.Reissue): Promise<void> {
  const { id, couponId, attempts, createdAt } = reissue;
  if (!(await take(ctx, reissue))) return;
  const given = await replacementOf(ctx, reissue);
  const answer = given === null ? 'restored' : await ctx.providers.validators.restore(given);
  const at = ctx.clock();
  if (answer === 'restored') {
    await end(ctx, reissue, 'restored', at);
    return;
  }
  const isOver = answer === 'refused' || addHours(createdAt, GIVE_UP_HOURS) <= at;
  if (isOver) {
    ctx.log.error({ reissueId: id, couponId }, 'the old code of a coupon could not be made valid again');
    await end(ctx, reissue, 'given_up', at);
    return;
  }
  const nextTryAt = triedAgainAt(attempts, at);
  await store.moveReissue(ctx.db, id, 'restoring', { state: 'restoring', nextTryAt, at });
}

/** Ends one whose coupon keeps its old code. The new owner of one that has moved is told in their history. */
async function end(
  ctx: ReissueContext,
  { id, couponId, state, timing, isPaid }: store.Reissue,
  to: 'restored' | 'given_up',
  at: Date,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const [coupon] = await lockCoupons(trx, [couponId]);
    const isMoved = await store.moveReissue(trx, id, state, { state: to, nextTryAt: null, at });
    if (isMoved && coupon && timing === 'after') await tellOfOldCode(trx, coupon, isPaid, at);
  });
}

async function tellOwner(
  trx: Trx,
  coupon: { readonly id: number; readonly ownerId: number; readonly title: string },
  what: 'newCode' | 'keptCode',
  at: Date,
): Promise<void> {
  const { id: couponId, ownerId: userId, title } = coupon;
  const details = COUPON_HISTORY[what]({ coupon: title });
  await recordLog(trx, { userId, actorId: null, action: 'updated', details, couponId, at });
  // Whoever looks at the coupon at this moment sees its code.
  await announce(trx, [{ userId, event: { kind: 'notification' } }]);
}

/** Whoever has paid for a new code, and got the old one, is notified: the person before them knows it. */
async function tellOfOldCode(
  trx: Trx,
  coupon: Parameters<typeof tellOwner>[1],
  isPaid: boolean,
  at: Date,
): Promise<void> {
  await tellOwner(trx, coupon, 'keptCode', at);
  if (!isPaid) return;
  await notify(trx, {
    userId: coupon.ownerId,
    type: 'other',
    content: OLD_CODE.text({ coupon: coupon.title }),
    relatedId: null,
    link: paths.coupon(coupon.id),
    mailSubject: OLD_CODE.subject(),
    at,
  });
}

/**
 * Gives coupons the codes that are minted for them; their pictures of the old codes are removed. Lock the coupons first, and
 * call it before they move, if they have not moved already.
 */
export async function replaceCodes(
  trx: Trx,
  ctx: Pick<Context, 'vault'>,
  minted: readonly store.Reissue[],
  at: Date,
): Promise<void> {
  for (const { couponId, receiverId, newCode: code } of minted) {
    const found = await store.findCode(trx, couponId);
    if (!found) throw new Error(`Coupon ${couponId} has lost its code`);
    const codeHash = codeFingerprint(ctx.vault, found.merchant, ctx.vault.open(code, codeContext(couponId)));
    await discardImages(trx, { couponId, at });
    await store.replaceCode(trx, { couponId, receiverId, code, codeHash, at });
  }
}

/** Ends those whose coupons have their new codes and their new owners. */
export async function endMinted(trx: Trx, minted: readonly store.Reissue[], at: Date): Promise<void> {
  for (const { id } of minted) {
    const isMoved = await store.moveReissue(trx, id, 'minted', { state: 'done', nextTryAt: null, at });
    if (!isMoved) throw new Error(`Reissue ${id} is not minted`);
  }
  const couponIds = minted.map(({ couponId }) => couponId);
  await store.markReissued(trx, couponIds, at);
}

/** Goes on with one whose coupon has moved already: a new code, else the old one without a mark. */
export async function continueMoved(ctx: ReissueContext, reissue: store.Reissue): Promise<void> {
  const { state, attempts, createdAt } = reissue;
  if (state === 'restoring') return restore(ctx, reissue);
  const at = ctx.clock();
  // One that has waited for this program alone is asked for, however late.
  if (state === 'minting' && attempts > 0 && addHours(createdAt, TRY_HOURS) <= at) {
    const change = { state: 'restoring', nextTryAt: at, at } as const;
    if (await store.moveReissue(ctx.db, reissue.id, 'minting', change))
      await restore(ctx, { ...reissue, ...change });
    return;
  }
  const minted = state === 'minted' ? 'minted' : await mint(ctx, reissue);
  if (minted === 'minted') await finishMoved(ctx, reissue);
  if (minted === 'refused') await tellRefused(ctx, reissue);
  if (minted === 'unreached') {
    const nextTryAt = triedAgainAt(attempts, ctx.clock());
    await store.moveReissue(ctx.db, reissue.id, 'minting', { state: 'minting', nextTryAt, at: ctx.clock() });
  }
}

async function finishMoved(ctx: ReissueContext, { id, couponId }: store.Reissue): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const [coupon] = await lockCoupons(trx, [couponId]);
    const minted = await store.lockMinted(trx, id);
    if (!coupon || !minted) return;
    const at = ctx.clock();
    await replaceCodes(trx, ctx, [minted], at);
    await endMinted(trx, [minted], at);
    await codesStore.insertReveals(trx, { couponIds: [couponId], userId: coupon.ownerId, at });
    await tellOwner(trx, coupon, 'newCode', at);
  });
}

async function tellRefused(ctx: ReissueContext, { couponId, isPaid }: store.Reissue): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const [coupon] = await lockCoupons(trx, [couponId]);
    if (coupon) await tellOfOldCode(trx, coupon, isPaid, ctx.clock());
  });
}
