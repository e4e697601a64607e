import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Surface } from '#web/components/surface.tsx';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import classes from './claim-panel.module.css';
import { ClaimPictures } from './claim-pictures.tsx';

interface ClaimPanelProps {
  readonly titleId: string;
  readonly title: string;
  /** What the title means, and what happens next. */
  readonly text: string;
  readonly children: ReactNode;
}

/** Whether a code works, for a party to its deal: the state and what to do. */
export function ClaimPanel({ titleId, title, text, children }: ClaimPanelProps) {
  return (
    <Surface component="section" isSunken aria-labelledby={titleId}>
      <Group gap={8} wrap="nowrap" align="flex-start">
        <IconShieldCheck size={22} aria-hidden="true" className={classes.icon} />
        <Stack gap={8} flex={1} miw={0}>
          <Text component="h3" fw={700} m={0} id={titleId} tabIndex={-1}>
            {title}
          </Text>
          <Text role="status">{text}</Text>
          {children}
        </Stack>
      </Group>
    </Surface>
  );
}

interface Line {
  readonly who: string;
  readonly text: string | null;
  readonly pictures?: readonly string[];
}

/** What people have said in a claim, with their pictures. @param lines those without a text are left out */
export function ClaimWords({ lines }: { lines: readonly Line[] }) {
  return (
    <dl className={classes.words}>
      {lines.map(
        ({ who, text, pictures = [] }) =>
          text !== null && [
            <dt key={who}>{who}</dt>,
            <dd key={`${who}, text`}>{text}</dd>,
            pictures.length > 0 && (
              <dd key={`${who}, pictures`}>
                <ClaimPictures urls={pictures} whose={who} />
              </dd>
            ),
          ],
      )}
    </dl>
  );
}

interface AnswerClaimProps {
  readonly claimId: number;
  readonly couponId: number;
  /** The id of the element that takes the focus when the button is gone. */
  readonly titleId: string;
}

/** The button for whoever gave a coupon: answers the claim about it. `paths.answerClaim` presses it. */
export function AnswerClaim({ claimId, couponId, titleId }: AnswerClaimProps) {
  const answer = () => openDialog('answerClaim', { id: claimId }, { focusAfter: [titleId] });
  useDialogLink('answer', answer, String(couponId));
  return (
    <Group>
      <Button variant="default" aria-haspopup="dialog" onClick={answer}>
        <Trans>Answer</Trans>
      </Button>
    </Group>
  );
}

interface Withdrawal {
  /** What follows. */
  readonly text: string;
  /** The text of the toast after success. */
  readonly doneText: string;
  readonly act: () => Promise<unknown>;
  /** The id of the element that takes the focus afterwards. */
  readonly titleId: string;
}

/** Asks the viewer before they withdraw their claim. */
export function askToWithdraw({ text, doneText, act, titleId }: Withdrawal): void {
  openDialog(
    'confirm',
    {
      title: t`Withdraw your claim?`,
      text,
      confirmLabel: t`Withdraw claim`,
      pendingLabel: t`Processing...`,
      cancelLabel: t`Keep my claim`,
      isDangerous: true,
      act,
      done: [t`Claim withdrawn`, doneText],
      failed: [t`Claim not withdrawn`],
    },
    { focusAfter: [titleId] },
  );
}
