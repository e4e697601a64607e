import { t } from '@lingui/core/macro';
import { Checkbox, Input, Switch, TextInput } from '@mantine/core';
import {
  createWebhookInputSchema,
  updateWebhookInputSchema,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
} from '#contract/people/webhooks.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { EVENT_GROUPS } from './event-groups.ts';
import classes from './webhooks.module.css';

/** Adds a webhook, or changes one. */
export function Component({ webhook }: { webhook?: Webhook }) {
  return webhook ? <Change webhook={webhook} /> : <Add />;
}

function Add() {
  const isAdmin = useMember().role === 'admin';
  const { form, submit, isPending } = useSendForm({
    schema: createWebhookInputSchema,
    initial: { url: '', events: [...WEBHOOK_EVENTS], isForAll: false },
    mutation: trpc.webhooks.create.useMutation(),
    onDone: ({ secret }) => void openDialog('webhookSecret', { secret }),
    failed: [t`Webhook not added`],
  });
  return (
    <Dialog title={t`Add a webhook`} size="lg">
      <DialogForm onSubmit={submit} submitLabel={t`Add`} isPending={isPending}>
        <UrlField input={form.getInputProps('url')} />
        <EventsField
          chosen={form.values.events}
          onChange={(events) => form.setFieldValue('events', events)}
          error={form.errors.events}
        />
        {isAdmin && (
          <Switch
            label={t`Everything in this market`}
            description={t`The events of everyone, as long as you are an admin.`}
            {...form.getInputProps('isForAll', { type: 'checkbox' })}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}

function Change({ webhook: { id, url, events } }: { webhook: Webhook }) {
  const { form, submit, isPending } = useSendForm({
    schema: updateWebhookInputSchema,
    initial: { id, url, events: WEBHOOK_EVENTS.filter((event) => events.includes(event)) },
    mutation: trpc.webhooks.update.useMutation(),
    done: () => [t`Webhook changed`],
    failed: [t`Webhook not changed`],
  });
  return (
    <Dialog title={t`Change this webhook`} size="lg">
      <DialogForm onSubmit={submit} submitLabel={t`Save`} isPending={isPending}>
        <UrlField input={form.getInputProps('url')} />
        <EventsField
          chosen={form.values.events}
          onChange={(chosen) => form.setFieldValue('events', chosen)}
          error={form.errors.events}
        />
      </DialogForm>
    </Dialog>
  );
}

function UrlField({ input }: { input: object }) {
  return (
    <TextInput
      label={t`Address of your program`}
      description={t`It begins with https:// and everyone on the internet can reach it.`}
      placeholder="https://example.org/hook"
      type="url"
      inputMode="url"
      required
      data-autofocus
      {...input}
    />
  );
}

interface EventsFieldProps {
  readonly chosen: readonly WebhookEvent[];
  readonly onChange: (events: WebhookEvent[]) => void;
  readonly error: React.ReactNode;
}

/** The events by group; a program may have chosen a part of one. */
function EventsField({ chosen, onChange, error }: EventsFieldProps) {
  return (
    <Input.Wrapper label={t`Events`} error={error} labelElement="div">
      <div className={classes.groups}>
        {EVENT_GROUPS.map(({ label, events }) => {
          const count = events.filter((event) => chosen.includes(event)).length;
          const isAll = count === events.length;
          return (
            <Checkbox
              key={label}
              label={label}
              checked={isAll}
              indeterminate={count > 0 && !isAll}
              onChange={() => {
                const others = chosen.filter((event) => !events.includes(event));
                onChange(isAll ? others : [...others, ...events]);
              }}
            />
          );
        })}
      </div>
    </Input.Wrapper>
  );
}
