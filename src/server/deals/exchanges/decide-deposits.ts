import { t } from '@lingui/core/macro';
import { listed, utcDayAndTime } from '#contract/base/locale.ts';
import { baseCurrency, decimalToCents, formatMoney } from '#contract/base/money.ts';
import { DEPOSIT, largestDeposit } from '#contract/money/deposits.ts';
import { AppError, fieldError } from '#server/core/errors.ts';

interface Asked {
  /** What each party puts up, a decimal text in the base currency; null: nothing. */
  readonly deposit: string | null;
  readonly legs: readonly {
    readonly giverId: number;
    readonly coupon: { readonly discountType: string; readonly value: number };
    readonly price: unknown;
  }[];
}

/** The coupons by giver. */
export function sidesOf({ legs }: Pick<Asked, 'legs'>): Asked['legs'][number]['coupon'][][] {
  const givers = [...new Set(legs.map(({ giverId }) => giverId))];
  return givers.map((id) => legs.filter(({ giverId }) => giverId === id).map(({ coupon }) => coupon));
}

/**
 * Why a proposal cannot ask for this deposit: nobody can put one up here, it also has money, which is held as it is, or the deposit is more than the
 * coupons of the side with the smaller value are worth.
 */
export function askingRefusal(exchange: Asked, isAvailable: boolean): AppError | null {
  const { deposit, legs } = exchange;
  if (deposit === null) return null;
  if (!isAvailable) return fieldError('bad_input', 'deposit', t`Deposits are not available here`);
  if (legs.some(({ price }) => price !== null))
    return fieldError('bad_input', 'deposit', t`Choose money or a deposit, not both`);
  const largest = largestDeposit(sidesOf(exchange));
  if (largest === null)
    return fieldError(
      'bad_input',
      'deposit',
      t`For a deposit, each side’s coupons must be worth at least ${money(DEPOSIT.min)}`,
    );
  if (decimalToCents(deposit) <= largest) return null;
  const text = t`The deposit can be at most ${money(largest)}: the coupons of one side are worth no more`;
  return fieldError('bad_input', 'deposit', text);
}

interface Agreed extends Pick<Asked, 'deposit'> {
  readonly parties: readonly { readonly username: string; readonly depositAt: string | null }[];
  readonly deadlineAt: Date | null;
}

/**
 * Why an accepted exchange cannot be completed now, as far as its deposit says: its time is over, or somebody's is missing.
 * Later than its deadline, the time for claims would not fit into the authorisation of a card.
 */
export function depositRefusal({ deposit, parties, deadlineAt }: Agreed, at: Date): AppError | null {
  if (deposit === null) return null;
  if (deadlineAt !== null && deadlineAt <= at)
    return new AppError('conflict', t`The time to complete this exchange is over.`);
  const missing = parties.filter(({ depositAt }) => depositAt === null).map(({ username }) => username);
  if (missing.length === 0) return null;
  const [people, amount] = [listed(missing), money(decimalToCents(deposit))];
  if (deadlineAt === null)
    return new AppError('conflict', t`The deposit of ${amount} is still missing from: ${people}.`);
  const [day, time] = utcDayAndTime(deadlineAt.toISOString());
  return new AppError(
    'conflict',
    t`The deposit of ${amount} is still missing from: ${people}. It is due by ${day} at ${time} UTC.`,
  );
}

const money = (cents: number) => formatMoney(cents, baseCurrency());
