import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { type AdminUser, resetSecondFactorInputSchema } from '#contract/oversight/moderation.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';

/** Turns off the second factor of somebody who has lost it. */
export function Component({ person }: { person: AdminUser }) {
  const { form, submit, isPending } = useSendForm({
    schema: resetSecondFactorInputSchema,
    initial: { id: person.id, reason: '', password: '' },
    mutation: trpc.admin.resetSecondFactor.useMutation(),
    done: () => [t`Second factor reset`, t`${person.username} can sign in with just the password.`],
    failed: [t`Nothing was changed`],
  });
  return (
    <Dialog title={t`Reset the second factor of ${person.username}`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Reset second factor`} isDangerous>
        <Text>
          <Trans>
            Do this only if {person.username} has lost the app, the recovery codes and every passkey, and has
            proved who they are. We remove their passkeys and linked sign-ins, end their keys, sign them out
            everywhere and tell them by email.
          </Trans>
        </Text>
        <ReasonField
          label={t`How they proved who they are`}
          description={t`We record it in the audit log.`}
          input={form.getInputProps('reason')}
        />
        <PasswordField
          label={t`Your password`}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      </DialogForm>
    </Dialog>
  );
}
