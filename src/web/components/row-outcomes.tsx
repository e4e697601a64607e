import { plural, t } from '@lingui/core/macro';
import { Alert, Stack, Text } from '@mantine/core';
import type { RowOutcome } from '#contract/base/tables.ts';
import { labelled } from '#contract/base/words.ts';
import { DialogFooter } from './dialog.tsx';
import { PlainList } from './plain-list.tsx';

/** How many names a question lists before it only counts the rest. */
const NAMED = 10;

/** Whom or what an act on several rows concerns: up to ten names, and how many more. */
export function RowNames({ names }: { names: readonly string[] }) {
  const more = names.length - NAMED;
  return (
    <PlainList gap={2} style={{ overflowWrap: 'anywhere' }}>
      {names.slice(0, NAMED).map((name, index) => (
        // The same person may stand behind several rows.
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={index}>{name}</li>
      ))}
      {more > 0 && <li>{plural(more, { one: 'and # more', other: 'and # more' })}</li>}
    </PlainList>
  );
}

function outcomeText({ outcome, text }: RowOutcome): string {
  if (text !== null) return text;
  return outcome === 'failed'
    ? t`Something went wrong here. Check the result before you try again.`
    : t`Skipped: an earlier change failed.`;
}

interface RowOutcomesProps {
  readonly outcomes: readonly RowOutcome[];
  readonly nameOf: (id: number) => string;
}

/** After an act on several rows, in its dialog: those that were left as they were, and why. */
export function RowOutcomes({ outcomes, nameOf }: RowOutcomesProps) {
  const left = outcomes.filter(({ outcome }) => outcome !== 'done');
  const done = outcomes.length - left.length;
  return (
    <Stack>
      <Text role="status">
        {plural(done, { one: '# is done.', other: '# are done.' })}{' '}
        {plural(left.length, { one: '# was not changed:', other: '# were not changed:' })}
      </Text>
      <Alert color="yellow" variant="light">
        <PlainList gap={6} style={{ overflowWrap: 'anywhere' }}>
          {left.map((outcome) => (
            <li key={outcome.id}>{labelled(nameOf(outcome.id), outcomeText(outcome))}</li>
          ))}
        </PlainList>
      </Alert>
      <DialogFooter cancelLabel={t`Done`} />
    </Stack>
  );
}

/** Whether every row was changed. */
export const isAllDone = (outcomes: readonly RowOutcome[]) =>
  outcomes.every(({ outcome }) => outcome === 'done');
