import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type AdminUser, resetSecondFactorInputSchema } from '#contract/moderation.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useResetSecondFactor } from './queries.ts';

/** Turns off the second factor of somebody who has lost it. */
export function Component({ person, onClose }: { person: AdminUser; onClose: () => void }) {
  const reset = useResetSecondFactor();
  const form = useForm({
    initialValues: { id: person.id, reason: '', password: '' },
    validate: schemaResolver(resetSecondFactorInputSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) =>
    reset.mutate(
      values,
      dialogAnswers({
        onClose,
        form,
        done: () => ['Second factor reset', `${person.username} can sign in with the password alone.`],
        failedTitle: 'Nothing was changed',
      }),
    ),
  );
  return (
    <Dialog title={`Reset the second factor of ${person.username}`} size="lg">
      <DialogForm onSubmit={submit} isPending={reset.isPending} submitLabel="Reset second factor" isDangerous>
        <Text>
          Only if {person.username} has lost the app, the recovery codes and every passkey, and has proved who
          they are. Their passkeys are removed, and they are signed out everywhere and told by mail.
        </Text>
        <ReasonField
          label="How they proved who they are"
          description="Kept in the audit log."
          input={form.getInputProps('reason')}
        />
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      </DialogForm>
    </Dialog>
  );
}
