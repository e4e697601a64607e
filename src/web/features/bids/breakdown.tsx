import { placeBidInputSchema } from '#contract/bids.ts';
import { feesOf } from '#contract/fees.ts';
import { BASE_CURRENCY, decimalToCents, formatMoney } from '#contract/money.ts';
import { feeRatesNow } from '#web/lib/fee-rates.ts';
import { useCurrency } from '#web/lib/viewer.tsx';
import classes from './bids.module.css';
import { charged, feeLabel } from './wording.ts';

const TOTAL = 'You would pay';

interface BreakdownProps {
  readonly label: string;
  /** A decimal text in CAD, also an unfinished one. */
  readonly amount: string;
}

/** What a buyer would pay for this amount. */
export function Breakdown({ label, amount }: BreakdownProps) {
  const currency = useCurrency();
  const parsed = placeBidInputSchema.shape.amount.safeParse(amount);
  const rates = feeRatesNow();
  const fees = parsed.success ? feesOf(decimalToCents(parsed.data), rates) : null;
  const isForeign = currency !== BASE_CURRENCY;
  const rows = [
    [label, fees?.amount],
    [feeLabel(rates.buyer), fees?.buyerFee],
    [TOTAL, fees?.buyerTotal],
  ] as const;
  return (
    <dl className={classes.breakdown} aria-label="What you would pay">
      {rows.map(([name, cents]) => (
        <div key={name} className={name === TOTAL ? classes.total : undefined}>
          <dt>{name}</dt>
          <dd>{cents === undefined ? '–' : charged(cents)}</dd>
        </div>
      ))}
      {isForeign && fees && (
        <div>
          <dt>About</dt>
          <dd>{formatMoney(fees.buyerTotal, currency)}</dd>
        </div>
      )}
    </dl>
  );
}
