import { t } from '@lingui/core/macro';
import { formatDay } from '#contract/base/locale.ts';
import { type Absence, AWAY_MAX_DAYS, type SetAwayInput } from '#contract/deals/away.ts';
import type { MemberContext } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { fieldError } from '#server/core/errors.ts';
import { countChange } from '#server/core/own-changes.ts';
import type { Trx } from '#server/database/client.ts';
import * as store from './store.ts';

/** This many unanswered proposals in a row suggest that somebody is away. */
const IGNORED = 2;

/** Whether the caller is away, or seems to be. */
export async function ownAbsence(ctx: MemberContext): Promise<Absence> {
  const today = utcDay(ctx.clock());
  const until = await store.awayUntil(ctx.db, ctx.actor.id, today);
  const isSuggested = until === null && (await store.hasIgnored(ctx.db, ctx.actor.id, IGNORED));
  return { until, isSuggested };
}

/**
 * Says that the caller is away until a day, or back. Who is away gets no proposals, bids and suggestions, and deadlines
 * that wait for them pass later.
 * @throws AppError bad_input on `until`, rate_limited
 */
export async function setAway(ctx: MemberContext, { until }: SetAwayInput): Promise<Absence> {
  const at = ctx.clock();
  const today = utcDay(at);
  if (until !== null && (until <= today || until > utcDay(addDays(at, AWAY_MAX_DAYS)))) {
    throw fieldError('bad_input', 'until', t`Choose a day within the next ${AWAY_MAX_DAYS} days`);
  }
  await countChange(ctx);
  await store.setAway(ctx.db, { userId: ctx.actor.id, until: until ?? today, today, at });
  return ownAbsence(ctx);
}

/**
 * Refuses to propose anything to people who are away.
 * @param path the input field
 * @throws AppError conflict
 */
export async function checkNotAway(
  trx: Trx,
  given: { userIds: readonly number[]; path: string; at: Date },
): Promise<void> {
  const [person] = await store.listAway(trx, given.userIds, utcDay(given.at));
  if (person) {
    const until = formatDay(person.awayUntil ?? '');
    throw fieldError(
      'conflict',
      given.path,
      t`${person.username} is away until ${until}. Please ask again then.`,
    );
  }
}
