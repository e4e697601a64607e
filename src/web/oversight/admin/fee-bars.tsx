import { Trans } from '@lingui/react/macro';
import { locale } from '#contract/base/i18n.ts';
import { formatDay, withOrdinal } from '#contract/base/locale.ts';
import { baseCurrency, decimalToCents, moneyText, signedMoney } from '#contract/base/money.ts';
import type { WeeklyFees } from '#contract/oversight/operations.ts';
import classes from './fee-bars.module.css';
import { niceTop } from './wording.ts';

const shortDay = new Intl.DateTimeFormat(locale(), { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A bar for each week; a pointer on a week shows its fees. The sentence above and the table contain the same data. */
export function FeeBars({ weeks }: { weeks: readonly WeeklyFees[] }) {
  const top = niceTop(Math.max(0, ...weeks.map(({ fees }) => decimalToCents(fees))));
  return (
    <div className={classes.chart} aria-hidden="true">
      <div className={classes.scale}>
        {[top, top / 2, 0].map((cents) => (
          <div key={cents} className={classes.line}>
            <span>{signedMoney(cents, baseCurrency(), 0)}</span>
          </div>
        ))}
      </div>
      <div className={classes.weeks}>
        {weeks.map(({ week, fees }) => (
          <div key={week} className={classes.week}>
            <div className={classes.bar} style={{ height: `${(100 * decimalToCents(fees)) / top}%` }} />
            <span className={classes.day}>{withOrdinal(shortDay.format(new Date(`${week}T00:00:00Z`)))}</span>
            <span className={classes.tip}>
              <Trans>
                Week from {formatDay(week)}: <b>{moneyText(fees)}</b>
              </Trans>
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}
