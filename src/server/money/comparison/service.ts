import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { countInWorkers, settleFromProvider } from '#server/money/payments/service.ts';
import type { MovementKind, MovementList, ProviderMovement } from '#server/providers/movements.ts';
import type { PaymentProvider } from '#server/providers/payments.ts';
import { compareDeposits } from './deposits.ts';
import * as store from './store.ts';

type Payment = store.ComparedPayment;

/** A comparison of our books with a provider's. */
export interface Comparison {
  /** How many payments moved money in that time, there or with us. */
  readonly payments: number;
  readonly differences: readonly (store.Difference & { readonly isHandled: boolean })[];
  /** Differences of earlier comparisons that are gone. */
  readonly closed: number;
  /** Movements on our account that are not of our payments. */
  readonly foreign: readonly ProviderMovement[];
  /** Payments that differ, and cannot be compared yet: something is on its way, or the provider did not answer. */
  readonly undecided: number;
  /** Sellers' accounts that we may not look into. */
  readonly closedAccounts: readonly string[];
}

/** The days that each daily comparison covers: PayPal's search is hours behind, and a provider may be down for a day. */
export const DAILY_DAYS = 7;
/** PayPal takes disputes for 180 days after a payment; after that, nothing moves any more. */
const ACCOUNT_DAYS = 180;
/** A difference counts if it is found again this often after the payment was settled. */
const LOOKS = 2;

/**
 * Compares our books with a provider's for a time, and stores the differences. The sums of the time only say which
 * payments to look at: a movement of one day may be booked on the next. Those are settled from the provider, and
 * compared from their beginning.
 * @returns null when the provider is not set up
 * @throws ProviderRefusal, ProviderUnreachable
 */
export async function compareBooks(
  ctx: Context,
  name: PaymentProviderName,
  given: { readonly from: Date; readonly to: Date },
): Promise<Comparison | null> {
  const provider = ctx.providers.payments[name];
  if (!provider) return null;
  const now = ctx.clock();
  const span = { from: given.from, to: given.to < now ? given.to : now };
  const accounts =
    name === 'paypal' ? await store.listReceivers(ctx.db, name, addDays(now, -ACCOUNT_DAYS)) : [];
  const kinds = provider.listedKinds;
  const list = await provider.listMovements({ ...span, accounts });
  const deposits = await compareDeposits(ctx, provider, { ...span, movements: list.movements });
  const { known, unknown, foreign: others } = await sortOut(ctx, provider, list);
  const foreign = others.filter(({ chargeRef }) => !deposits.chargeRefs.has(chargeRef));
  const booked = await store.sumBooked(ctx.db, { provider: name, kinds, ...span });
  const seen = new Set([...known.map(({ payment }) => payment.id), ...booked.map((row) => row.paymentId)]);
  const differing = [
    ...sumsThatDiffer(known, booked).map(({ paymentId }) => paymentId),
    ...(await store.listDifferingPayments(ctx.db, name)),
  ];
  const closer = await lookCloser(ctx, provider, { from: span.from, ids: [...new Set(differing)] });
  const differences = [
    ...closer.differences,
    ...unknown.map((movement) => missingWithUs(name, movement)),
    ...deposits.differences,
  ];
  const undecided = new Set(closer.undecided);
  const paymentIds = [...seen, ...differing].filter((id) => !undecided.has(id));
  const stored = await inTransaction(ctx.db, async (trx) => {
    const open = [];
    for (const difference of differences) {
      open.push({ ...difference, isHandled: !(await store.putDifference(trx, difference, now)) });
    }
    const refs = [...known.map(({ movement }) => refOf(movement)), ...deposits.refs];
    const found = differences.map(({ ref }) => ref);
    const closed = await store.closeGone(trx, { provider: name, paymentIds, refs, found, at: now });
    return { differences: open, closed };
  });
  const { closedAccounts } = list;
  return { ...stored, payments: seen.size, foreign, undecided: undecided.size, closedAccounts };
}

/** The daily comparison. @returns null when the provider is not set up @throws ProviderRefusal, ProviderUnreachable */
export async function compareLately(ctx: Context, name: PaymentProviderName): Promise<Comparison | null> {
  const to = ctx.clock();
  return compareBooks(ctx, name, { from: addDays(to, -DAILY_DAYS), to });
}

interface Known {
  readonly movement: ProviderMovement & { readonly kind: MovementKind };
  readonly payment: Payment;
}

/** Which movements are of payments of ours, name a payment that we do not have, or are of something else. */
async function sortOut(ctx: Context, { name }: PaymentProvider, { movements }: MovementList) {
  const publicIds = new Set(movements.flatMap(({ publicId }) => publicId ?? []));
  const chargeRefs = new Set(movements.flatMap(({ chargeRef }) => chargeRef ?? []));
  const payments = await store.findNamedPayments(ctx.db, name, {
    publicIds: [...publicIds],
    chargeRefs: [...chargeRefs],
  });
  const byId = new Map(payments.map((payment) => [payment.publicId, payment]));
  const byCharge = new Map(payments.map((payment) => [payment.chargeRef, payment]));
  const known: Known[] = [];
  const unknown: (ProviderMovement & { readonly kind: MovementKind })[] = [];
  const foreign: ProviderMovement[] = [];
  for (const movement of movements) {
    const { kind, publicId, chargeRef } = movement;
    const payment =
      publicId !== null ? byId.get(publicId) : chargeRef !== null ? byCharge.get(chargeRef) : undefined;
    if (payment && kind !== null) known.push({ movement: { ...movement, kind }, payment });
    else if (publicId !== null && kind !== null) unknown.push({ ...movement, kind });
    else if (!payment && publicId === null && movement.isOwnAccount) foreign.push(movement);
  }
  return { known, unknown, foreign };
}

const refOf = ({ ref, kind }: ProviderMovement) => `${ref}:${kind}`;

function missingWithUs(
  provider: PaymentProviderName,
  movement: ProviderMovement & { readonly kind: MovementKind },
): store.Difference {
  const { kind, amount: theirs } = movement;
  return { provider, ref: refOf(movement), paymentId: null, kind, ours: 0, theirs };
}

interface Sums {
  readonly paymentId: number;
  readonly kind: MovementKind;
  readonly ours: number;
  readonly theirs: number;
}

/** The payments and kinds whose sums differ. */
function sumsThatDiffer(
  known: readonly Known[],
  booked: readonly Pick<store.BookedKind, 'paymentId' | 'kind' | 'amount'>[],
): Sums[] {
  const sums = new Map<string, Sums>();
  const add = (paymentId: number, kind: MovementKind, more: { ours?: number; theirs?: number }) => {
    const key = `${paymentId}:${kind}`;
    const { ours, theirs } = sums.get(key) ?? { ours: 0, theirs: 0 };
    sums.set(key, { paymentId, kind, ours: ours + (more.ours ?? 0), theirs: theirs + (more.theirs ?? 0) });
  };
  for (const { payment, movement } of known) add(payment.id, movement.kind, { theirs: movement.amount });
  for (const { paymentId, kind, amount } of booked) add(paymentId, kind, { ours: amount });
  return [...sums.values()].filter(({ ours, theirs }) => ours !== theirs);
}

/** Settles payments from the provider and compares all that ever moved for them. */
async function lookCloser(
  ctx: Context,
  provider: PaymentProvider,
  { from, ids }: { readonly from: Date; readonly ids: readonly number[] },
): Promise<{ differences: store.Difference[]; undecided: number[] }> {
  const undecided: number[] = [];
  let waiting = await store.findPaymentsById(ctx.db, provider.name, ids);
  let differing: Sums[] = [];
  for (let look = 1; look <= LOOKS && waiting.length > 0; look += 1) {
    const settled = await settleAll(ctx, waiting);
    undecided.push(...waiting.filter(({ id }) => !settled.has(id)).map(({ id }) => id));
    const compared = waiting.filter(({ id }) => settled.has(id));
    const begin = compared.reduce((first, { createdAt }) => (createdAt < first ? createdAt : first), from);
    const list = await provider.listMovements({
      from: addDays(begin, -1),
      to: ctx.clock(),
      accounts: provider.name === 'paypal' ? [...new Set(compared.map((one) => one.receiverAccount))] : [],
    });
    const paymentIds = compared.map(({ id }) => id);
    const { known } = await sortOut(ctx, provider, list);
    const isCompared = new Set(paymentIds);
    const booked = await store.sumBooked(ctx.db, {
      provider: provider.name,
      kinds: provider.listedKinds,
      paymentIds,
    });
    const unlisted = unlistedOf(list, compared, booked);
    undecided.push(...unlisted);
    differing = sumsThatDiffer(
      known.filter(({ payment }) => isCompared.has(payment.id)),
      booked,
    ).filter(({ paymentId }) => !unlisted.has(paymentId));
    waiting = compared.filter(({ id }) => differing.some(({ paymentId }) => paymentId === id));
  }
  const publicIds = new Map(waiting.map(({ id, publicId }) => [id, publicId]));
  const differences = differing.map(({ paymentId, ...sums }) => ({
    ...sums,
    provider: provider.name,
    paymentId,
    ref: `${publicIds.get(paymentId)}:${sums.kind}`,
  }));
  return { differences, undecided };
}

/** The payments for which the provider does not list everything yet, or does not show it to us. */
function unlistedOf(
  { completeUntil, closedAccounts }: MovementList,
  payments: readonly Payment[],
  booked: readonly store.BookedKind[],
): ReadonlySet<number> {
  return new Set([
    ...booked
      .filter(({ lastAt }) => completeUntil !== null && lastAt >= completeUntil)
      .map((row) => row.paymentId),
    ...payments.filter((payment) => closedAccounts.includes(payment.receiverAccount)).map(({ id }) => id),
  ]);
}

/** @returns the payments that the provider has answered for, without those with a refund on its way */
async function settleAll(ctx: Context, payments: readonly Payment[]): Promise<ReadonlySet<number>> {
  const settled = new Set<number>();
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  await countInWorkers(ctx, 'paymentId', [...byId.keys()], async (id) => {
    const payment = byId.get(id);
    if (!payment) return false;
    const state = await settleFromProvider(ctx, payment);
    if ((state?.totals.refundPending ?? 0) === 0) settled.add(id);
    return true;
  });
  return settled;
}

/** A person has looked at an open difference. @returns false if it is not open */
export async function handleDifference(
  trx: Trx,
  given: { id: number; by: number; note: string | null; at: Date },
): Promise<boolean> {
  return store.markHandled(trx, given);
}

export { countOpenDifferences } from './store.ts';
