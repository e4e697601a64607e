import { plural, t } from '@lingui/core/macro';
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { labelled } from '#contract/base/words.ts';
import type { PersonRecord as Record } from '#contract/oversight/cases.ts';
import { Facts } from '#web/components/facts.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDate, formatDateTime, ratingText } from '#web/lib/format.ts';
import { ACTION_WORDS, CLAIM_ENDS, PERSON_STATES, REASON_WORDS, REPORT_STATES } from './wording.ts';

/** What a person has done, what others said of them, and what was decided. */
export function PersonRecord({ record }: { record: Record }) {
  const { claims, reports, statusChanges } = record;
  const made = claims.filter(({ side }) => side === 'claimant');
  const about = claims.filter(({ side }) => side === 'giver');
  return (
    <Stack gap="md">
      <Facts layout="columns" facts={factsOf(record)} />
      <Lines
        title={t`Claims about what they gave`}
        none={t`No one has claimed.`}
        lines={about.map(claimLine)}
      />
      <Lines title={t`Claims they made`} none={t`None.`} lines={made.map(claimLine)} />
      <Lines title={t`Reports on them`} none={t`None.`} lines={reports.map(reportLine)} />
      <Lines
        title={t`Changes of their status`}
        none={t`None.`}
        lines={statusChanges.map(({ id, details, username, createdAt }) => ({
          id,
          at: createdAt,
          text: username === null ? details : labelled(username, details),
        }))}
      />
    </Stack>
  );
}

function factsOf(record: Record) {
  const { id, username, status, createdAt, exchanges, sales, averageRating, ratingCount, failedCodes } =
    record;
  const { tone, word } = PERSON_STATES[status];
  return [
    {
      name: t`Person`,
      value: (
        <Anchor component={Link} to={paths.user(id)} fw={600} c="inherit">
          {username}
        </Anchor>
      ),
    },
    { name: t`Status`, value: <ToneBadge tone={tone}>{word}</ToneBadge> },
    { name: t`Member since`, value: formatDate(createdAt) },
    {
      name: t`Deals`,
      value: t`${plural(exchanges, { one: '# exchange', other: '# exchanges' })}, ${plural(sales, { one: '# purchase or sale', other: '# purchases and sales' })}`,
    },
    {
      name: t`Rating`,
      value: ratingText(averageRating, ratingCount),
    },
    { name: t`Failed codes`, value: failedCodes },
  ];
}

interface Line {
  readonly id: number;
  readonly at: string;
  readonly text: string;
  /** What a moderator wrote. */
  readonly note?: string | null;
}

function claimLine({
  id,
  couponTitle,
  otherUsername,
  status,
  note,
  createdAt,
}: Record['claims'][number]): Line {
  return { id, at: createdAt, text: t`“${couponTitle}”, with ${otherUsername}: ${CLAIM_ENDS[status]}`, note };
}

function reportLine(report: Record['reports'][number]): Line {
  const { id, reason, status, actionTaken, moderatorNotes, createdAt } = report;
  const end = actionTaken === null ? REPORT_STATES[status].word : ACTION_WORDS[actionTaken].done;
  return { id, at: createdAt, text: labelled(REASON_WORDS[reason], end), note: moderatorNotes };
}

interface LinesProps {
  readonly title: string;
  /** Shown where there is no line. */
  readonly none: string;
  readonly lines: readonly Line[];
}

/** Dated lines under a heading. */
export function Lines({ title, none, lines }: LinesProps) {
  return (
    <section>
      <Text component="h4" size="sm" c="dimmed" fw={600} m={0} mb={4}>
        {title}
      </Text>
      {lines.length === 0 && <Text size="sm">{none}</Text>}
      <PlainList gap={6}>
        {lines.map(({ id, at, text, note }) => (
          <Text component="li" size="sm" key={id} style={{ overflowWrap: 'anywhere' }}>
            <Text component="time" inherit c="dimmed" dateTime={at}>
              {formatDateTime(at)}
            </Text>{' '}
            {text}
            {note && (
              <Text inherit c="dimmed" fs="italic">
                {note}
              </Text>
            )}
          </Text>
        ))}
      </PlainList>
    </section>
  );
}
