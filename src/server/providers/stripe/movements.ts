import type Stripe from 'stripe';
import { uuidOrNull } from '#server/core/uuid.ts';
import type { MovementKind, MovementList, ProviderMovement } from '../movements.ts';
import { asking, idOf } from './client.ts';

type Booking = Stripe.BalanceTransaction;
type Source = Exclude<Booking['source'], string | null>;

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

/** Stripe's balance transactions. @throws ProviderRefusal, ProviderUnreachable */
export function listMovements(
  stripe: Stripe,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<MovementList> {
  return asking(async () => {
    const created = { gte: seconds(from), lt: seconds(to) };
    const movements: ProviderMovement[] = [];
    const list = stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] });
    for await (const booking of list) movements.push(...(await movementsOf(stripe, booking)));
    return { movements, completeUntil: null, closedAccounts: [] };
  });
}

/** The total that a booking changes by its source, and whether money that leaves our balance raises it. */
const KINDS: Readonly<Record<string, { kind: MovementKind; sign: 1 | -1 }>> = {
  charge: { kind: 'capture', sign: 1 },
  refund: { kind: 'refund', sign: -1 },
  dispute: { kind: 'withdrawal', sign: -1 },
  transfer: { kind: 'payout', sign: -1 },
  transfer_reversal: { kind: 'payout_reversal', sign: 1 },
};

async function movementsOf(stripe: Stripe, booking: Booking): Promise<ProviderMovement[]> {
  const source = typeof booking.source === 'string' ? null : booking.source;
  const known = KINDS[source?.object ?? ''];
  const about = {
    ref: booking.id,
    at: new Date(booking.created * 1_000),
    isOwnAccount: true,
    text: booking.description ?? booking.type,
    ...(await paymentOf(stripe, source)),
  };
  if (!known) return [{ ...about, kind: null, amount: booking.net }];
  const { amount, fee } = amountsOf(booking, source);
  return [
    { ...about, kind: known.kind, amount: known.sign * amount },
    ...(fee === 0 ? [] : [{ ...about, kind: 'provider_fee' as const, amount: fee }]),
  ];
}

/** An account that settles in another currency books converted amounts; its source has what we asked for. */
function amountsOf({ amount, fee, currency }: Booking, source: Source | null) {
  const isConverted = source !== null && 'currency' in source && source.currency !== currency;
  if (!isConverted || !('amount' in source)) return { amount, fee };
  return { amount: Math.sign(amount) * (source.amount ?? 0), fee: 0 };
}

/** The payment that a booking's source names. A refund or a reversal that was made in the dashboard has no metadata. */
async function paymentOf(
  stripe: Stripe,
  source: Source | null,
): Promise<Pick<ProviderMovement, 'publicId' | 'chargeRef'>> {
  const publicId = source && 'metadata' in source ? uuidOrNull(source.metadata?.payment_id) : null;
  switch (source?.object) {
    case 'charge':
      return { publicId, chargeRef: source.id };
    case 'refund':
    case 'dispute':
      return { publicId, chargeRef: idOf(source.charge) };
    case 'transfer':
      return { publicId, chargeRef: idOf(source.source_transaction) };
    case 'transfer_reversal': {
      if (publicId !== null) return { publicId, chargeRef: null };
      return paymentOf(stripe, await stripe.transfers.retrieve(idOf(source.transfer) ?? ''));
    }
    default:
      return { publicId: null, chargeRef: null };
  }
}
