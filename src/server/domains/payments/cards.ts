import type { PaymentMethod } from '#contract/payments.ts';
import { sha256 } from '#server/core/crypto.ts';
import { notFound } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import type { PaymentProvider } from '#server/providers/payments.ts';
import type { Context, MemberContext } from '../context.ts';
import * as store from './cards-store.ts';
import { orRefusal } from './settlement.ts';
import { toPaymentMethod } from './view.ts';

/** The caller's kept cards, the default first. */
export async function listPaymentMethods(ctx: MemberContext): Promise<PaymentMethod[]> {
  return (await store.listCards(ctx.db, ctx.actor.id)).map(toPaymentMethod);
}

/** A kept card of the caller's own. @throws AppError not_found */
export async function ownCard(ctx: MemberContext, id: number): Promise<store.CardRow> {
  const card = (await store.listCards(ctx.db, ctx.actor.id)).find((kept) => kept.id === id);
  if (!card) throw notFound('Payment method');
  return card;
}

/** Forgets a card, at the provider first: what cannot be forgotten there stays here. @throws AppError not_found */
export async function removePaymentMethod(ctx: MemberContext, id: number): Promise<void> {
  const card = await ownCard(ctx, id);
  const vault = ctx.providers.payments.stripe?.cards;
  if (vault) await orRefusal(vault.forgetCard(card.tokenizedDetails));
  await inTransaction(ctx.db, async (trx) => {
    await store.lockOwner(trx, ctx.actor.id);
    await store.deleteCard(trx, ctx.actor.id, id, ctx.clock());
  });
}

/** Chooses the card that checkout offers first. @throws AppError not_found */
export async function setDefaultPaymentMethod(ctx: MemberContext, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await store.lockOwner(trx, ctx.actor.id);
    const isOwn = (await store.listCards(trx, ctx.actor.id)).some((card) => card.id === id);
    if (!isOwn) throw notFound('Payment method');
    await store.setDefault(trx, ctx.actor.id, id, ctx.clock());
  });
}

/** The provider's customer that stands for the caller, made at the first need. */
export async function customerOf(ctx: MemberContext, provider: PaymentProvider): Promise<string> {
  const userId = ctx.actor.id;
  const known = await store.findCustomer(ctx.db, userId, provider.name);
  if (known !== null) return known;
  if (!provider.cards) throw new Error(`${provider.name} keeps no cards`);
  const email = await store.findEmail(ctx.db, userId);
  // The same key for the same question: an address that has changed meanwhile is another.
  const idempotencyKey = `clipswap-customer-${userId}-${sha256(email).slice(0, 16)}`;
  const customerRef = await provider.cards.createCustomer({ userId, email, idempotencyKey });
  await store.insertCustomer(ctx.db, { userId, provider: provider.name, customerRef, at: ctx.clock() });
  return (await store.findCustomer(ctx.db, userId, provider.name)) ?? customerRef;
}

const CARDS_AT_ONCE = 50;

/**
 * Forgets the cards of people who have left, at the provider first. One that the provider does not forget now stays
 * written down, and is tried again by the next call.
 * @param userId of this person alone
 * @returns how many were forgotten
 */
export async function forgetCardsLeft(ctx: Context, userId?: number): Promise<number> {
  const vault = ctx.providers.payments.stripe?.cards;
  let count = 0;
  for (const card of await store.listCardsLeft(ctx.db, CARDS_AT_ONCE, userId)) {
    try {
      await vault?.forgetCard(card.tokenizedDetails);
      await store.deleteCardLeft(ctx.db, card.id);
      count += 1;
    } catch (error) {
      ctx.log.warn(
        { err: error, cardId: card.id, userId: card.userId },
        'a card is not forgotten; later again',
      );
    }
  }
  return count;
}
