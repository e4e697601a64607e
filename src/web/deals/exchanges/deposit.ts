import { t } from '@lingui/core/macro';
import { listed } from '#contract/base/locale.ts';
import { moneyText } from '#contract/base/money.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import { DEPOSIT_COMPLETE_DAYS, DEPOSIT_HOURS, DEPOSIT_LAPSE_DAYS } from '#contract/money/deposits.ts';

/** What the deposit of an exchange means, in one sentence; '' without one. */
export function depositSentence({ deposit, kind }: Pick<Exchange, 'deposit' | 'kind'>): string {
  if (deposit === null) return '';
  const amount = moneyText(deposit);
  return kind === 'ring'
    ? t`With a deposit of ${amount} each: who gave a code that fails loses it to the person who got the code.`
    : t`With a deposit of ${amount} each: who gave a code that fails loses it to the other.`;
}

/** Who has not put up their deposit for an agreed exchange; nobody where none is asked for. */
function missingFrom({ deposit, status, parties }: Exchange): Exchange['parties'] {
  return deposit === null || status !== 'accepted'
    ? []
    : parties.filter(({ depositAt }) => depositAt === null);
}

/** Whether an agreed exchange still waits for deposits. */
export const waitsForDeposits = (exchange: Exchange): boolean => missingFrom(exchange).length > 0;

/** The deposit that the viewer has to put up now; null: none. */
export function dueDeposit(exchange: Exchange, viewerId: number): string | null {
  return missingFrom(exchange).some(({ id }) => id === viewerId) ? exchange.deposit : null;
}

/** What an agreed exchange with a deposit waits for; '' once all are there, and without one. */
export function waitingForDeposits(exchange: Exchange, viewerId: number): string {
  const missing = missingFrom(exchange);
  const due = dueDeposit(exchange, viewerId);
  if (due !== null)
    return t`Put up your deposit of ${moneyText(due)} within ${DEPOSIT_HOURS} hours of the agreement.`;
  if (missing.length === 0) return '';
  return t`Waiting for the deposit of ${listed(missing.map(({ username }) => username))}.`;
}

/** 'Put up $10.00' */
export const putUpLabel = (amount: string): string => t`Put up ${moneyText(amount)}`;

/** What somebody has to know who agrees to a deposit. */
export function depositRule(): string {
  return t`Each of you puts up the deposit by card within ${DEPOSIT_HOURS} hours. It is reserved on the card for at most ${DEPOSIT_LAPSE_DAYS} days, and not taken. Complete the exchange within ${DEPOSIT_COMPLETE_DAYS} days of the first deposit, so that ${CLAIM_HOURS} hours are left for claims. We release it after that, or when everyone says that the code they got works.`;
}
