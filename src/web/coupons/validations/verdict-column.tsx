import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { isRestricted } from '#contract/people/roles.ts';
import { Surface } from '#web/components/surface.tsx';
import { storeDraft } from '#web/lib/validation-draft.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { AddValidated } from './add-validated.tsx';
import type { Subject } from './add-values.ts';
import { ResultPanel } from './result-panel.tsx';
import type { Verdict } from './use-verdict.ts';
import classes from './validate.module.css';
import { OUTCOME_TITLES } from './wording.ts';

interface VerdictColumnProps {
  readonly verdict: Verdict<Subject> | null;
  readonly isPending: boolean;
}

/** The verdict and the next step; before the first verdict, the possible outcomes. */
export function VerdictColumn({ verdict, isPending }: VerdictColumnProps) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On small screens the verdict is below the form.
    if (verdict) top.current?.scrollIntoView({ block: 'nearest' });
  }, [verdict]);
  return (
    <Stack>
      <div ref={top} aria-live="polite" aria-busy={isPending}>
        {isPending && <VerdictSkeleton />}
        {!isPending && verdict && <ResultPanel result={verdict.result} hasSubject />}
        {!isPending && !verdict && <Legend />}
      </div>
      {!isPending && verdict?.result.valid && (
        <NextStep key={`${verdict.subject.merchant} ${verdict.subject.code}`} verdict={verdict} />
      )}
    </Stack>
  );
}

function NextStep({ verdict: { result, subject } }: { verdict: Verdict<Subject> }) {
  const { user } = useViewer();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  if (user && isRestricted(user.status)) return null;
  if (user) return <AddValidated details={result.details} subject={subject} />;
  const signIn = () => {
    storeDraft(subject);
    void navigate(paths.authFrom(pathname));
  };
  const hasPicture = subject.qrCodeUrl !== undefined || subject.barcodeUrl !== undefined;
  return (
    <Surface component="section" gap={12} bdrs="md" aria-label={t`Add to My Coupons`}>
      <Text>
        <Trans>
          Sign in to add this coupon to your collection. We keep the merchant and the code in this tab.
        </Trans>{' '}
        {hasPicture && <Trans>You will have to choose the picture again.</Trans>}
      </Text>
      <Button onClick={signIn}>
        <Trans>Sign in to add it</Trans>
      </Button>
    </Surface>
  );
}

function VerdictSkeleton() {
  return (
    <Surface gap={16} bdrs="md" bg="none" bd="2px dashed var(--line)">
      <Group component="span" gap={12} wrap="nowrap" align="flex-start">
        <Skeleton circle height={28} />
        <Stack gap={8} flex={1}>
          <Skeleton height={22} width={120} radius="xl" />
          <Skeleton height={18} width="85%" />
          <Skeleton height={14} width="60%" />
        </Stack>
      </Group>
      <Skeleton height={14} width="70%" />
      <Skeleton height={14} width="50%" />
    </Surface>
  );
}

const LEGEND = [
  {
    Icon: IconCircleCheck,
    title: OUTCOME_TITLES.confirmed,
    text: t`The merchant’s own system says that the code works.`,
  },
  {
    Icon: IconHelpCircle,
    title: OUTCOME_TITLES.unconfirmed,
    text: t`The code looks right, but no one could confirm it.`,
  },
  {
    Icon: IconCircleX,
    title: OUTCOME_TITLES.invalid,
    text: t`The code is used, expired, unknown to the merchant or not a real code.`,
  },
] as const;

function Legend() {
  return (
    <Surface gap={16} bdrs="md" bg="none" bd="2px dashed var(--line)">
      <Text fw={600}>
        <Trans>What a check can tell you</Trans>
      </Text>
      {LEGEND.map(({ Icon, title, text }) => (
        <Group key={title} gap={12} wrap="nowrap" align="flex-start">
          <Icon size={24} aria-hidden="true" className={classes.outcome} />
          <Text size="sm" flex={1}>
            <b>{title}.</b> {text}
          </Text>
        </Group>
      ))}
    </Surface>
  );
}
