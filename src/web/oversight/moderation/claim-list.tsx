import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Box,
  Button,
  Group,
  NativeSelect,
  Skeleton,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { defineAddress, oneOf } from '#contract/base/address.ts';
import { formatNumber } from '#contract/base/locale.ts';
import { moneyText } from '#contract/base/money.ts';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import {
  CLAIM_WAITS,
  type Claim,
  type ClaimSide,
  type ClaimWait,
  RECORD_DAYS,
} from '#contract/money/claims.ts';
import { findingText } from '#contract/money/finding-text.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Facts } from '#web/components/facts.tsx';
import { countText, PagedList } from '#web/components/paged-list.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { Surface } from '#web/components/surface.tsx';
import { awaitedUntil } from '#web/deals/core/time-left.ts';
import { useAddress } from '#web/lib/address.ts';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { KEEP_PAGE, usePagedList } from '#web/lib/paged-list.ts';
import { timeAgo } from '#web/lib/time-ago.ts';
import { trpc } from '#web/lib/trpc.ts';
import { endText } from '#web/money/claims/announced-end.tsx';
import { ClaimCase } from './claim-case.tsx';
import classes from './moderation.module.css';

const LIST_ID = 'claims';

const ADDRESS = defineAddress({ waitsFor: oneOf([null, ...CLAIM_WAITS]) });

const NONE: Record<ClaimWait | 'any', { title: string; text?: string }> = {
  any: {
    title: t`No open claims`,
    text: t`When someone says that a code does not work, their claim appears here.`,
  },
  decision: { title: t`No claim can be decided now` },
  answer: { title: t`No claim waits for an answer` },
};

/** The open claims: those that can be decided now come first. */
export function ClaimList() {
  const [{ waitsFor }, change] = useAddress(ADDRESS);
  const { input, paging } = usePagedList(PAGE_SIZES.claims);
  const query = trpc.claims.list.useQuery(
    { onlyOpen: true, ...(waitsFor && { waitsFor }), ...input },
    KEEP_PAGE,
  );
  return (
    <div id={LIST_ID} tabIndex={-1}>
      <ClaimFilter waitsFor={waitsFor} onChange={(next) => change({ waitsFor: next }, { replace: true })} />
      <PagedList
        query={query}
        {...paging}
        label={t`Claims`}
        announce={(page) =>
          plural(page.total, {
            one: `${countText(page)} open claim`,
            other: `${countText(page)} open claims`,
          })
        }
        gap={0}
        errorTitle={t`Error loading claims`}
        skeleton={<ClaimListSkeleton />}
        empty={<EmptyState {...NONE[waitsFor ?? 'any']} />}
      >
        {(claims) => (
          <PlainList gap={16} mb={24}>
            {claims.map((claim) => (
              <ClaimCard key={claim.id} claim={claim} />
            ))}
          </PlainList>
        )}
      </PagedList>
    </div>
  );
}

interface ClaimFilterProps {
  /** Null: all open ones. */
  readonly waitsFor: ClaimWait | null;
  readonly onChange: (waitsFor: ClaimWait | null) => void;
}

/** Which open claims are shown, with the number of each. */
function ClaimFilter({ waitsFor, onChange }: ClaimFilterProps) {
  const { data } = trpc.claims.counts.useQuery();
  const { decision = 0, answer = 0 } = data ?? {};
  const withCount = (name: string, count: number) => (data ? t`${name}: ${formatNumber(count)}` : name);
  return (
    <NativeSelect
      className={classes.filter}
      maw={320}
      aria-label={t`Which claims`}
      value={waitsFor ?? ''}
      data={[
        { value: '', label: withCount(t`All open claims`, decision + answer) },
        { value: 'decision', label: withCount(t`Can be decided now`, decision) },
        { value: 'answer', label: withCount(t`Waiting for an answer`, answer) },
      ]}
      onChange={({ currentTarget: { value } }) => onChange(CLAIM_WAITS.find((one) => one === value) ?? null)}
    />
  );
}

/** One side of a claim, with what is known of them. */
function Side({ username, text }: { username: string; text: string }) {
  return (
    <>
      {username}
      <Text span display="block" size="sm" c="dimmed">
        {text}
      </Text>
    </>
  );
}

const claimantText = ({ memberSince, granted, declined }: ClaimSide) =>
  t`Member since ${formatDate(memberSince)}. Their claims: ${granted} granted in ${RECORD_DAYS} days, ${declined} declined.`;

const giverText = ({ memberSince, grantedAgainst }: ClaimSide) =>
  t`Member since ${formatDate(memberSince)}. Claims against them: ${grantedAgainst} granted in ${RECORD_DAYS} days.`;

function ClaimCard({ claim }: { claim: Claim }) {
  const facts = [
    {
      name: claim.exchangeId === null ? t`Buyer` : t`Received by`,
      value: <Side username={claim.claimantUsername} text={claimantText(claim.claimant)} />,
    },
    {
      name: claim.exchangeId === null ? t`Seller` : t`Given by`,
      value: <Side username={claim.giverUsername} text={giverText(claim.giver)} />,
    },
    claim.buyerTotal === null
      ? { name: t`Deal`, value: t`Exchange` }
      : { name: t({ context: 'amount', message: 'Paid' }), value: moneyText(claim.buyerTotal) },
  ];
  const pictures = claim.claimantPictures.length + claim.giverPictures.length;
  const awaits = awaitedUntil(claim.answerBy, new Date());
  return (
    <Surface component="li" gap={16} p={{ base: 16, xs: 20 }}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Title order={2} size="h4">
            {claim.couponTitle}
          </Title>
          <Text size="sm" c="dimmed">
            {claim.merchant}
          </Text>
        </Box>
        <Group gap="xs">
          {claim.answer !== null && (
            <ToneBadge tone="success">
              <Trans context="claim">Answered</Trans>
            </ToneBadge>
          )}
          {claim.isSameNetwork && (
            <ToneBadge tone="danger">
              <Trans>Same network</Trans>
            </ToneBadge>
          )}
          {claim.isDisputed && (
            <ToneBadge tone="danger">
              <Trans>Bank dispute</Trans>
            </ToneBadge>
          )}
          <Text
            size="sm"
            c="dimmed"
            component="time"
            dateTime={claim.createdAt}
            title={formatDateTime(claim.createdAt)}
          >
            <Trans>Opened: {timeAgo(claim.createdAt, new Date())}</Trans>
          </Text>
        </Group>
      </Group>
      <Facts facts={facts} className={classes.facts} />
      {claim.confirmedAt !== null && (
        <Text size="sm">
          <Trans>
            {claim.claimantUsername} confirmed on {formatDateTime(claim.confirmedAt)} that the code works.
          </Trans>
        </Text>
      )}
      <blockquote>{claim.reason}</blockquote>
      {claim.answer !== null && (
        <div>
          <Text size="sm" c="dimmed" fw={600} mb={4}>
            <Trans>{claim.giverUsername} answered</Trans>
          </Text>
          <blockquote>{claim.answer}</blockquote>
        </div>
      )}
      {pictures > 0 && (
        <Text size="sm" c="dimmed">
          {plural(pictures, { one: 'With # picture', other: 'With # pictures' })}
        </Text>
      )}
      {claim.finding !== null && <Text size="sm">{findingText(claim.finding, formatDateTime)}</Text>}
      {claim.announcedEnd !== null && <Text size="sm">{endText(claim.announcedEnd)}</Text>}
      <ClaimCase claim={claim} />
      {awaits !== null ? (
        <Text size="sm">
          <Trans>
            {claim.giverUsername} can answer until {awaits}. You can decide after that, or once they have
            answered.
          </Trans>
        </Text>
      ) : (
        <Group>
          <Button aria-haspopup="dialog" onClick={() => openDialog('decideClaim', { claim })}>
            <Trans>
              Decide
              <VisuallyHidden> the claim about {claim.couponTitle}</VisuallyHidden>
            </Trans>
          </Button>
        </Group>
      )}
    </Surface>
  );
}

/** What the list looks like while it loads. */
export function ClaimListSkeleton() {
  return (
    <Stack gap="md">
      <Repeat count={3}>
        <Surface gap={16} p={{ base: 16, xs: 20 }}>
          <Skeleton height={22} width="50%" />
          <Skeleton height={14} width="25%" />
          <Skeleton height={40} width="70%" />
          <Skeleton height={48} />
          <Skeleton height={36} width={90} radius="xl" />
        </Surface>
      </Repeat>
    </Stack>
  );
}
