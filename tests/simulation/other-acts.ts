import { TEST_PASSWORD } from '#server/testing/builders.ts';
import { type Act, type Actor, MERCHANTS, oneOf, REASON } from './acts.ts';
import { ADMIN } from './cast.ts';
import { choose } from './choices.ts';
import { playOutside } from './outside.ts';

/** The id of somebody of the cast, perhaps their own. */
const somebody = ({ luck, world }: Actor) => world.people[Math.floor(luck('whom') * ADMIN)]?.id ?? 0;

/** What people do besides trading. */
export const OTHER_ACTS = {
  block: (actor) => {
    const userId = somebody(actor);
    const isBlocking = actor.luck('blocks') < 0.3;
    return () =>
      actor.call((caller) => (isBlocking ? caller.blocks.add({ userId }) : caller.blocks.remove({ userId })));
  },
  want: ({ call, luck }) => {
    const merchant = choose(luck('merchant'), MERCHANTS);
    return () => call((caller) => caller.wants.create({ merchant, gives: 'any' }));
  },
  /** Proposes the first swap, of two or in a ring, that the finder suggests, or wants to see it no more. */
  match: ({ call, luck, sight, who }) => {
    if (!sight.matched.includes(who)) return null;
    return async () => {
      const [match] = await call((caller) => caller.matches.list());
      if (!match) return;
      const { id } = match;
      await call<unknown>((caller) =>
        luck('dismisses') < 0.3
          ? caller.matches.dismiss({ id, reason: 'not_interested' })
          : caller.matches.propose({ id }),
      );
    };
  },
  report: (actor) => {
    const reportedUserId = somebody(actor);
    return () =>
      actor.call((caller) =>
        caller.moderation.report({ reportedUserId, reason: 'fake_coupon', description: REASON }),
      );
  },
  /** Few leave: those who are left have to trade. */
  leave: ({ call, luck }) =>
    luck('leaves') < 0.1
      ? () => call((caller) => caller.accounts.deleteAccount({ confirmPassword: TEST_PASSWORD }))
      : null,
  /** Somebody does something at a provider, or a bank does. */
  outside:
    ({ luck, world }) =>
    () =>
      playOutside(world, luck),
} as const satisfies Record<string, Act>;

export const ADMIN_ACTS = {
  decide: (actor) => {
    const { call, luck, sight } = actor;
    const sale = oneOf(
      actor,
      'sale',
      sight.bids.filter(({ claim }) => claim !== null),
    );
    const swap = oneOf(
      actor,
      'swap',
      sight.exchanges.filter(({ claims }) => claims.length > 0),
    );
    const note = 'So be it.';
    if (sale?.claim && (luck('which') < 0.6 || !swap)) {
      const id = sale.claim;
      const decision = choose(luck('decision'), ['refund', 'release'] as const);
      return () => call((caller) => caller.payments.decideClaim({ id, decision, note }));
    }
    const id = swap?.claims[0];
    if (id === undefined) return null;
    const decision = choose(luck('decision'), ['upheld', 'refused'] as const);
    return () => call((caller) => caller.claims.decide({ id, decision, note }));
  },
  review:
    ({ call, luck }) =>
    async () => {
      const { items } = await call((caller) => caller.moderation.reports({}));
      const [report] = items;
      if (!report) return;
      const action = luck('action') < 0.1 ? 'ban' : 'dismiss';
      await call((caller) => caller.moderation.review({ id: report.id, action, notes: 'So be it.' }));
    },
  /** Bans somebody for a while, who is mostly the only one: the others have to trade. */
  setStatus: ({ call, luck, sight, world }) => {
    const target = sight.banned[0] ?? Math.floor(luck('whom') * ADMIN);
    const id = world.people[target]?.id ?? 0;
    const status = luck('status') < 0.3 && sight.banned.length === 0 ? 'banned' : 'active';
    return () => call((caller) => caller.admin.setUserStatus({ id, status, reason: 'So be it.' }));
  },
} as const satisfies Record<string, Act>;
