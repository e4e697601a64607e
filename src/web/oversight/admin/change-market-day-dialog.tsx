import { t } from '@lingui/core/macro';
import { NativeSelect, Switch } from '@mantine/core';
import { z } from 'zod';
import { type ChangeSettingInput, SETTINGS, type Settings } from '#contract/people/settings.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { useChangeForm } from './change-form.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${hour}:00` }));

/** Whether there is a market day, and when. */
export function Component({ setting: { value, change } }: { setting: Settings['marketDay'] }) {
  const { form, submit, isPending } = useChangeForm({
    schema: z
      .object({ isOn: z.boolean(), hour: z.string().transform(Number), timeZone: z.string() })
      .pipe(SETTINGS.marketDay)
      .transform(
        (marketDay): ChangeSettingInput => ({
          name: 'marketDay',
          value: marketDay,
          follows: change?.id ?? null,
        }),
      ),
    initial: { ...value, hour: String(value.hour) },
  });
  const zones = [...new Set([value.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <Dialog title={t`Market day`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Change market day`}>
        <Switch
          label={t`Hold a market day each day`}
          description={t`Without it, nothing is traded without asking. What people have agreed to is kept.`}
          {...form.getInputProps('isOn', { type: 'checkbox' })}
        />
        <NativeSelect label={t`Hour`} data={HOURS} data-autofocus {...form.getInputProps('hour')} />
        <NativeSelect label={t`Time zone`} data={zones} {...form.getInputProps('timeZone')} />
      </DialogForm>
    </Dialog>
  );
}
