import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import type { AnnouncedEnd as End } from '#contract/money/claims.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';

interface AnnouncedEndProps {
  readonly claimId: number;
  readonly end: End | null;
  readonly isClaimant: boolean;
  /** The id of the element that takes the focus when the button is gone. */
  readonly titleId: string;
}

/** How a claim ends that nobody has decided, for one of its sides. Whoever would lose can ask an admin. */
export function AnnouncedEnd({ claimId, end, isClaimant, titleId }: AnnouncedEndProps) {
  const appealing = trpc.claims.appeal.useMutation();
  if (end === null) return null;
  const appeal = () =>
    openDialog(
      'confirm',
      {
        title: t`Ask an admin to decide?`,
        text: t`The claim then does not end by itself. You can ask once. What the admin decides is final.`,
        confirmLabel: t`Ask an admin`,
        pendingLabel: t`Processing...`,
        act: () => appealing.mutateAsync({ id: claimId }),
        done: [t`Admin asked`, t`We tell you what they decide.`],
        failed: [t`Admin not asked`],
      },
      { focusAfter: [titleId] },
    );
  return (
    <>
      <Text>{endText(end)}</Text>
      {!end.isAppealed && end.isGranted !== isClaimant && (
        <Group>
          <Button variant="default" aria-haspopup="dialog" onClick={appeal}>
            <Trans>Ask an admin</Trans>
          </Button>
        </Group>
      )}
    </>
  );
}

/** How a claim ends, for everybody. */
export function endText({ at, isGranted, isAppealed }: End): string {
  if (isAppealed) return t`An admin decides this claim: one side has asked for it.`;
  const until = formatDateTime(at);
  return isGranted
    ? t`If no one decides this claim before ${until}, it will be upheld.`
    : t`If no one decides this claim before ${until}, it will be declined.`;
}
