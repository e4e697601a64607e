import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import type { StoppedSeller } from '#contract/money/claims.ts';
import type { MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { audit } from '#server/people/audit/service.ts';
import { notify, notifyAll } from '#server/people/notifications/service.ts';
import { SALE_STOP_TEXTS } from '#server/texts/claims.ts';
import { isSaleToStop } from './decide.ts';
import { lockPerson } from './guarantee-store.ts';
import * as store from './records-store.ts';
import { listDeciders } from './store.ts';

/** Days in which granted claims about what somebody gave are counted. */
const GRANTED_DAYS = 7;

/**
 * Stops the sales of somebody about whose coupons there are too many claims, until a moderator has looked, and notifies them
 * and the moderators. Claims from before a moderator looked last are not counted. Locks the person, so it comes last.
 */
export async function stopSalesIfDue(trx: Trx, giverId: number, at: Date): Promise<void> {
  // Of two claims at once, the second counts the first.
  await lockPerson(trx, giverId);
  const facts = {
    granted: await store.countGranted(trx, giverId, addDays(at, -GRANTED_DAYS)),
    open: await store.listOpenClaimants(trx, giverId),
  };
  if (!isSaleToStop(facts)) return;
  const giver = await store.stopSales(trx, giverId, at);
  if (!giver) return;
  const about = { type: 'other', relatedId: null, at } as const;
  const deciders = await listDeciders(trx, [giverId]);
  await notifyAll(trx, [
    {
      ...{ ...about, userId: giverId, link: paths.profile },
      content: SALE_STOP_TEXTS.seller.text(),
      mailSubject: SALE_STOP_TEXTS.seller.subject(),
    },
    ...deciders.map((userId) => ({
      ...{ ...about, userId, link: paths.claims },
      content: SALE_STOP_TEXTS.moderator.text({ seller: giver.username }),
      mailSubject: SALE_STOP_TEXTS.moderator.subject(),
    })),
  ]);
}

/** Counts a code that a person gave in a deal and that did not work. Locks the person, so it comes last. */
export async function countFailedCode(trx: Trx, giverId: number, at: Date): Promise<void> {
  await store.addFailedCode(trx, giverId);
  await stopSalesIfDue(trx, giverId, at);
}

/** How many a moderator sees at a time. */
const SHOWN = 100;

/** Who cannot sell until a moderator has looked, for one whose own case it is not. The longest wait comes first. */
export async function listStoppedSellers(ctx: MemberContext): Promise<StoppedSeller[]> {
  const rows = await store.listStopped(ctx.db, ctx.actor.id, SHOWN);
  return rows.map(({ salesStoppedAt, ...row }) => ({ ...row, since: salesStoppedAt.toISOString() }));
}

/** Lets somebody sell again. Claims from before this stop nothing any more. @throws AppError not_found (also the caller's own case) */
export async function resumeSales(ctx: MemberContext, userId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const [at, actorId] = [ctx.clock(), ctx.actor.id];
    if (!(await store.resumeSales(trx, { userId, judgeId: actorId, at })))
      throw notFound(t`Person not found`);
    await audit(trx, ctx, {
      actorId,
      action: 'sales_resumed',
      details: 'May sell again.',
      targetUserId: userId,
      at,
    });
    const { subject, text } = SALE_STOP_TEXTS.resumed;
    const about = { userId, type: 'other', relatedId: null, link: paths.profile, at } as const;
    await notify(trx, { ...about, content: text(), mailSubject: subject() });
  });
}
