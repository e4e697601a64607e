import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import type { Feeds } from '#contract/oversight/sources.ts';
import { openDialog } from '#web/lib/open-dialog.ts';

interface HeaderProps {
  readonly name: 'feeds' | 'validators';
  readonly list: Pick<Feeds, 'lockedBy' | 'changeId'>;
  readonly addLabel: string;
  readonly onAdd: () => void;
}

/** Adds a source, or says why none can be added here; and the history of changes. */
export function SourcesHeader({ name, list: { lockedBy, changeId }, addLabel, onAdd }: HeaderProps) {
  return (
    <Group gap="sm">
      {lockedBy === null ? (
        <Button variant="default" size="compact-md" aria-haspopup="dialog" onClick={onAdd}>
          {addLabel}
        </Button>
      ) : (
        <Text size="sm">
          {t`${lockedBy} in the server’s environment sets this. It cannot be changed here.`}
        </Text>
      )}
      {changeId !== null && (
        <Button
          variant="default"
          size="compact-md"
          aria-haspopup="dialog"
          onClick={() => openDialog('settingHistory', { name, isLocked: lockedBy !== null })}
        >
          <Trans>History</Trans>
        </Button>
      )}
    </Group>
  );
}

interface ActionsProps {
  readonly name: string;
  readonly isPaused: boolean;
  readonly onChange: () => void;
  /** What a pause means, and what makes and ends one. */
  readonly pausing: { readonly text: string; readonly act: (isPaused: boolean) => unknown };
  readonly removing: { readonly text: string; readonly act: () => unknown };
}

/** What can be done with one source. */
export function SourceActions({ name, isPaused, onChange, pausing, removing }: ActionsProps) {
  const pause = () =>
    openDialog('confirm', {
      title: isPaused ? t`Resume ${name}` : t`Pause ${name}`,
      text: isPaused ? t`It resumes immediately.` : pausing.text,
      confirmLabel: isPaused ? t`Resume` : t`Pause`,
      act: () => pausing.act(!isPaused),
      done: [isPaused ? t`Resumed` : t`Paused`],
      failed: [t`Nothing was changed`],
    });
  const remove = () =>
    openDialog('confirm', {
      title: t`Remove ${name}`,
      text: removing.text,
      confirmLabel: t`Remove`,
      isDangerous: true,
      act: removing.act,
      done: [t({ context: 'feed or validator', message: 'Removed' })],
      failed: [t`Nothing was changed`],
    });
  return (
    <Group gap="xs" miw={{ base: 0, md: 'max-content' }}>
      <Button variant="default" size="compact-md" aria-haspopup="dialog" onClick={onChange}>
        <Trans>
          Change<VisuallyHidden> {name}</VisuallyHidden>
        </Trans>
      </Button>
      <Button variant="default" size="compact-md" aria-haspopup="dialog" onClick={pause}>
        {isPaused ? (
          <Trans>
            Resume<VisuallyHidden> {name}</VisuallyHidden>
          </Trans>
        ) : (
          <Trans>
            Pause<VisuallyHidden> {name}</VisuallyHidden>
          </Trans>
        )}
      </Button>
      <Button variant="default" size="compact-md" aria-haspopup="dialog" onClick={remove}>
        <Trans>
          Remove<VisuallyHidden> {name}</VisuallyHidden>
        </Trans>
      </Button>
    </Group>
  );
}
