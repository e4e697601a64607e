import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import type { AnnouncedEnd as End, Finding } from '#contract/money/claims.ts';
import { findingText } from '#contract/money/finding-text.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';

interface AnnouncedEndProps {
  readonly claimId: number;
  readonly end: End | null;
  readonly finding: Finding | null;
  readonly isClaimant: boolean;
  /** The id of the element that takes the focus when the button is gone. */
  readonly titleId: string;
}

/**
 * What the merchant has told, and how a claim ends that nobody has decided, for one of its sides. Whoever would lose can ask
 * for a person.
 */
export function AnnouncedEnd({ claimId, end, finding, isClaimant, titleId }: AnnouncedEndProps) {
  const appealing = trpc.claims.appeal.useMutation();
  const appeal = () =>
    openDialog(
      'confirm',
      {
        ...(end?.isByFinding ? moderatorWords() : adminWords()),
        pendingLabel: t`Processing...`,
        act: () => appealing.mutateAsync({ id: claimId }),
      },
      { focusAfter: [titleId] },
    );
  const mayAppeal = end !== null && !end.isAppealed && end.isGranted !== isClaimant;
  return (
    <>
      {finding && <Text>{findingText(finding, formatDateTime)}</Text>}
      {end && <Text>{endText(end)}</Text>}
      {mayAppeal && (
        <Group>
          <Button variant="default" aria-haspopup="dialog" onClick={appeal}>
            {end.isByFinding ? t`Ask a moderator` : t`Ask an admin`}
          </Button>
        </Group>
      )}
    </>
  );
}

const adminWords = () => ({
  title: t`Ask an admin to decide?`,
  text: t`The claim then does not end by itself. You can ask once. What the admin decides is final.`,
  confirmLabel: t`Ask an admin`,
  done: [t`Admin asked`, t`We tell you what they decide.`] as const,
  failed: [t`Admin not asked`] as const,
});

const moderatorWords = () => ({
  title: t`Ask a moderator to decide?`,
  text: t`The moderator sees what the merchant says, and what you both have written. You can ask once.`,
  confirmLabel: t`Ask a moderator`,
  done: [t`Moderator asked`, t`We tell you what they decide.`] as const,
  failed: [t`Moderator not asked`] as const,
});

/** How a claim ends, for everybody. */
export function endText({ at, isGranted, isAppealed, isByFinding }: End): string {
  if (isByFinding)
    return isGranted
      ? t`The claim will be upheld on ${formatDateTime(at)}.`
      : t`The claim will be declined on ${formatDateTime(at)}.`;
  if (isAppealed) return t`An admin decides this claim: one side has asked for it.`;
  const until = formatDateTime(at);
  return isGranted
    ? t`If no one decides this claim before ${until}, it will be upheld.`
    : t`If no one decides this claim before ${until}, it will be declined.`;
}
