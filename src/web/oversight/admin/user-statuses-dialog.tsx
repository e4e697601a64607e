import { plural, t } from '@lingui/core/macro';
import { use, useState } from 'react';
import { z } from 'zod';
import type { RowOutcome } from '#contract/base/tables.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { type AdminUser, setUserStatusesInputSchema } from '#contract/oversight/moderation.ts';
import { type UserStatus, userStatusSchema } from '#contract/people/accounts.ts';
import { ChoiceField, ReasonField, SuspensionField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { isAllDone, RowNames, RowOutcomes } from '#web/components/row-outcomes.tsx';
import { DialogPlace } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { STATUS_CONSEQUENCES, STATUS_WORDS } from './wording.ts';

const formSchema = setUserStatusesInputSchema.extend({
  status: z.enum(userStatusSchema.options, t`Choose a status`),
});

/** Gives several people the same status, with one reason; then it says who was left out, and why. */
export function Component({ people }: { people: readonly AdminUser[] }) {
  const { close } = use(DialogPlace);
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const { form, submit, isPending } = useSendForm({
    schema: formSchema,
    initial: {
      ids: people.map(({ id }) => id),
      status: '' as UserStatus | '',
      reason: '',
      days: 7 as number | null,
    },
    mutation: trpc.admin.setUserStatuses.useMutation(),
    staysOpen: true,
    done: (result, { status }) =>
      isAllDone(result.outcomes) ? [t`Statuses changed`, STATUS_WORDS[status].word] : null,
    onDone: (result) => (isAllDone(result.outcomes) ? close() : setOutcomes(result.outcomes)),
    failed: [TEXTS.reports.actionFailed()],
  });
  const { status } = form.values;
  const count = people.length;
  const nameOf = (id: number) => people.find((person) => person.id === id)?.username ?? `#${id}`;
  return (
    <Dialog
      title={plural(count, {
        one: 'Change the status of # person',
        other: 'Change the status of # people',
      })}
      size="lg"
    >
      {outcomes ? (
        <RowOutcomes outcomes={outcomes} nameOf={nameOf} />
      ) : (
        <DialogForm
          onSubmit={submit}
          isPending={isPending}
          submitLabel={
            status === 'banned'
              ? plural(count, { one: 'Ban # person', other: 'Ban # people' })
              : t`Change statuses`
          }
          isDangerous={status === 'banned' || status === 'suspended'}
        >
          <RowNames names={people.map(({ username }) => username)} />
          <ChoiceField
            label={t`New status`}
            options={userStatusSchema.options.map((value) => ({
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
            label={t`Reason`}
            description={t`We record it in the audit log and send it to each of them.`}
            input={form.getInputProps('reason')}
          />
        </DialogForm>
      )}
    </Dialog>
  );
}
