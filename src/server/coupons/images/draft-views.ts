import type { MemberContext } from '#server/context/context.ts';
import { addHours } from '#server/core/clock.ts';
import { enforceSecondFactor } from '#server/people/accounts/service.ts';
import * as store from './draft-views-store.ts';

/** The page asks again whenever it is looked at: so long, one browser at one address counts as one view of a draft. */
const ONE_VIEW_HOURS = 24;

/**
 * Lets the caller see the codes of their drafts, and records the view. They are shown where they wait with their picture,
 * too.
 * @param imageId the picture of the only draft that is shown; undefined: all are
 * @throws AppError second_factor_required (in a new browser)
 */
export async function viewDrafts(ctx: MemberContext, imageId?: string): Promise<void> {
  await enforceSecondFactor(ctx, 'newBrowser');
  const at = ctx.clock();
  await store.noteViews(ctx.db, {
    userId: ctx.actor.id,
    imageId,
    since: addHours(at, -ONE_VIEW_HOURS),
    view: {
      keyName: ctx.apiKey?.name ?? null,
      address: ctx.ip || null,
      userAgent: ctx.userAgent || null,
      revealedAt: at,
    },
  });
}
