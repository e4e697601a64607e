import { z } from 'zod';
import { idSchema, pagingSchema } from '#contract/base/primitives.ts';
import { listCouponsInputSchema, listOwnCouponsInputSchema } from '#contract/coupons/coupons.ts';
import { addDraftsInputSchema } from '#contract/coupons/drafts.ts';
import { merchantHealthInputSchema } from '#contract/coupons/health.ts';
import { createWantInputSchema } from '#contract/coupons/wants.ts';
import { placeBidInputSchema } from '#contract/deals/bids.ts';
import { dealRefSchema } from '#contract/deals/deals.ts';
import { proposeExchangeInputSchema } from '#contract/deals/exchanges.ts';
import { askInputSchema } from '#contract/people/assistant-requests.ts';
import type { CallContext } from '#server/trpc/context.ts';
import type { Caller } from '../caller.ts';
import * as views from './views.ts';

/** Something that an assistant can do, over the procedures that pages and REST call. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Sentences for an assistant that knows nothing of the market. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** Whether it changes anything: then it counts against the limit of writes. */
  readonly changes: boolean;
  /** @throws as the procedures do */
  run(caller: Caller, given: unknown, ctx: CallContext): Promise<unknown>;
}

interface ToolSpec<Input extends z.ZodObject> extends Omit<Tool, 'input' | 'run'> {
  readonly input: Input;
  run(caller: Caller, given: z.output<Input>, readerId: number | null): Promise<unknown>;
}

const tool = <Input extends z.ZodObject>({ run, ...spec }: ToolSpec<Input>): Tool => ({
  ...spec,
  run: (caller, given, { actor }) => run(caller, spec.input.parse(given), actor?.id ?? null),
});

/** Answers are short: an assistant asks for the next page where it needs one. */
const ROWS = 10;
const page = pagingSchema.shape.page.describe('The "next" of the answer before; 1 for the first page');

interface List<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly nextCursor: string | null;
}

const listOf = <Item, View>({ items, total, nextCursor }: List<Item>, view: (item: Item) => View) => ({
  total,
  next: nextCursor,
  items: items.map(view),
});

const { search, category, merchant, minValue, maxValue, sort } = listCouponsInputSchema.shape;
const wanted = createWantInputSchema.shape;

/** Every tool. None shows a code, accepts or completes a deal, or moves money. */
export const TOOLS: readonly Tool[] = [
  tool({
    name: 'search_coupons',
    title: 'Search coupons',
    description:
      'Finds coupons that are on offer. All typed words must occur in the title, the merchant or the description. Values are in hundredths of the currency.',
    input: z.strictObject({ search, category, merchant, minValue, maxValue, sort, page }),
    changes: false,
    run: async (caller, given, me) =>
      listOf(await caller.coupons.list({ ...given, limit: ROWS }), (coupon) =>
        views.listedCoupon(coupon, me),
      ),
  }),
  tool({
    name: 'get_coupon',
    title: 'Read one coupon',
    description: 'Reads everything that is public about one coupon: its value, last day, terms and owner.',
    input: z.strictObject({ couponId: idSchema }),
    changes: false,
    run: async (caller, { couponId }, me) =>
      views.wholeCoupon(await caller.coupons.byId({ id: couponId }), me),
  }),
  tool({
    name: 'code_health',
    title: 'What is known of a code',
    description:
      'Tells how likely the code of a coupon is to work, of 100, and why. It does not tell the code.',
    input: z.strictObject({ couponId: idSchema }),
    changes: false,
    run: (caller, { couponId }) => caller.health.ofCoupon({ id: couponId }),
  }),
  tool({
    name: 'merchant_health',
    title: 'What is known of a merchant’s codes',
    description:
      'Tells how likely the codes of a merchant are to work, of 100, and how many were checked lately.',
    input: z.strictObject({ name: merchantHealthInputSchema.shape.name }),
    changes: false,
    run: (caller, given) => caller.health.ofMerchant(given),
  }),
  tool({
    name: 'my_coupons',
    title: 'List my coupons',
    description: 'Lists the coupons of the person for whom you act, which they can offer in swaps.',
    input: z.strictObject({ search: listOwnCouponsInputSchema.shape.search, page }),
    changes: false,
    run: async (caller, given, me) =>
      listOf(await caller.coupons.mine({ ...given, limit: ROWS }), (coupon) =>
        views.listedCoupon(coupon, me),
      ),
  }),
  tool({
    name: 'my_matches',
    title: 'List my matches',
    description:
      'Lists swaps that the market has found for the person: what they would give, what they would get, and from whom.',
    input: z.strictObject({}),
    changes: false,
    run: async (caller, _given, me) =>
      (await caller.matches.list()).slice(0, ROWS).map((match) => views.match(match, me)),
  }),
  tool({
    name: 'market_day',
    title: 'Read the market day',
    description:
      'Tells how many swaps were possible in the whole market last night, and coupons of which merchants would bring more.',
    input: z.strictObject({}),
    changes: false,
    run: async (caller, _given, me) => views.market(await caller.matches.market(), me),
  }),
  tool({
    name: 'deals_waiting',
    title: 'List deals that wait for me',
    description:
      'Lists swaps and bids in which it is the person’s turn, with what they are to do next and until when. Only the person can do it, in their browser.',
    input: z.strictObject({}),
    changes: false,
    run: async (caller, _given, me) => {
      const { items } = await caller.deals.list({ limit: ROWS });
      return items.filter(({ stage }) => stage === 'yours').map((deal) => views.deal(deal, me));
    },
  }),
  tool({
    name: 'get_deal',
    title: 'Read one deal',
    description:
      'Reads a swap ("exchange") or a bid of the person: the coupons, the amounts, the message and the state.',
    input: z.strictObject(dealRefSchema.shape),
    changes: false,
    run: async (caller, { dealType, dealId }, me) =>
      dealType === 'bid'
        ? views.bid(await caller.bids.byId({ id: dealId }), me)
        : views.swap(await caller.exchanges.byId({ id: dealId }), me),
  }),
  tool({
    name: 'my_wishes',
    title: 'List my wishes',
    description: 'Lists what the person looks for, and how many coupons were found for each wish.',
    input: z.strictObject({}),
    changes: false,
    run: async (caller, _given, me) => (await caller.wants.list()).map((want) => views.wish(want, me)),
  }),
  tool({
    name: 'add_wish',
    title: 'Add a wish',
    description:
      'Adds a wish to the person’s list; they are told of new coupons that match. Give a word, a merchant or a category. Values are in hundredths of the currency.',
    input: z.strictObject({
      search: wanted.search,
      merchant: wanted.merchant,
      category: wanted.category,
      minValue: wanted.minValue,
      maxValue: wanted.maxValue,
    }),
    changes: true,
    run: async (caller, given, me) => views.wish(await caller.wants.create(given), me),
  }),
  tool({
    name: 'propose_swap',
    title: 'Propose a swap',
    description:
      'Offers coupons of the person for coupons of one other person, who may accept or decline. Nothing changes hands before both have agreed and one of them has completed the swap in a browser.',
    input: z.strictObject({
      requestedCouponIds: proposeExchangeInputSchema.shape.requestedCouponIds.unwrap(),
      offeredCouponIds: proposeExchangeInputSchema.shape.offeredCouponIds.unwrap(),
      message: proposeExchangeInputSchema.shape.message,
    }),
    changes: true,
    run: async (caller, given, me) => views.swap(await caller.exchanges.propose(given), me),
  }),
  tool({
    name: 'place_bid',
    title: 'Bid on a coupon',
    description:
      'Offers money for a coupon; its owner may accept within seven days, and an accepted bid is binding. A bid that the asking price would accept at once is refused.',
    input: z.strictObject({
      couponId: idSchema,
      amount: placeBidInputSchema.shape.amount,
      message: placeBidInputSchema.shape.message,
      acknowledgeNoCode: placeBidInputSchema.shape.acknowledgeNoCode,
    }),
    changes: true,
    run: async (caller, given, me) => views.bid(await caller.bids.place({ ...given, mustWait: true }), me),
  }),
  tool({
    name: 'add_coupon_drafts',
    title: 'Add coupon drafts from a text',
    description:
      'Reads the coupons that a text describes, such as an email or a receipt, and keeps them as drafts. The person looks them over and lists them in their browser.',
    input: z.strictObject(addDraftsInputSchema.shape),
    changes: true,
    run: (caller, given) => caller.drafts.add(given),
  }),
  tool({
    name: 'ask_my_person',
    title: 'Ask the person to confirm an act',
    description:
      'Asks the person to accept, decline, complete or cancel a deal, to send a message, to buy or pay, or to look at a code. They are notified, and have ten minutes to confirm or decline it in their browser. Nothing happens before that, and you never see a code.',
    input: z.strictObject(askInputSchema.shape),
    changes: true,
    run: async (caller, given, me) => views.request(await caller.assistantRequests.ask(given), me),
  }),
  tool({
    name: 'get_request',
    title: 'See how a request stands',
    description:
      'Tells whether the person has confirmed or declined what you have asked, or whether it has expired.',
    input: z.strictObject({ requestId: idSchema }),
    changes: false,
    run: async (caller, { requestId }, me) =>
      views.request(await caller.assistantRequests.byId({ id: requestId }), me),
  }),
];
