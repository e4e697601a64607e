import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Radio, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type DismissMatchInput, dismissMatchInputSchema, type Match } from '#contract/deals/matches.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { othersIn, ownLegs } from './wording.ts';

interface Reason {
  readonly label: string;
  /** What follows from it. */
  readonly description: string;
  readonly input: Omit<DismissMatchInput, 'id'>;
}

/** The reasons to choose from; each person is one, too. */
function reasonsFor(match: Match): Reason[] {
  const { gives, gets } = ownLegs(match);
  return [
    {
      label: t`I do not want “${gets.coupon.title}”`,
      description: t`We will not suggest it again.`,
      input: { reason: 'not_interested' },
    },
    {
      label: t`I do not want to give “${gives.coupon.title}” for it`,
      description: t`We may suggest it for another of your coupons.`,
      input: { reason: 'keep_mine' },
    },
    {
      label: t`I would give too much`,
      description: t`We will not suggest exchanges in which you lose as much.`,
      input: { reason: 'unfair' },
    },
    ...othersIn(match).map(({ id, username }) => ({
      label: t`I do not want to exchange coupons with ${username}`,
      description: t`We will not match you again, and we do not tell them.`,
      input: { reason: 'person' as const, personId: id },
    })),
    {
      label: t`Another reason`,
      description: t`We remove only this match.`,
      input: { reason: 'other' },
    },
  ];
}

/** Asks why a match is not for the viewer. */
export function Component({ match }: { match: Match }) {
  const [chosen, setChosen] = useState('0');
  const reasons = reasonsFor(match);
  const { send, isPending } = useSendForm({
    schema: dismissMatchInputSchema,
    initial: {},
    mutation: trpc.matches.dismiss.useMutation(),
    done: () => [t`Match dismissed`],
    failed: [t`Match not dismissed`],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const reason = reasons[Number(chosen)];
    if (reason) void send({ id: match.id, ...reason.input });
  };
  return (
    <Dialog title={t`Why is this match not for you?`}>
      <DialogForm
        onSubmit={submit}
        isPending={isPending}
        submitLabel={t`Dismiss match`}
        cancelLabel={t`Keep match`}
      >
        <Text>
          <Trans>This removes the match for everyone in it, for good.</Trans>
        </Text>
        <Radio.Group label={t`Reason`} value={chosen} onChange={setChosen}>
          <Stack gap="sm" mt="xs">
            {reasons.map(({ label, description }, index) => (
              <Radio key={label} value={String(index)} label={<bdi>{label}</bdi>} description={description} />
            ))}
          </Stack>
        </Radio.Group>
      </DialogForm>
    </Dialog>
  );
}
