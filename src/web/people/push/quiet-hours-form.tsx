import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { z } from 'zod';
import { marketName } from '#contract/base/market.ts';
import { type QuietHours, quietHoursSchema } from '#contract/people/push.ts';
import { localTimeZone } from '#web/lib/local-day.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import classes from './push-settings.module.css';

/** A night, for whoever has chosen nothing yet. */
const NIGHT = { from: '22:00', to: '07:00' };

const formSchema = z
  .discriminatedUnion('isOn', [
    quietHoursSchema.safeExtend({ isOn: z.literal(true) }),
    z.object({ isOn: z.literal(false) }),
  ])
  .transform((values) => {
    if (!values.isOn) return { quietHours: null };
    const { from, to, timeZone } = values;
    return { quietHours: { from, to, timeZone } };
  });

/** The hours in which no push comes, in the time zone of the browser that they are chosen in. */
export function QuietHoursForm({ quietHours }: { quietHours: QuietHours | null }) {
  const timeZone = localTimeZone() ?? 'UTC';
  const { form, submit, isPending } = useSendForm({
    schema: formSchema,
    initial: { isOn: quietHours !== null, ...NIGHT, ...quietHours, timeZone },
    mutation: trpc.push.setQuietHours.useMutation(),
    done: (_, { quietHours: chosen }) =>
      chosen
        ? [t`Quiet hours saved`, t`From ${chosen.from} to ${chosen.to}.`]
        : [t`Quiet hours are off`, t`Push notifications come at any time.`],
    failed: [t`Quiet hours not saved`],
  });
  const nameOf = (zone: string) => zone.replaceAll('_', ' ');
  const [kept, here] = [nameOf(quietHours?.timeZone ?? timeZone), nameOf(timeZone)] as const;
  return (
    <form onSubmit={submit} noValidate aria-label={t`Quiet hours`}>
      <Stack align="flex-start" gap="sm">
        <Switch
          className={classes.switch}
          size="md"
          label={t`Quiet hours`}
          {...form.getInputProps('isOn', { type: 'checkbox' })}
        />
        <Text size="sm" c="dimmed">
          {t`Notifications in these hours arrive when they end, unless you have read them on ${{ market: marketName() }} by then.`}
        </Text>
        {form.values.isOn && (
          <Group align="flex-start">
            <TextInput type="time" label={t`From`} w={140} required {...form.getInputProps('from')} />
            <TextInput type="time" label={t`To`} w={140} required {...form.getInputProps('to')} />
          </Group>
        )}
        {form.values.isOn && (
          <Text size="sm" c="dimmed">
            {kept === here ? t`Time zone: ${kept}` : t`Time zone: ${kept}. Saving changes it to ${here}.`}
          </Text>
        )}
        <Button type="submit" variant="default" loading={isPending}>
          {t`Save quiet hours`}
        </Button>
      </Stack>
    </form>
  );
}
