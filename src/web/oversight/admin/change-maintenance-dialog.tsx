import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { ChangeSettingInput, Settings } from '#contract/people/settings.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { OwnTextFields, textAndEndSchema, typedText } from './own-text-fields.tsx';

/** Lets everybody but admins read alone. */
export function Component({ setting: { value, change } }: { setting: Settings['maintenance'] }) {
  const { form, submit, isPending } = useSendForm({
    schema: textAndEndSchema.transform(
      (given): ChangeSettingInput => ({ name: 'maintenance', value: given, follows: change?.id ?? null }),
    ),
    initial: typedText(value),
    mutation: trpc.settings.change.useMutation(),
    done: () => [
      t`Maintenance is on`,
      t`Everybody but admins can only read. Switch it off here when you are done.`,
    ],
    failed: [t`Nothing was changed`],
  });
  return (
    <Dialog title={t`Maintenance`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Switch maintenance on`} isDangerous>
        <Text size="sm">
          <Trans>
            From now on everybody but admins can read, sign in and see their codes, and change nothing else:
            they read your text instead. Payments that have begun are finished, payouts and emails go on, and
            all deadlines stand still. It ends when an admin switches it off.
          </Trans>
        </Text>
        <OwnTextFields
          endLabel={t`Expected end`}
          endHint={t`In your time. People read it; it switches nothing off by itself.`}
          inputOf={form.getInputProps}
        />
      </DialogForm>
    </Dialog>
  );
}
