import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { z } from 'zod';
import { type UserStatus, userStatusSchema } from '#contract/accounts.ts';
import { type AdminUser, setUserStatusInputSchema } from '#contract/moderation.ts';
import { TEXTS } from '#contract/texts.ts';
import { ChoiceField, ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useSetUserStatus } from './queries.ts';
import { STATUS_CONSEQUENCES, STATUS_WORDS } from './wording.ts';

const formSchema = setUserStatusInputSchema.extend({
  status: z.enum(userStatusSchema.options, 'Choose a status'),
});

interface StatusDialogProps {
  readonly person: AdminUser | undefined;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** An admin changes how somebody stands, and says why. */
export function StatusDialog({ person, opened, onClose }: StatusDialogProps) {
  const setStatus = useSetUserStatus();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={person ? `Change the status of ${person.username}` : 'Change the status'}
      size="lg"
      isPending={setStatus.isPending}
    >
      {person && <StatusForm key={person.id} person={person} setStatus={setStatus} onClose={onClose} />}
    </Dialog>
  );
}

interface StatusFormProps {
  readonly person: AdminUser;
  readonly setStatus: ReturnType<typeof useSetUserStatus>;
  readonly onClose: () => void;
}

function StatusForm({ person, setStatus, onClose }: StatusFormProps) {
  const form = useForm<{ id: number; status: UserStatus | ''; reason: string }>({
    initialValues: { id: person.id, status: '', reason: '' },
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
    <DialogForm
      onSubmit={submit}
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
      <ReasonField
        label="Reason"
        description={`Kept in the audit log, and told to ${person.username}.`}
        input={form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
