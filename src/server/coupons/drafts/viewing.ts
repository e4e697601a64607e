import type { Draft } from '#contract/coupons/drafts.ts';
import type { MemberContext } from '#server/context/context.ts';
import { viewDrafts } from '#server/coupons/images/service.ts';
import * as store from './store.ts';
import { toDraft } from './view.ts';

/** Opens all drafts of the caller for them. @throws AppError second_factor_required (in a new browser) */
export async function openDrafts(ctx: MemberContext): Promise<Draft[]> {
  await viewDrafts(ctx);
  const rows = await store.listDrafts(ctx.db, ctx.actor.id);
  return rows.map((row) => toDraft(ctx.vault, row));
}
