import { describe, expect, it } from 'vitest';
import { proposeExchangeInputSchema } from '#contract/deals/exchanges.ts';
import type { Actor } from '#server/context/context.ts';
import {
  listConversations,
  listMessages,
  markThreadRead,
  sendMessage,
  unreadMessages,
} from '#server/deals/messages/service.ts';
import { createRating, ratingsOfDeal } from '#server/deals/ratings/service.ts';
import { actingAs, setUpContext } from '#tests/support/builders.ts';
import { createRing, historyOf, move, noticesOf, richPeople, twoPeople } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { proposeExchange, reviseExchange } from './proposing.ts';
import { setExchangeStatus } from './service.ts';

const ctx = setUpContext();
const as = (actor: Actor) => actingAs(ctx, actor);

async function proposeBundle() {
  const people = await richPeople(ctx);
  const { requested, alsoRequested, offered } = people;
  const exchange = await proposeExchange(as(people.requester), {
    requestedCouponIds: [requested.id, alsoRequested.id],
    offeredCouponId: offered.id,
    message: null,
  });
  return { ...people, id: exchange.id, exchange };
}

describe('a bundle', () => {
  it('moves several coupons a side at once, and says so [spec/1 3.5]', async () => {
    const { id, exchange, requester, owner, requested, alsoRequested, offered } = await proposeBundle();
    expect(exchange).toMatchObject({ kind: 'swap', requestedCoupon: { id: requested.id } });
    expect(exchange.legs.map(({ coupon }) => coupon.id)).toEqual([
      requested.id,
      alsoRequested.id,
      offered.id,
    ]);
    expect((await noticesOf(ctx, owner)).at(-1)?.content).toBe(
      `${requester.username} proposes an exchange: “${offered.title}” for your “${requested.title}” and “${alsoRequested.title}”.`,
    );
    await move(ctx, owner, id, 'accepted');
    const completed = await move(ctx, owner, id, 'completed');
    expect(completed.legs.map(({ coupon }) => coupon.ownerId)).toEqual([
      requester.id,
      requester.id,
      owner.id,
    ]);
    expect((await historyOf(ctx, requester)).at(-1)?.details).toBe(
      `${owner.username} completed your exchange: you now own “${requested.title}” and “${alsoRequested.title}”.`,
    );
  });

  it('is revised on either side, and only accepted as it was seen', async () => {
    const { id, exchange, requester, owner, requested, offered, alsoOffered } = await proposeBundle();
    const revised = await reviseExchange(as(requester), {
      id,
      requestedCouponIds: [requested.id],
      offeredCouponIds: [offered.id, alsoOffered.id],
      message: undefined,
    });
    expect(revised.legs.map(({ coupon }) => coupon.id)).toEqual([requested.id, offered.id, alsoOffered.id]);
    const accept = (couponIds: number[]) =>
      setExchangeStatus(as(owner), { id, status: 'accepted', couponIds });
    await expect(accept(exchange.legs.map(({ coupon }) => coupon.id))).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'The offer has just changed. Please check it again.',
    });
    await expect(accept([offered.id, alsoOffered.id, requested.id])).resolves.toMatchObject({
      status: 'accepted',
    });
  });

  it('is of two people only, each with their own coupons', async () => {
    const { requester, requested, offered } = await richPeople(ctx);
    const stranger = await twoPeople(ctx);
    const message = null;
    await expect(
      proposeExchange(as(requester), {
        requestedCouponIds: [requested.id, stranger.requested.id],
        offeredCouponId: offered.id,
        message,
      }),
    ).rejects.toMatchObject({ code: 'forbidden', issues: [{ path: 'requestedCouponIds' }] });
    await expect(
      proposeExchange(as(requester), {
        requestedCouponId: requested.id,
        offeredCouponIds: [offered.id, stranger.offered.id],
        message,
      }),
    ).rejects.toMatchObject({ code: 'forbidden', issues: [{ path: 'offeredCouponIds' }] });
  });

  it.each([
    ['nothing', {}, ['requestedCouponId', 'offeredCouponId']],
    [
      'one and several',
      { requestedCouponId: 1, requestedCouponIds: [2], offeredCouponId: 3 },
      ['requestedCouponIds'],
    ],
    ['one twice', { requestedCouponId: 1, offeredCouponIds: [2, 2] }, ['offeredCouponIds']],
    [
      'too many',
      { requestedCouponId: 1, offeredCouponIds: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
      ['offeredCouponIds'],
    ],
  ])('of %s is refused on its field', (_, input, paths) => {
    const { error } = proposeExchangeInputSchema.safeParse(input);
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(paths);
  });
});

it('a message in a ring goes to everybody else, and each reads it for themselves', async () => {
  const { id, author, second, third } = await createRing(ctx);
  const deal = { dealType: 'exchange', dealId: id } as const;
  const sent = await sendMessage(as(author.actor), { ...deal, content: 'Saturday?' });
  expect(sent).toMatchObject({ receiverId: null, isRead: false });
  const unreadOf = async ({ actor }: typeof author) => (await unreadMessages(as(actor))).unread;
  expect([await unreadOf(author), await unreadOf(second), await unreadOf(third)]).toEqual([0, 1, 1]);
  await markThreadRead(as(second.actor), deal);
  expect([await unreadOf(second), await unreadOf(third)]).toEqual([0, 1]);
  const page = { page: 1, limit: 10 };
  const readBy = async ({ actor }: typeof author) =>
    (await listMessages(as(actor), { ...deal, ...page })).items.map(({ isRead }) => isRead);
  expect([await readBy(author), await readBy(second), await readBy(third)]).toEqual([
    [false],
    [true],
    [false],
  ]);
  const { items } = await listConversations(as(third.actor), { ...page, search: author.actor.username });
  expect(items).toMatchObject([
    {
      dealId: id,
      unread: 1,
      otherId: second.actor.id,
      others: [{ id: author.actor.id }, { id: second.actor.id }],
    },
  ]);
});

it('after a ring, people rate those whom they gave to and got from', async () => {
  const { id, author, second, third, people } = await createRing(ctx, { size: 4, consents: 3 });
  await move(ctx, author.actor, id, 'completed');
  const deal = { dealType: 'exchange', dealId: id } as const;
  const rate = (by: typeof author, of?: typeof author) =>
    createRating(as(by.actor), { ...deal, otherId: of?.actor.id, rating: 9, comment: null });
  expect(await rate(author)).toMatchObject({ ratedUserId: people.at(-1)?.actor.id, isVisible: false });
  expect(await rate(author, second)).toMatchObject({ ratedUserId: second.actor.id, isVisible: false });
  await expect(rate(author, second)).rejects.toMatchObject({ code: 'conflict' });
  await expect(rate(author, third)).rejects.toMatchObject({ code: 'not_found' });
  expect(await rate(second, author)).toMatchObject({ isVisible: true });
  const seen = await ratingsOfDeal(as(author.actor), { ...deal, otherId: second.actor.id });
  expect(seen).toMatchObject({ canRate: false, theirs: { rating: 9 }, otherId: second.actor.id });
  expect(await ratingsOfDeal(as(author.actor), deal)).toMatchObject({
    mine: { isVisible: false },
    theirs: null,
  });
});

it('all invariants hold', async () => {
  expect(await checkInvariants(ctx.db)).toEqual([]);
});
