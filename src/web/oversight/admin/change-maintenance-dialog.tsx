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
      t`Only admins can make changes. Switch maintenance off here when you are done.`,
    ],
    failed: [t`Nothing was changed`],
  });
  return (
    <Dialog title={t`Maintenance`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Switch maintenance on`} isDangerous>
        <Text size="sm">
          <Trans>
            From now on, everyone except admins can read, sign in and see their codes, but not change
            anything: they see your text instead. Payments in progress are completed, payouts and emails
            continue, and all deadlines are paused. Maintenance ends when an admin switches it off.
          </Trans>
        </Text>
        <OwnTextFields
          endLabel={t`Expected end`}
          endHint={t`Your local time. People see it, but maintenance does not end by itself.`}
          inputOf={form.getInputProps}
        />
      </DialogForm>
    </Dialog>
  );
}
