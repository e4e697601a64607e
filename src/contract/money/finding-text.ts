import { t } from '@lingui/core/macro';
import type { Finding } from './claims.ts';

/** What the merchant has told about a code, for everybody. @param time writes an instant for the reader */
export function findingText(
  { kind, redeemedAt, place, comparedAt }: Finding,
  time: (instant: string) => string,
): string {
  if (kind === 'works') return t`The merchant says that the code was never used and is valid.`;
  if (kind === 'refused') return t`The merchant says that the code was never used, but does not accept it.`;
  if (redeemedAt === null) return t`The merchant says that the code was used, but not when.`;
  const at = time(redeemedAt);
  const when = place === null ? at : t`${at} (${place})`;
  if (kind === 'unclear' || comparedAt === null)
    return t`The merchant says that the code was used on ${when}. That does not tell who used it.`;
  const compared = time(comparedAt);
  return kind === 'redeemed_before'
    ? t`The merchant says that the code was used on ${when}. The coupon changed hands after that, on ${compared}.`
    : t`The merchant says that the code was used on ${when}. The person who claims had seen it before that, on ${compared}.`;
}
