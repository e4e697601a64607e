import { decimalToCents } from '#contract/base/money.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { beginReissues, endMinted, queueReissues, replaceCodes } from '#server/coupons/codes/service.ts';
import { releaseReservation, reserveCoupons, transferCoupons } from '#server/coupons/core/service.ts';
import type { Trx } from '#server/database/client.ts';
import { addPriceBids, completePriceBids } from '#server/deals/bids/service.ts';
import {
  acceptedDeal,
  countCompleted,
  endDeals,
  type Terms,
  termsNow,
} from '#server/deals/lifecycle/service.ts';
import { notifyParties } from '#server/people/notifications/service.ts';
import { withDeposit } from '#server/texts/deposits.ts';
import { EXCHANGE_TEXTS, type ExchangeFacts, type OwnPrice, withPrices } from '#server/texts/exchanges.ts';
import type { ExchangeChange } from './decide.ts';
import { askingRefusal } from './decide-deposits.ts';
import { agreedPrices } from './decide-prices.ts';
import { hasDeposits } from './deposits.ts';
import { findOwn } from './own.ts';
import { couponIdsOf, type ExchangeTransition, TRANSITIONS } from './rules.ts';
import * as store from './store.ts';
import { toExchange, toPrice } from './view.ts';

/** What the changes of exchanges need. */
export type ApplyContext = Pick<Context, 'config' | 'vault' | 'clock' | 'providers'>;

/** The exchange that changes, as it was read, and whose act it is; null: no person's. */
interface Subject {
  readonly exchange: store.ExchangeRow;
  readonly actorId: number | null;
  readonly at: Date;
}

/**
 * Writes what was decided about an exchange, in order. Lock its coupons and the exchange first.
 * @throws AppError coupon_reserved, deal_changed, code_on_its_way: what the database alone knows
 */
export async function applyChanges(
  trx: Trx,
  ctx: ApplyContext,
  subject: Subject,
  changes: readonly ExchangeChange[],
): Promise<void> {
  for (const change of changes) await applyChange(trx, ctx, subject, change);
}

async function applyChange(
  trx: Trx,
  ctx: ApplyContext,
  subject: Subject,
  change: ExchangeChange,
): Promise<void> {
  const { exchange, actorId, at } = subject;
  const { id: exchangeId } = exchange;
  const deal = { exchangeId };
  switch (change.kind) {
    case 'consent':
      return store.consent(trx, exchangeId, { ...change, terms: termsNow(ctx.config), at });
    case 'reserve':
      return reserveCoupons(trx, { deal, couponIds: change.couponIds, at });
    case 'addPriceBids':
      return addPriceBids(trx, { exchangeId, prices: agreedPrices(exchange, termsNow(ctx.config)), at });
    case 'completePriceBids':
      return completePriceBids(trx, exchangeId, at);
    case 'move':
      return store.moveExchange(trx, exchangeId, { ...change, at });
    case 'transfer':
      return transferCoupons(trx, { deal, moves: change.moves, at });
    case 'free':
      return releaseReservation(trx, deal);
    case 'endRivals': {
      const { couponIds } = change;
      await endDeals(trx, { reason: 'rival_completed', deals: [], couponIds, actorId, at });
      return;
    }
    case 'count':
      return countCompleted(trx, 'exchange', change.userIds);
    case 'mint':
      return beginReissues(trx, ctx, { exchangeId, actorId: change.actorId, legs: change.legs, at });
    case 'replaceCodes':
      return replaceCodes(trx, ctx, change.codes, at);
    case 'endMinted':
      return endMinted(trx, change.codes, at);
    case 'queueCodes':
      return queueReissues(trx, ctx, { deal, moves: change.moves, paid: change.paid, at });
    case 'expire': {
      const deals = [acceptedDeal(deal)];
      await endDeals(trx, { reason: 'coupon_expired', deals, couponIds: change.couponIds, actorId, at });
      return;
    }
    case 'tell':
      return tellOfTransition(trx, ctx, { exchange, transition: change.transition, actorId, at });
  }
}

/**
 * Tells of a proposal as it is now stored, and returns it as its author now sees it.
 * @throws AppError bad_input on `deposit`: none can be asked for
 */
export async function afterProposal(
  trx: Trx,
  ctx: MemberContext,
  id: number,
  transition: 'propose' | 'counter' | 'revise',
  at: Date,
): Promise<Exchange> {
  const { exchange } = await findOwn(trx, id, ctx.actor.id);
  const refusal = askingRefusal(exchange, hasDeposits(ctx));
  if (refusal) throw refusal;
  await tellOfTransition(trx, ctx, { exchange, transition, actorId: ctx.actor.id, at });
  return toExchange(exchange, ctx.actor.id, termsNow(ctx.config));
}

/** Writes the histories of all parties and notifies all but the actor. @param news.actorId null: no person did it */
async function tellOfTransition(
  trx: Trx,
  { config }: Pick<Context, 'config'>,
  news: { exchange: store.ExchangeRow; transition: ExchangeTransition; actorId: number | null; at: Date },
): Promise<void> {
  const { exchange, transition, actorId, at } = news;
  const { id } = exchange;
  const { action, type, event, status } = TRANSITIONS[transition];
  const texts = EXCHANGE_TEXTS[exchange.kind][transition];
  if (!texts) throw new Error(`A ${exchange.kind} has no ${transition}`);
  await notifyParties(trx, [
    {
      deal: { dealType: 'exchange', dealId: id },
      parties: exchange.parties.map(({ id: userId }) => {
        const facts = factsFor(exchange, userId, actorId);
        const text = userId === actorId ? texts.actor(facts) : texts.other(facts);
        const prices = ownPrices(exchange, userId, termsNow(config));
        const full = facts.isPriced ? withPrices(transition, { text, prices }) : text;
        const { deposit } = exchange;
        if (deposit === null) return { userId, text: full };
        return { userId, text: withDeposit(transition, { text: full, amount: decimalToCents(deposit) }) };
      }),
      actorId,
      action,
      event,
      data: { couponIds: couponIdsOf(exchange), status },
      type,
      mailSubject: texts.subject?.(),
      at,
    },
  ]);
}

/** What the texts say to one reader. */
function factsFor(
  { requesterId, parties, legs }: store.ExchangeRow,
  readerId: number,
  actorId: number | null,
): ExchangeFacts {
  const nameOf = (userId: number) => parties.find(({ id }) => id === userId)?.username ?? '';
  const titles = (side: 'giverId' | 'receiverId', userId: number) =>
    legs.filter((leg) => leg[side] === userId).map(({ coupon }) => coupon.title);
  return {
    requester: nameOf(requesterId),
    owner: nameOf(parties.find(({ id }) => id !== requesterId)?.id ?? 0),
    actor: actorId === null ? '' : nameOf(actorId),
    others: parties.filter(({ id }) => id !== readerId).map(({ username }) => username),
    offered: titles('giverId', requesterId),
    asked: titles('receiverId', requesterId),
    given: titles('giverId', readerId),
    got: titles('receiverId', readerId),
    isPriced: legs.some(({ price }) => price !== null),
  };
}

/** What one reader pays or gets besides. */
function ownPrices(exchange: store.ExchangeRow, readerId: number, now: Terms): OwnPrice[] {
  return exchange.legs.flatMap((leg) => {
    const { giverId, giverUsername, receiverId, receiverUsername } = leg;
    const shown = toPrice(exchange, leg, now);
    if (!shown || (readerId !== giverId && readerId !== receiverId)) return [];
    const { amount, buyerTotal, netAmount } = shown;
    const isPayer = readerId === receiverId;
    return [{ amount, buyerTotal, netAmount, pays: receiverUsername, gets: giverUsername, isPayer }];
  });
}
