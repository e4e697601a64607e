import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { z } from 'zod';
import { type UserStatus, userStatusSchema } from '#contract/accounts.ts';
import { type AdminUser, setUserStatusInputSchema } from '#contract/moderation.ts';
import { TEXTS } from '#contract/texts.ts';
import { ChoiceField, ReasonField, SuspensionField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useSetUserStatus } from './queries.ts';
import { STATUS_CONSEQUENCES, STATUS_WORDS } from './wording.ts';

const formSchema = setUserStatusInputSchema.extend({
  status: z.enum(userStatusSchema.options, 'Choose a status'),
});

/** Changes a person's status, with a reason. */
export function Component({ person, onClose }: { person: AdminUser; onClose: () => void }) {
  const setStatus = useSetUserStatus();
  const form = useForm<{ id: number; status: UserStatus | ''; reason: string; days: number | null }>({
    initialValues: { id: person.id, status: '', reason: '', days: 7 },
    validate: schemaResolver(formSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) => {
    const input = formSchema.parse(values);
    setStatus.mutate(
      input,
      dialogAnswers({
        onClose,
        form,
        done: () => ['Status changed', `${person.username} is now ${input.status}.`],
        failedTitle: TEXTS.reports.actionFailed,
      }),
    );
  });
  const { status } = form.values;
  return (
    <Dialog title={`Change the status of ${person.username}`} size="lg">
      <DialogForm
        onSubmit={submit}
        isPending={setStatus.isPending}
        submitLabel={status === 'banned' ? `Ban ${person.username}` : 'Change status'}
        isDangerous={status === 'banned' || status === 'suspended'}
      >
        <Text>
          {person.username} is {STATUS_WORDS[person.status].word.toLowerCase()} now.
        </Text>
        <ChoiceField
          label="New status"
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
          label="Reason"
          description={`Kept in the audit log, and told to ${person.username}.`}
          input={form.getInputProps('reason')}
        />
      </DialogForm>
    </Dialog>
  );
}
