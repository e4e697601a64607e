import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { z } from 'zod';
import { TEXTS } from '#contract/base/texts.ts';
import { type AdminUser, setUserStatusInputSchema } from '#contract/oversight/moderation.ts';
import { type UserStatus, userStatusSchema } from '#contract/people/accounts.ts';
import { ChoiceField, ReasonField, SuspensionField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { STATUS_CONSEQUENCES, STATUS_WORDS } from './wording.ts';

const formSchema = setUserStatusInputSchema.extend({
  status: z.enum(userStatusSchema.options, t`Choose a status`),
});

/** Changes a person's status, with a reason. */
export function Component({ person }: { person: AdminUser }) {
  const { form, submit, isPending } = useSendForm({
    schema: formSchema,
    initial: { id: person.id, status: '' as UserStatus | '', reason: '', days: 7 as number | null },
    mutation: trpc.admin.setUserStatus.useMutation(),
    done: (_, { status }) => [t`Status changed`, `${person.username}: ${STATUS_WORDS[status].word}`],
    failed: [TEXTS.reports.actionFailed()],
  });
  const { status } = form.values;
  return (
    <Dialog title={t`Change the status of ${person.username}`} size="lg">
      <DialogForm
        onSubmit={submit}
        isPending={isPending}
        submitLabel={status === 'banned' ? t`Ban ${person.username}` : t`Change status`}
        isDangerous={status === 'banned' || status === 'suspended'}
      >
        <Text>
          <Trans>Current status: {STATUS_WORDS[person.status].word}</Trans>
        </Text>
        <ChoiceField
          label={t`New status`}
          options={userStatusSchema.options
            .filter((value) => value !== person.status)
            .map((value) => ({
              value,
              label: STATUS_WORDS[value].word,
              description: STATUS_CONSEQUENCES[value],
            }))}
          input={form.getInputProps('status')}
        />
        {status === 'suspended' && (
          <SuspensionField days={form.values.days} onChange={(days) => form.setFieldValue('days', days)} />
        )}
        <ReasonField
          label={t`Reason`}
          description={t`We record it in the audit log and send it to ${person.username}.`}
          input={form.getInputProps('reason')}
        />
      </DialogForm>
    </Dialog>
  );
}
