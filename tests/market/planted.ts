import { faultsIn, type PlantedFault } from './fault.ts';
import { FOUND_OUTSIDE } from './found-outside.ts';

/** The simulation or the model has to find each of these: `npm run simulate -- --fault .`, with `--model` by the model. */
export const PLANTED: readonly PlantedFault[] = [
  ...faultsIn('coupons/core/reservations-store.ts', {
    'a reservation is not written': [
      "await trx.insertInto('couponReservations').values(rows).execute();",
      '',
    ],
    'a second deal takes over a reservation': [
      'values(rows).execute()',
      'values(rows).onConflict((conflict) => conflict.doNothing()).execute()',
    ],
    'a reservation is never released': ['await held.execute();', ''],
    'coupons are not locked': ['.forNoKeyUpdate()', ''],
    'a coupon that somebody gives away stays theirs': [
      'set owner_id = to_user_id',
      'set owner_id = from_user_id',
    ],
    'whoever gives a coupon need not own it': ['and owner_id = from_user_id', ''],
    'a transfer is not recorded': ['order by coupon_id\n    ), shown', 'limit 0\n    ), shown'],
    'who got a code is not recorded': ['order by coupon_id\n    )\n    select', 'limit 0\n    )\n    select'],
  }),
  ...faultsIn('coupons/codes/reveals.ts', {
    'strangers see codes': [
      'store.readSecretOf(trx, id, ctx.actor.id);\n  if (!secret) throw notFound(t`Coupon not found`);\n  if (secret.ownerId !== ctx.actor.id) {',
      "store.readSecretOf(trx, id, (await trx.selectFrom('coupons').select('ownerId').where('id', '=', id).executeTakeFirst())?.ownerId ?? 0);\n  if (!secret) throw notFound(t`Coupon not found`);\n  if (secret.ownerId < 0) {",
    ],
    'the log has a code': [
      'await recordView(ctx, trx, { couponId: id, userId: ctx.actor.id });',
      'await recordView(ctx, trx, { couponId: id, userId: ctx.actor.id }); ctx.log.info(String(code));',
    ],
    'a view of a code is not recorded': ['await store.insertReveal(trx, {', 'void (0 as unknown, {'],
  }),
  ...faultsIn('coupons/core/rules.ts', {
    'an edit leaves deals as they are': ['return TERMS.some((key) =>', 'return [].some((key) =>'],
  }),
  ...faultsIn('people/accounts/store.ts', {
    'a bidder is not locked': ['.forKeyShare()', ''],
  }),
  ...faultsIn('deals/bids/rules.ts', {
    'a bidder passes for the seller': [
      "userId === bid.bidderId) return 'bidder'",
      "userId === bid.bidderId) return 'owner'",
    ],
    'any bid is accepted at once': [
      'if (!isEnough || !bid.isSellerReady || !isTrusted)',
      'if (!bid.isSellerReady || !isTrusted)',
    ],
  }),
  ...faultsIn('deals/bids/service.ts', {
    'people bid on their own coupons': [
      'owner === ctx.actor.id ? t`You cannot bid',
      'owner < 0 ? t`You cannot bid',
    ],
  }),
  ...faultsIn('deals/bids/decide.ts', {
    'an old amount is accepted': [
      'otherAmount(bid, asked.expectedAmount ?? bid.amount)',
      'otherAmount(bid, bid.counterAmount ?? bid.amount)',
    ],
    'other bids wait on after one is accepted': ["{ kind: 'rejectRivals' },", ''],
  }),
  ...faultsIn('deals/bids/decide-sale.ts', {
    'a paid coupon stays with its seller': ["{ kind: 'transfer', moves, isReturn: false },", ''],
    'other bids on a sold coupon go on': ["{ kind: 'endRivals', overtaken: null },", ''],
    'a sale is counted twice': [
      "{ kind: 'count', by: 1 },",
      "{ kind: 'count', by: 1 }, { kind: 'count', by: 1 },",
    ],
    'a sale that is undone leaves its coupon with the buyer': [
      "{ kind: 'transfer', moves, isReturn: true },",
      '',
    ],
    'a claim does not hold its coupon': ['obstacle === null && !holding.isHeld', 'false'],
  }),
  ...faultsIn('deals/lifecycle/rules.ts', {
    'any coupon may be traded': ['coupon.expiresAt < at) return', 'coupon.expiresAt < at && false) return'],
  }),
  ...faultsIn('deals/lifecycle/decide.ts', {
    'the deals on a coupon that is gone go on': [
      "deal.status === 'pending' && rivals.includes(deal.kind)",
      "deal.status === 'pending' && rivals.includes(deal.kind) && deal.kind === 'bid'",
    ],
    'an exchange whose time is up keeps its coupons': [
      ".filter(({ status }) => status === 'accepted')",
      ".filter(({ status }) => status === 'accepted' && ending.reason !== 'deadline')",
    ],
    'what ends because somebody is banned keeps its coupons': [
      ".filter(({ status }) => status === 'accepted')",
      ".filter(({ status }) => status === 'accepted' && ending.reason !== 'party_banned')",
    ],
  }),
  ...faultsIn('deals/lifecycle/expiry.ts', {
    'pending bids never end': ['[...exchanges, ...bids]', 'exchanges'],
    'exchanges never end': ['[...exchanges, ...bids]', 'bids'],
  }),
  ...faultsIn('deals/exchanges/decide.ts', {
    'one consent is enough for two': ['const isLast = waiting.length === 1;', 'const isLast = true;'],
    'a cancelled exchange keeps its coupons': [
      "...(status === 'accepted' ? [{ kind: 'free' } as const] : []),",
      '',
    ],
    'an exchange is completed before it is paid': ['if (unpaid) return unpaid;', ''],
    'a completed exchange keeps its coupons': [
      "{ kind: 'free' },\n    { kind: 'endRivals'",
      "{ kind: 'endRivals'",
    ],
  }),
  ...faultsIn('money/payments/rules.ts', {
    'a hold ends at once': ['HOLD_HOURS * 3_600_000', 'HOLD_HOURS * 60_000'],
    'a hold lasts for ever': ['HOLD_HOURS * 3_600_000', 'HOLD_HOURS * 360_000_000'],
  }),
  ...faultsIn('money/payments/decide.ts', {
    'money that comes too late is kept': [
      "bid.status === 'accepted' && !isGivenUp(payment.status);",
      'true;',
    ],
    'a report from before a payout is booked': [' || isOutdated(payment, state, booked)', ''],
    'a released sale is not paid out': ["{ do: 'open', operation: 'payout' },", ''],
    'an undone sale is not refunded': [
      "{ do: 'open', operation: 'refund' },\n    { do: 'notify', notice,",
      "{ do: 'notify', notice,",
    ],
  }),
  ...faultsIn('money/payments/reports.ts', {
    'a refund is not booked': ['{ captured, refunded, withdrawn, lost },', '{ captured, withdrawn, lost },'],
    'the fee of a provider is not booked': ['providerFees ?? booked.providerFees', 'booked.providerFees'],
  }),
  ...faultsIn('money/claims/decide.ts', {
    'a claim does not hold the money': ['hasOpenClaim || !isHoldOver', '!isHoldOver'],
    'holds do not end': ["return { what: 'final', notice: 'released' };", 'return null;'],
  }),
  ...faultsIn('money/payments/operations.ts', {
    'a payout is asked for under another key each time': [
      "keyOf(payment, 'payout', attempts, amount)",
      "keyOf(payment, 'payout', performance.now(), amount)",
    ],
    'a refund is asked for under another key each time': [
      'attempts, amount),\n    });\n    return {};\n  },\n\n  async reversal',
      'performance.now(), amount),\n    });\n    return {};\n  },\n\n  async reversal',
    ],
    'a seller gets a cent too little': [
      'const amount = dueToSeller(payment, await readTotals(ctx.db, payment.id));',
      'const amount = dueToSeller(payment, await readTotals(ctx.db, payment.id)) - 1;',
    ],
    'what a provider says after an operation is not read': [
      'await settleFromProvider(ctx, (await findPayment(ctx.db, paymentId)) ?? current);',
      '',
    ],
  }),
  ...faultsIn('money/payments/decide-attempt.ts', {
    'an operation that failed once is never tried again': ['...(isOver && {', '...({'],
  }),
  ...faultsIn('money/payments/opening.ts', {
    'a payment is created under another key each time': ['-create`', '-create` + performance.now()'],
    'the provider keeps another fee': [
      'platformFee: payment.platformFee,',
      'platformFee: payment.platformFee + 1,',
    ],
  }),
  ...faultsIn('money/payments/reconcile.ts', {
    'unpaid bids stay': ['await cancelUnpaidBid(trx, bid, at);', ''],
    'a payment whose creation was not answered is forgotten': [
      "if (bid.status === 'accepted') await settle(ctx, id, await ensureAtProvider(provider, payment, bid));",
      "if (bid.status === 'accepted') return false;",
    ],
  }),
  ...faultsIn('money/claims/verdicts.ts', {
    'a decided claim does not pay the seller': [
      'await follow(trx, ctx, locked, endOfSaleClaim(given, note), at);',
      'if (isGranted) await follow(trx, ctx, locked, endOfSaleClaim(given, note), at);',
    ],
  }),
  ...faultsIn('money/claims/sale-claims.ts', {
    'sellers confirm for their buyers': [
      'if (payment.senderId !== ctx.actor.id) {',
      'if (payment.senderId < 0) {',
    ],
  }),
  ...faultsIn('money/payments/events.ts', {
    'an event that fails is swallowed': [
      'await events.putOffEvent(ctx.db, event, nextTry(event.attempts, now), text);',
      'await events.finishEvent(ctx.db, event, ctx.clock(), text);',
    ],
  }),
  ...faultsIn('people/blocks/service.ts', {
    'people bid in spite of a block': [
      'if (blocks.length > 0)\n    throw',
      'if (blocks.length < 0)\n    throw',
    ],
  }),
  ...faultsIn('oversight/moderation/blocking.ts', {
    'a deal begins while its people are blocked': [
      'if ((await listPendingDeals(trx, ctx.actor.id, userId)).length > 0) return false;',
      '',
    ],
  }),
  ...faultsIn('oversight/moderation/effects.ts', {
    'a ban leaves the deals of a person': ['await endDealsOf(ctx, { userId, actorId });', ''],
  }),
  ...faultsIn('oversight/moderation/leaving.ts', {
    'whoever leaves keeps their coupons listed': [
      'await removeCouponsOf(trx, { ownerId: userId, couponIds, at });',
      '',
    ],
    'whoever leaves leaves their deals open': [
      "await cancelOpenDeals(trx, deals, { reason: 'party_left', at, actorId: userId, closedId: userId });",
      '',
    ],
  }),
  ...faultsIn('people/notifications/store.ts', {
    'a mail is lost': ['where mail and (not in_app', 'where false and (not in_app'],
  }),
  ...faultsIn('people/notifications/outbox-store.ts', {
    'a sent mail is not noted': ['.set({ sentAt: at, lastError: null })', '.set({ lastError: null })'],
  }),
  ...faultsIn('people/notifications/sending.ts', {
    'a mail that failed counts as sent': ['return noteFailure(ctx, claimed, error);', 'void error;'],
  }),
  ...faultsIn('money/books/reserve.ts', {
    'the reserve gets nothing': [
      'await bookTotals(trx, { payment, totals: { ...totals, ...due, reserved: due.reserved + kept }, at });\n}\n\n/**\n * What the reserve',
      'void kept;\n}\n\n/**\n * What the reserve',
    ],
  }),
  ...faultsIn('money/books/ledger.ts', {
    'a journal is not written': ['await store.insertJournal(trx, change, entries);', ''],
  }),
  ...FOUND_OUTSIDE,
];
