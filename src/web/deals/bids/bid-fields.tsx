import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, type CheckboxProps, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { z } from 'zod';
import { baseCurrency, type Cents, decimalToCents, formatMoney } from '#contract/base/money.ts';
import { bidAmountSchema } from '#contract/deals/bid-amounts.ts';
import { feesOf } from '#contract/money/fees.ts';
import { NoCodeNote } from '#web/components/deal-notes.tsx';
import { Facts } from '#web/components/facts.tsx';
import { feeRatesNow } from '#web/lib/fee-rates.ts';
import { AMOUNT_FIELD, CURRENCY_SIGN } from '#web/lib/keyboards.ts';
import { asDecimal } from '#web/lib/typed-amount.ts';
import { useCurrency } from '#web/lib/viewer.tsx';
import classes from './bids.module.css';
import { charged, feeLabel } from './wording.ts';

/** An amount as people type it. */
export const typedBidSchema = z.string().transform(asDecimal).pipe(bidAmountSchema);

interface AmountFieldProps {
  readonly label: string;
  readonly isDisabled: boolean;
  readonly input: GetInputPropsReturnType;
}

/** Takes the amount of a bid. */
export function AmountField({ label, isDisabled, input }: AmountFieldProps) {
  return (
    <TextInput
      label={label}
      {...AMOUNT_FIELD}
      withAsterisk
      {...CURRENCY_SIGN}
      data-autofocus
      disabled={isDisabled}
      {...input}
    />
  );
}

const TOTAL = t`You would pay`;

interface BreakdownProps {
  readonly label: string;
  /** In the base currency as it is typed, also an unfinished one. */
  readonly amount: string;
}

/** What a buyer would pay for this amount. */
export function Breakdown({ label, amount }: BreakdownProps) {
  const currency = useCurrency();
  const parsed = typedBidSchema.safeParse(amount);
  const rates = feeRatesNow();
  const fees = parsed.success ? feesOf(decimalToCents(parsed.data), rates) : null;
  const isForeign = currency !== baseCurrency();
  const text = (cents: Cents | undefined) => (cents === undefined ? '–' : charged(cents));
  const facts = [
    { name: label, value: text(fees?.amount) },
    { name: feeLabel(rates.buyer), value: text(fees?.buyerFee) },
    { name: TOTAL, value: text(fees?.buyerTotal), isTotal: true },
    ...(isForeign && fees
      ? [{ name: t({ context: 'amount', message: 'About' }), value: formatMoney(fees.buyerTotal, currency) }]
      : []),
  ];
  return (
    <Facts layout="amounts" className={classes.breakdown} facts={facts} aria-label={t`What you would pay`} />
  );
}

/** What a bidder has to know about a coupon without a code, and their word that they do. */
export function NoCodeField({ ownerUsername, ...props }: CheckboxProps & { readonly ownerUsername: string }) {
  return (
    <>
      <NoCodeNote>
        <Trans>You will not see a code after paying: {ownerUsername} has to hand the coupon over.</Trans>
      </NoCodeNote>
      <Checkbox {...props} />
    </>
  );
}
