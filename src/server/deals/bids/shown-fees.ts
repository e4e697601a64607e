import { t } from '@lingui/core/macro';
import { eachRateText, feeRatesSchema } from '#contract/money/fees.ts';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';

/** Nobody fixes other fees than their page shows; buyers see theirs once more in the checkout. @returns conflict, or null */
export function shownFeesRefusal({
  shownFees,
  config,
}: Pick<Context, 'shownFees' | 'config'>): AppError | null {
  const feeRates = feeRatesSchema.parse(config.feeRates);
  if (shownFees == null || shownFees === JSON.stringify(feeRates)) return null;
  return new AppError(
    'conflict',
    t`The fees have changed: ${eachRateText(feeRates)}. Load this page again to see the new amounts, and then decide.`,
  );
}
