import { paths } from '#contract/base/pages.ts';
import type { DepositStatus } from '#contract/money/deposits.ts';
import type { LogAction } from '#contract/people/notifications.ts';
import type { Trx } from '#server/database/client.ts';
import { notifyParties } from '#server/people/notifications/service.ts';
import { DEPOSIT_TEXTS } from '#server/texts/deposits.ts';
import type { StoredText } from '#server/texts/stored.ts';
import { claimantOf, type GivenLeg } from './decide.ts';
import { type DepositRow, listParties } from './store.ts';

/**
 * Writes the history of those whom a change of a deposit concerns, and notifies them.
 * @param news.before the status until now; account: nothing has changed, and whoever gets it has no account to be paid to
 */
export async function tellOfDeposit(
  trx: Trx,
  deposit: Pick<DepositRow, 'exchangeId' | 'userId' | 'amount' | 'status'>,
  { before, given, at }: { before: DepositStatus | 'account'; given: readonly GivenLeg[]; at: Date },
): Promise<void> {
  const { exchangeId, userId: ownerId, amount, status } = deposit;
  const people = await listParties(trx, exchangeId);
  const nameOf = (id: number | undefined) => people.find(({ userId }) => userId === id)?.username ?? '';
  const claimedBy = given.find(({ claim }) => claim === 'upheld' || claim === 'open')?.receiverId;
  const facts = { amount, owner: nameOf(ownerId), claimant: nameOf(claimedBy) };
  const winnerId = claimantOf(given);
  const parties: { userId: number; text: StoredText; notice?: StoredText | null; link?: string }[] = [];
  let subject: StoredText;
  let action: LogAction = 'updated';
  if (before === 'account') {
    subject = DEPOSIT_TEXTS.account.subject();
    if (winnerId !== null)
      parties.push({
        userId: winnerId,
        text: DEPOSIT_TEXTS.account.claimant(facts),
        link: paths.sellerOnboarding,
      });
  } else if (status === 'authorised') {
    subject = DEPOSIT_TEXTS.authorised.subject();
    const isLast = people.every(({ depositAt }) => depositAt !== null);
    const text = isLast ? DEPOSIT_TEXTS.authorised.all(facts) : DEPOSIT_TEXTS.authorised.other(facts);
    parties.push(
      ...people.map(({ userId }) =>
        userId === ownerId
          ? { userId, text: DEPOSIT_TEXTS.authorised.owner(facts), notice: null }
          : { userId, text },
      ),
    );
  } else if (status === 'captured' || status === 'refunded') {
    subject = DEPOSIT_TEXTS[status].subject();
    action = status === 'captured' ? 'payment' : 'refund';
    parties.push({ userId: ownerId, text: DEPOSIT_TEXTS[status].owner(facts) });
  } else if (status === 'paid_out') {
    subject = DEPOSIT_TEXTS.paid_out.subject();
    action = 'payment';
    parties.push({ userId: ownerId, text: DEPOSIT_TEXTS.paid_out.owner(facts) });
    if (winnerId !== null) parties.push({ userId: winnerId, text: DEPOSIT_TEXTS.paid_out.claimant(facts) });
  } else if (status === 'voided' && before === 'authorised') {
    subject = DEPOSIT_TEXTS.voided.subject();
    parties.push({ userId: ownerId, text: DEPOSIT_TEXTS.voided.owner(facts) });
  } else return;
  await notifyParties(trx, [
    {
      deal: { dealType: 'exchange', dealId: exchangeId },
      parties,
      actorId: null,
      action,
      event: null,
      mailSubject: subject,
      at,
    },
  ]);
}
