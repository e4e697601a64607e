import type { Actor } from '#server/context/context.ts';
import { bidOn, makeReady } from '#tests/support/bids.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { propose } from '#tests/support/exchanges.ts';
import { insertMatch } from '#tests/support/matches.ts';
import { marketOf } from '#tests/support/payments.ts';
import { insertReport } from '#tests/support/reports.ts';
import { insertHeldSale } from '#tests/support/sales.ts';
import type { Site } from '../site.ts';
import type { Step } from '../without-network.ts';

export interface Journey {
  readonly name: string;
  /** Null for a visitor. */
  readonly who: Actor | null;
  readonly steps: readonly Step[];
}

export type JourneyMarket = Awaited<ReturnType<typeof openJourneyMarket>>;

/** A market in which there is everything to do for Ana, who is in the middle of all deals, and for an admin. */
export async function openJourneyMarket(site: Site) {
  const { ctx } = site;
  const market = marketOf(site);
  const [ana, ben] = [await createUser(ctx, { username: 'ana' }), await createUser(ctx, { username: 'ben' })];
  const admin = await createUser(ctx, { username: 'ada', role: 'admin' });
  await makeReady(ctx, ben);
  const seller = await market.readySeller();
  const own = (title: string) => createCoupon(ctx, ana, { title });
  const others = (title: string, more = {}) => createCoupon(ctx, ben, { title, ...more });
  const due = () => market.acceptedBid({ seller, buyer: ana });
  const paid = async () => {
    const bid = await due();
    await market.payByCard(bid);
    return bid.id;
  };
  const [soup, tea] = [await own('Soup for two'), await others('Tea for one')];
  await own('Bread');
  const swap = { offered: await others('Kettle'), requested: await own('Scarf') };
  await insertMatch(ctx, [ana, ben, seller]);
  await insertReport(ctx, await createUser(ctx), ben);
  const claimed = { withClaim: true, answer: 'It worked for me.' };
  await insertHeldSale(ctx, await createUser(ctx), await createUser(ctx), claimed);
  return {
    site,
    people: { ana, ben, admin },
    soup: soup.id,
    tea: tea.id,
    cake: (await others('Cake for one', { askingPrice: '9.00' })).id,
    swap: (await propose(ctx, ben, swap)).id,
    /** Bids of Ben's, which wait for Ana. */
    bids: [await bidOn(ctx, ben, await own('Lamp')), await bidOn(ctx, ben, await own('Vase'))].map(
      ({ id }) => id,
    ),
    /** Bids of Ana's that she has to pay, and that she has paid. */
    due: { byCard: (await due()).id, byPaypal: (await due()).id },
    paid: { works: await paid(), fails: await paid() },
  };
}
