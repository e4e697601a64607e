import { t } from '@lingui/core/macro';
import type { PaymentMethod } from '#contract/money/payments.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { sha256 } from '#server/core/crypto.ts';
import { notFound } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import type { PaymentProvider } from '#server/providers/payments.ts';
import * as store from './cards-store.ts';
import { translateErrors } from './settlement.ts';

/** A saved card without the provider's token. */
function toPaymentMethod({ tokenizedDetails: _, createdAt, ...card }: store.CardRow): PaymentMethod {
  return { ...card, type: 'card', createdAt: createdAt.toISOString() };
}

export async function listPaymentMethods(ctx: MemberContext): Promise<PaymentMethod[]> {
  return (await store.listCards(ctx.db, ctx.actor.id)).map(toPaymentMethod);
}

/** One of the caller's saved cards. @throws AppError not_found */
export async function findOwnCard(ctx: MemberContext, id: number): Promise<store.CardRow> {
  const card = (await store.listCards(ctx.db, ctx.actor.id)).find((kept) => kept.id === id);
  if (!card) throw notFound(t`Payment method not found`);
  return card;
}

/** Deletes a card at the provider, then here. @throws AppError not_found; AppError when the provider fails */
export async function removePaymentMethod(ctx: MemberContext, id: number): Promise<void> {
  const card = await findOwnCard(ctx, id);
  const vault = ctx.providers.payments.stripe?.cards;
  if (vault) await translateErrors(vault.forgetCard(card.tokenizedDetails));
  await inTransaction(ctx.db, async (trx) => {
    await store.lockOwner(trx, ctx.actor.id);
    await store.deleteCard(trx, ctx.actor.id, id, ctx.clock());
  });
}

export async function setDefaultPaymentMethod(ctx: MemberContext, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await store.lockOwner(trx, ctx.actor.id);
    const isOwn = (await store.listCards(trx, ctx.actor.id)).some((card) => card.id === id);
    if (!isOwn) throw notFound(t`Payment method not found`);
    await store.setDefault(trx, ctx.actor.id, id, ctx.clock());
  });
}

/** The caller's customer id at the provider, created on first use. */
export async function ensureCustomer(ctx: MemberContext, provider: PaymentProvider): Promise<string> {
  const userId = ctx.actor.id;
  const known = await store.findCustomer(ctx.db, userId, provider.name);
  if (known !== null) return known;
  if (!provider.cards) throw new Error(`${provider.name} keeps no cards`);
  const email = await store.findEmail(ctx.db, userId);
  // The provider refuses a repeated key with another e-mail address, so the address is part of the key.
  const idempotencyKey = `clipswap-customer-${userId}-${sha256(email).slice(0, 16)}`;
  const customerRef = await provider.cards.createCustomer({ userId, email, idempotencyKey });
  await store.insertCustomer(ctx.db, { userId, provider: provider.name, customerRef, at: ctx.clock() });
  return (await store.findCustomer(ctx.db, userId, provider.name)) ?? customerRef;
}

const CARDS_AT_ONCE = 50;

/**
 * Deletes the cards of people who have left, first at the provider. A card whose deletion fails is tried again by the
 * next call.
 * @param userId only this person's
 * @returns the number of deleted cards
 */
export async function deleteCardsOfLeavers(ctx: Context, userId?: number): Promise<number> {
  const vault = ctx.providers.payments.stripe?.cards;
  let count = 0;
  for (const card of await store.listCardsOfLeavers(ctx.db, CARDS_AT_ONCE, userId)) {
    try {
      await vault?.forgetCard(card.tokenizedDetails);
      await store.deleteCardOfLeaver(ctx.db, card.id);
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
