import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Text } from '@mantine/core';
import { z } from 'zod';
import { DATA_EXPORT_HOURS, requestDataExportInputSchema } from '#contract/oversight/data-exports.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { PasskeyInstead } from './passkey-instead.tsx';

/** Without the codes, no password is sent. */
const formSchema = z
  .object({ hasCodes: z.boolean(), confirmPassword: z.string() })
  .transform(
    ({ hasCodes, confirmPassword }): z.input<typeof requestDataExportInputSchema> =>
      hasCodes ? { hasCodes, confirmPassword } : { hasCodes },
  )
  .pipe(requestDataExportInputSchema);

/** Asks for a copy of the viewer's data; with the codes of their coupons, after their password. */
export function Component() {
  const { form, submit, send, isPending } = useSendForm({
    schema: formSchema,
    initial: { hasCodes: false, confirmPassword: '' },
    mutation: trpc.dataExports.request.useMutation(),
    done: () => [t`We are making your copy`, t`We email you when it is ready.`],
    failed: [t`Not asked for`],
    secrets: ['confirmPassword'],
  });
  return (
    <Dialog title={t`Get a copy of your data`}>
      <DialogForm onSubmit={submit} isPending={isPending} cancelLabel={t`Cancel`} submitLabel={t`Get a copy`}>
        <Text>
          <Trans>
            We put everything we store about you into one ZIP file. You can download it here for{' '}
            {DATA_EXPORT_HOURS} hours. It says what is in it, and what is not.
          </Trans>
        </Text>
        <Checkbox
          label={t`Include the codes of my coupons`}
          description={t`Anyone who gets the file can then use them. It counts as a view of each code.`}
          {...form.getInputProps('hasCodes', { type: 'checkbox' })}
        />
        {form.values.hasCodes && (
          <>
            <PasswordField
              label={t`Your password`}
              autoComplete="current-password"
              {...form.getInputProps('confirmPassword')}
            />
            <PasskeyInstead isPending={isPending} onGiven={(passkey) => send({ hasCodes: true, passkey })} />
          </>
        )}
      </DialogForm>
    </Dialog>
  );
}
