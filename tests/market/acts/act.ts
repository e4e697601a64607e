import * as fc from 'fast-check';
import type { ErrorCode } from '#contract/base/errors.ts';
import type { Caller } from '#server/rest/caller.ts';
import type { Market } from '#tests/support/payments.ts';
import {
  ADMIN,
  type Bid,
  type Coupon,
  type Deal,
  type Exchange,
  isOpen,
  NOTHING,
  nameOf,
  personOf,
  type State,
} from '../state.ts';

/** How a call ends: 'ok' or what the answer says, or the code of the refusal. */
export type Answer = 'ok' | NonNullable<Bid['payment']>['state'] | ErrorCode | `internal: ${string}`;

/** The marketplace itself, with the ids of what the acts know by number. */
export interface ActWorld {
  /** The providers, where people pay. */
  readonly market: Pick<Market, 'stripe' | 'paypal'>;
  couponId(number: number): number;
  exchangeId(number: number): number;
  bidId(number: number): number;
  personId(who: number): number;
  usernameOf(who: number): string;
  /** The claim about a sale. */
  claimId(bid: number): Promise<number>;
  legClaimId(exchange: number, coupon: number): Promise<number>;
  /** Remembers the id of what a call has made. */
  remember(kind: 'coupons' | 'exchanges' | 'bids', number: number, id: number): void;
  /** The number of a coupon. */
  couponOf(id: number): number | undefined;
  /** Counts what must come up, so that no rule about it holds for nothing. */
  note(what: 'counters' | 'deposits' | 'legClaims' | 'rings'): void;
}

/** One transaction of a call, done to the model. An answer ends the call. */
export type Step = (state: State) => Answer | undefined;

/** A call, made concrete for what there is now. */
export interface Aimed {
  /** What happens, for people: 'ben accepts exchange 4'. */
  readonly text: string;
  /** Whose session it comes with; null for the jobs. */
  readonly who: number | null;
  /** Who may make such a call. */
  readonly gate: 'anybody' | 'member' | 'active' | 'admin';
  readonly steps: readonly Step[];
  call(world: ActWorld, caller: Caller): Promise<Answer>;
  /** Refusals without effect that it may also get while others act. */
  readonly mayAlso?: readonly Answer[];
  /** Changes who may act, which a call at the same time may see or not. */
  readonly isAboutPeople?: boolean;
  /** The deal that nobody else may do this to than its parties, or than the first of them. */
  readonly party?: { readonly deal: number; readonly isFirst?: boolean };
  /** The bid that it pays for: no two such calls run at once, because the provider refuses one of them at random. */
  readonly pays?: number;
}

/** One random act, before it is known what there will be to act on. */
export interface Act {
  /** @param own the number of what it makes, if it makes something */
  aim(state: State, own: number): Aimed;
  toString(): string;
}

export const act = (name: string, aim: Act['aim']): Act => ({ aim, toString: () => name });

/** Four people of whom each may act. */
export const member = fc.nat(ADMIN - 1);

/** Chooses a coupon when the time has come: one of the person's own, of others, or any. */
export const couponChoice = (usual: 'own' | 'others') =>
  fc.record({
    of: fc.oneof(
      { weight: 9, arbitrary: fc.constant(usual) },
      { weight: 1, arbitrary: fc.constantFrom('own' as const, 'others' as const) },
    ),
    isLive: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
    nth: fc.nat(30),
  });
type CouponChoice = typeof couponChoice extends (...given: never[]) => fc.Arbitrary<infer Choice>
  ? Choice
  : never;

/** The number of the chosen coupon; `NOTHING` if there is none. */
export function chooseCoupon(state: State, who: number, { of, isLive, nth }: CouponChoice): number {
  const found = [...state.coupons].filter(([, coupon]) => (of === 'own') === (coupon.owner === who));
  const live = found.filter(([, coupon]) => coupon.isListed && coupon.heldBy === null);
  const among = isLive && live.length > 0 ? live : found;
  return among[nth % Math.max(1, among.length)]?.[0] ?? NOTHING;
}

/** Chooses a deal, mostly an open one, and who acts on it: one of its parties or a stranger. */
export const dealChoice = (usual: 'first' | 'second') =>
  fc.record({
    side: fc.oneof(
      { weight: 8, arbitrary: fc.constant(usual) },
      fc.constantFrom('first' as const, 'second' as const),
      fc.constant('stranger' as const),
    ),
    isOpen: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
    nth: fc.nat(30),
  });
export type DealChoice = ReturnType<typeof dealChoice> extends fc.Arbitrary<infer Choice> ? Choice : never;

interface Chosen<Kind extends Deal> {
  readonly id: number;
  readonly deal: Kind | undefined;
  readonly who: number;
}

type OfKind<Kind extends Deal['kind']> = Kind extends 'bid' ? Bid : Exchange;

/**
 * The chosen deal and who acts on it. Without any, the person asks for one that is not there.
 * @param isUsual which deals such an act is usually about
 */
export function chooseDeal<Kind extends 'bid' | 'swap'>(
  state: State,
  kind: Kind,
  { side, isOpen: isUsual, nth }: DealChoice,
  usual: (deal: OfKind<Kind>) => boolean = isOpen,
): Chosen<OfKind<Kind>> {
  const found = [...state.deals].filter((entry): entry is [number, OfKind<Kind>] => entry[1].kind === kind);
  const wanted = found.filter(([, deal]) => usual(deal));
  const among = isUsual && wanted.length > 0 ? wanted : found;
  const [id, deal] = among[nth % Math.max(1, among.length)] ?? [NOTHING, undefined];
  const [first = 0, second = 1] = deal?.parties ?? [];
  const stranger = [0, 1, 2].find((who) => who !== first && who !== second) ?? 0;
  return { id, deal, who: { first, second, stranger }[side] };
}

/** The refusal of a call at the door; undefined when it may go on. */
export function admit(state: State, { who, gate }: Pick<Aimed, 'who' | 'gate'>): Answer | undefined {
  if (who === null || gate === 'anybody') return undefined;
  const { status, isSignedIn } = personOf(state, who);
  if (!isSignedIn) return 'unauthorized';
  if (gate === 'member') return undefined;
  if (status !== 'active' || (gate === 'admin' && who !== ADMIN)) return 'forbidden';
  return undefined;
}

/** What the model says of one call; it changes the state. */
export function foresee(state: State, call: Aimed): Answer {
  let said = admit(state, call);
  for (const step of call.steps) said ??= step(state);
  return said ?? 'ok';
}

/** The parts of the model that an act is about; a step looks them up again, since others may have changed them. */
export const couponAt = (state: State, id: number): Coupon | undefined => {
  const coupon = state.coupons.get(id);
  return coupon?.isDeleted ? undefined : coupon;
};
export const exchangeAt = (state: State, id: number): Exchange | undefined => {
  const deal = state.deals.get(id);
  return deal && deal.kind !== 'bid' ? deal : undefined;
};
export const bidAt = (state: State, id: number): Bid | undefined => {
  const deal = state.deals.get(id);
  return deal?.kind === 'bid' ? deal : undefined;
};

export const says = (who: number, what: string) => `${nameOf(who)} ${what}`;
