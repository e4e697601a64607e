import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Skeleton, Text } from '@mantine/core';
import { settingName } from '#contract/people/setting-texts.ts';
import type { SettingHistory, SettingName } from '#contract/people/settings.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import rows from '#web/components/rows.module.css';
import { formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';

type Change = SettingHistory[number];

interface HistoryProps {
  readonly name: SettingName;
  /** Whether the environment decides the setting: nothing can be undone. */
  readonly isLocked: boolean;
}

/** Who has changed a setting, and to what; the latest change can be undone. */
export function Component({ name, isLocked }: HistoryProps) {
  const query = trpc.settings.history.useQuery({ name }, { refetchOnMount: 'always' });
  return (
    <Dialog title={t`History: ${settingName(name)}`} size="lg">
      <QueryContent
        query={query}
        errorTitle={t`Failed to load the history`}
        skeleton={<Skeleton height={120} aria-hidden="true" />}
      >
        {(changes) => (
          <PlainList className={rows.list} aria-label={t`Changes`}>
            {changes.map((change, index) => (
              <Box component="li" key={change.id} px="md" py="sm">
                <Text fw={600}>{valueText(change)}</Text>
                <Text size="sm" c="dimmed">
                  {whoText(change)}
                </Text>
                {index === 0 && !isLocked && <Undo latest={change} before={changes[1]} />}
              </Box>
            ))}
          </PlainList>
        )}
      </QueryContent>
    </Dialog>
  );
}

function valueText(change: Change | undefined): string {
  return change?.text ?? t`The value from this market’s folder, or else the default`;
}

function whoText({ by, at, undoes }: Change): string {
  const when = formatDateTime(at);
  const who = by ?? t`the operator`;
  return undoes === null ? t`Set by ${who}, ${when}` : t`Set by ${who}, who undid a change, ${when}`;
}

interface UndoProps {
  readonly latest: Change;
  /** Undefined: the setting had never been changed. */
  readonly before: Change | undefined;
}

function Undo({ latest, before }: UndoProps) {
  const undo = trpc.settings.undo.useMutation();
  const old = valueText(before);
  const press = () =>
    openDialog('confirm', {
      title: t`Undo this change`,
      text: t`This restores the previous value immediately, for everyone: ${old}`,
      confirmLabel: t`Undo`,
      act: () => undo.mutateAsync({ id: latest.id }),
      done: [t`Change undone`],
      failed: [t`Nothing was changed`],
    });
  return (
    <Button variant="default" size="compact-sm" mt={4} aria-haspopup="dialog" onClick={press}>
      <Trans>Undo</Trans>
    </Button>
  );
}
