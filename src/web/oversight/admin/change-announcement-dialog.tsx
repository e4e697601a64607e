import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ANNOUNCEMENT_KINDS, type ChangeSettingInput, type Settings } from '#contract/people/settings.ts';
import { ChoiceField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { OwnTextFields, textAndEndSchema, typedText } from './own-text-fields.tsx';

/** Tells everybody something, above every page. */
export function Component({ setting: { value, change } }: { setting: Settings['announcement'] }) {
  const schema = z
    .intersection(z.object({ kind: z.enum(ANNOUNCEMENT_KINDS) }), textAndEndSchema)
    .transform(({ kind, text, until }): ChangeSettingInput => {
      // Who has dismissed it sees it again when its words are others.
      const id = value?.text.en === text.en ? value.id : crypto.randomUUID();
      return { name: 'announcement', value: { id, kind, text, until }, follows: change?.id ?? null };
    });
  const { form, submit, isPending } = useSendForm({
    schema,
    initial: { kind: value?.kind ?? ('news' as const), ...typedText(value) },
    mutation: trpc.settings.change.useMutation(),
    done: () => [t`Announcement published`, t`Pages show it once they are reloaded.`],
    failed: [t`Nothing was changed`],
  });
  return (
    <Dialog title={t`Announcement`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Publish`}>
        <ChoiceField
          label={t`Kind of announcement`}
          options={[
            { value: 'news', label: t`News`, description: t`Something people may want to know.` },
            {
              value: 'problem',
              label: t`A problem`,
              description: t`Something is not working. Shown in the warning colour.`,
            },
          ]}
          input={form.getInputProps('kind')}
        />
        <OwnTextFields
          endLabel={t`Shown until`}
          endHint={t`Your local time. Leave empty to show it until removed.`}
          inputOf={form.getInputProps}
        />
      </DialogForm>
    </Dialog>
  );
}
