import { t } from '@lingui/core/macro';
import { CONTEST_HOURS } from '#contract/money/claims.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addHours } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import { askForUses, checkUnchanged } from '#server/coupons/codes/service.ts';
import type { ToldUses } from '#server/coupons/codes/validation.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import { exposedTo } from '#server/coupons/exposures/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { FINDING_TEXTS } from '#server/texts/claims.ts';
import { claimById, notifyOfClaim } from './claims.ts';
import { lockOpen, setDefault } from './deadlines-store.ts';
import * as findings from './findings-store.ts';
import { type Finding, findingOf, winnerBy } from './redemptions.ts';
import { type ClaimRow, listDeciders } from './store.ts';
import { toFinding } from './view.ts';

const AT_ONCE = 50;
/** A programme that has told nothing is asked again after these hours, until the claim ends. */
const ASK_HOURS = 12;
/** Of a place, in the programme's words. */
const PLACE_MAX = 100;

/**
 * Asks merchants' programmes how the codes of open claims were used. Where that decides a claim, it ends so after
 * CONTEST_HOURS; else both sides and the moderators see it.
 * @returns the number of findings
 */
export async function findRedemptions(ctx: Context): Promise<number> {
  const at = ctx.clock();
  const asked = { at, askedBefore: addHours(at, -ASK_HOURS) };
  let found = 0;
  for (const id of await findings.listToAsk(ctx.db, { ...asked, limit: AT_ONCE }))
    if ((await findings.noteAsked(ctx.db, id, asked)) && (await findAbout(ctx, id))) found += 1;
  return found;
}

/** @returns false when nothing was told, or it is not about the code that whoever claims has got */
async function findAbout(ctx: Context, id: number): Promise<boolean> {
  const { couponId, claimantId } = await claimById(ctx.db, id);
  const uses = await askForUses(ctx, { couponId, ownerId: claimantId });
  if (uses === null) return false;
  try {
    return await inTransaction(ctx.db, async (trx) => {
      await lockCoupons(trx, [couponId]);
      if (!(await lockOpen(trx, id))) return false;
      await checkUnchanged(trx, ctx, [uses.asked]);
      const exposed = await exposedTo(trx, { couponId, userId: claimantId });
      if (exposed === null) return false;
      return apply(trx, id, findingOf(told(uses), uses.isValid, exposed), ctx.clock());
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'deal_changed') return false;
    throw error;
  }
}

/** Moderators have not seen the code: places that name it, or have no end, are left out. */
const told = ({ redemptions, asked: { code } }: ToldUses) => ({
  ...redemptions,
  told: redemptions.told.map(({ at, place }) => ({
    at,
    place: place === null || place.length > PLACE_MAX || place.includes(code) ? null : place,
  })),
});

async function apply(trx: Trx, id: number, finding: Finding, at: Date): Promise<boolean> {
  const winner = winnerBy(finding.kind);
  if (!(await findings.storeFinding(trx, id, { ...finding, winner, at }))) return false;
  const claim = await claimById(trx, id);
  // Whoever would lose by the end that is announced already has heard so, and can ask an admin.
  if (winner === null || claim.defaultAt !== null || claim.appealedAt !== null) return true;
  const defaultAt = addHours(at, CONTEST_HOURS);
  await setDefault(trx, id, { defaultFor: winner, defaultAt });
  await tellSides(trx, claim, { finding, isGranted: winner === 'claimant', defaultAt, at });
  return true;
}

async function tellSides(
  trx: Trx,
  claim: ClaimRow,
  end: { finding: Finding; isGranted: boolean; defaultAt: Date; at: Date },
): Promise<void> {
  const { finding, isGranted, defaultAt, at } = end;
  const facts = {
    coupon: claim.couponTitle,
    finding: toFinding(finding),
    ...{ at: defaultAt.toISOString(), isGranted },
  };
  const { subject, winner, loser } = FINDING_TEXTS.found;
  for (const userId of [claim.claimantId, claim.giverId]) {
    const text = (userId === claim.claimantId) === isGranted ? winner(facts) : loser(facts);
    await notifyOfClaim(trx, claim, [userId], { subject: subject(), text, at });
  }
}

/** Whether a claim is about to end by what its merchant has told. */
export const endsByFinding = ({ findingFor, contestedAt }: Pick<ClaimRow, 'findingFor' | 'contestedAt'>) =>
  findingFor !== null && contestedAt === null;

/**
 * Whoever would lose by a finding asks a moderator, once: the claim does not end by it within CONTEST_HOURS any more.
 * @throws AppError deal_changed (it has ended, or a moderator was asked before)
 */
export async function contestFinding(ctx: MemberContext, claim: ClaimRow): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const at = ctx.clock();
    if (!(await findings.contest(trx, claim.id, at)))
      throw new AppError('deal_changed', t`This claim is no longer open, or a moderator was asked already.`);
    const { subject, text } = FINDING_TEXTS.contested;
    await notifyOfClaim(trx, claim, await listDeciders(trx, [claim.claimantId, claim.giverId]), {
      subject: subject(),
      text: text({ coupon: claim.couponTitle }),
      at,
    });
  });
}
