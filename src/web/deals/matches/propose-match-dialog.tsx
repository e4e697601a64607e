import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Text, Textarea } from '@mantine/core';
import { z } from 'zod';
import { TEXTS } from '#contract/base/texts.ts';
import { DEAL_MESSAGE_MAX } from '#contract/deals/deals.ts';
import { type Match, proposeMatchInputSchema } from '#contract/deals/matches.ts';
import { NoCodeNote, NotTransferableNote } from '#web/components/deal-notes.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { Facts } from '#web/components/facts.tsx';
import { HandoverSentences } from '#web/deals/core/handovers.tsx';
import {
  DepositFields,
  depositValues,
  typedDepositSchema,
  useDepositTerms,
} from '#web/deals/exchanges/deposit-fields.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import {
  agreementText,
  handoversOf,
  matchTitle,
  namesOf,
  othersIn,
  ownLegs,
  proposalRules,
  settlementText,
} from './wording.ts';

/** The match as the person sees it, with its prices if they settle the difference, else with the deposit. */
const proposalSchema = z
  .object({
    match: z.custom<Match>(),
    settles: z.boolean(),
    deposit: typedDepositSchema,
    message: proposeMatchInputSchema.shape.message,
  })
  .transform(({ match: { id, legs }, settles, deposit, message }) => ({
    id,
    message,
    deposit: settles ? null : deposit,
    ...(settles && {
      prices: legs.flatMap(({ coupon, price }) =>
        price === null ? [] : [{ couponId: coupon.id, amount: price }],
      ),
    }),
  }));

/** Asks before a match is proposed to the others in it. */
export function Component({ match }: { match: Match }) {
  const { gets } = ownLegs(match);
  const names = namesOf(match);
  const settlement = settlementText(match);
  const { form, submit, isPending } = useSendForm({
    schema: proposalSchema,
    initial: { match, settles: false, deposit: depositValues(null), message: '' },
    mutation: trpc.matches.propose.useMutation(),
    done: () => [t`Exchange request sent`, t`${names} will be told. Find it under Exchanges.`],
    failed: [TEXTS.exchanges.proposeFailed()],
  });
  const { settles, deposit, message } = form.values;
  const hasDeposits = useDepositTerms(
    othersIn(match).map(({ id }) => id),
    (suggested) => {
      if (!form.isTouched('deposit')) form.setFieldValue('deposit', depositValues(suggested));
    },
  );
  return (
    <Dialog title={t`Propose: ${matchTitle(match)}`}>
      <DialogForm
        onSubmit={submit}
        isPending={isPending}
        submitLabel={t`Send exchange request`}
        cancelLabel={t`Not now`}
      >
        <Text style={{ overflowWrap: 'anywhere' }}>
          <HandoverSentences handovers={handoversOf(match)} />
        </Text>
        <Text>{agreementText(match)}</Text>
        {settlement !== null && (
          <Checkbox
            label={t`Settle the difference with money`}
            description={settlement}
            styles={{ body: { minHeight: 44 }, description: { fontSize: 'var(--mantine-font-size-sm)' } }}
            {...form.getInputProps('settles', { type: 'checkbox' })}
          />
        )}
        {hasDeposits && !settles && (
          <DepositFields
            value={deposit}
            explanation={t`Each of you puts it up by card. Who gave a code that fails loses it to the person who got it.`}
            isAskedInput={form.getInputProps('deposit.isAsked', { type: 'checkbox' })}
            amountInput={form.getInputProps('deposit.amount')}
            error={form.errors.deposit}
          />
        )}
        <Facts
          layout="columns"
          facts={proposalRules(match, { isSettled: settles, hasDeposit: deposit.isAsked })}
        />
        {gets.coupon.transferable === 'no' && <NotTransferableNote />}
        {!gets.coupon.hasCode && (
          <NoCodeNote>
            <Trans>
              You will not see a code when the exchange is complete: {gets.giver.username} has to hand the
              coupon over.
            </Trans>
          </NoCodeNote>
        )}
        <Textarea
          label={t`Message`}
          description={t`Optional. ${message.length} of ${DEAL_MESSAGE_MAX} characters`}
          rows={3}
          resize="vertical"
          maxLength={DEAL_MESSAGE_MAX}
          {...form.getInputProps('message')}
        />
      </DialogForm>
    </Dialog>
  );
}
