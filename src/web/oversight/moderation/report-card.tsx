import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Checkbox, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Report } from '#contract/oversight/moderation.ts';
import { CopyButton } from '#web/components/copy-button.tsx';
import { PublicPicture } from '#web/components/public-picture.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { Surface } from '#web/components/surface.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import classes from './moderation.module.css';
import { RecordButton } from './record-button.tsx';
import { RemovePicture } from './remove-picture.tsx';
import {
  ACTION_WORDS,
  PERSON_STATES,
  REASON_WORDS,
  REPORT_STATES,
  relatedPath,
  relatedWords,
  reportCountWords,
} from './wording.ts';

interface ReportCardProps {
  readonly report: Report;
  readonly onReview: () => void;
  /** For a decision on several; without `onSelect` the report is not offered for one. */
  readonly isSelected?: boolean;
  readonly onSelect?: (isSelected: boolean) => void;
}

/** A report: who reported whom and why, and the decision. */
export function ReportCard({ report, onReview, isSelected = false, onSelect }: ReportCardProps) {
  const state = REPORT_STATES[report.status];
  return (
    <Surface component="li" gap={16} p={{ base: 16, xs: 20 }}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={2} size="h4">
          {REASON_WORDS[report.reason]}
        </Title>
        <Group gap="xs">
          <ToneBadge tone={state.tone}>{state.word}</ToneBadge>
          <Text size="sm" c="dimmed" component="time" dateTime={report.createdAt}>
            {formatDateTime(report.createdAt)}
          </Text>
        </Group>
      </Group>
      <People report={report} />
      <blockquote dir="auto">{report.description}</blockquote>
      {report.pictureUrl && <ReportedPicture report={report} url={report.pictureUrl} />}
      {report.evidence && <Evidence text={report.evidence} />}
      {report.status === 'pending' ? (
        <Group>
          {onSelect && (
            <Checkbox
              aria-label={t`Select the report on ${report.reportedUsername}`}
              label={t`Select`}
              checked={isSelected}
              onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
            />
          )}
          <Button variant="default" aria-haspopup="dialog" onClick={onReview}>
            <Trans>
              Review
              <VisuallyHidden> the report on {report.reportedUsername}</VisuallyHidden>
            </Trans>
          </Button>
          <RecordButton id={report.reportedUserId} username={report.reportedUsername} />
          <RecordButton id={report.reporterId} username={report.reporterUsername} />
        </Group>
      ) : (
        <Decision report={report} />
      )}
    </Surface>
  );
}

function People({ report }: { report: Report }) {
  const standing = PERSON_STATES[report.reportedUserStatus];
  const { relatedEntityType: type, relatedEntityId: id } = report;
  const path = type && id ? relatedPath(type, id) : null;
  return (
    <dl className={classes.people}>
      <div>
        <dt>
          <Trans>Reported</Trans>
        </dt>
        <dd>
          <Person
            id={report.reportedUserId}
            username={report.reportedUsername}
            profileImageUrl={report.reportedProfileImageUrl}
          />
          <ToneBadge tone={standing.tone}>{standing.word}</ToneBadge>
          <Text size="sm" c={report.reportCount > 1 ? undefined : 'dimmed'} component="span">
            {reportCountWords(report.reportCount)}
          </Text>
        </dd>
      </div>
      <div>
        <dt>
          <Trans>Reporter</Trans>
        </dt>
        <dd>
          <Person
            id={report.reporterId}
            username={report.reporterUsername}
            profileImageUrl={report.reporterProfileImageUrl}
          />
          {report.isOfStranger && (
            <Text size="sm" component="span">
              <Trans>has never had a deal with this person</Trans>
            </Text>
          )}
        </dd>
      </div>
      {type && id && (
        <div>
          <dt>
            <Trans>About</Trans>
          </dt>
          <dd className={classes.person}>
            {path ? (
              <Anchor component={Link} to={path} lh="44px">
                {relatedWords(type, id)}
              </Anchor>
            ) : (
              relatedWords(type, id)
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

interface PersonProps {
  readonly id: number;
  readonly username: string;
  readonly profileImageUrl: string | null;
}

function Person({ id, username, profileImageUrl }: PersonProps) {
  return (
    <Anchor component={Link} to={paths.user(id)} c="inherit" className={classes.person}>
      <UserAvatar username={username} profileImageUrl={profileImageUrl} size={28} />
      {username}
    </Anchor>
  );
}

function ReportedPicture({ report, url }: { report: Report; url: string }) {
  const { reportedUsername, isPictureGone } = report;
  if (isPictureGone)
    return (
      <Text c="dimmed">
        <Trans>The reported picture is no longer shown.</Trans>
      </Text>
    );
  return (
    <Group align="flex-end">
      <PublicPicture
        className={classes.picture}
        url={url}
        alt={t`The reported picture of ${reportedUsername}`}
        sizes="320px"
      />
      <RemovePicture url={url} username={reportedUsername} />
    </Group>
  );
}

/** Evidence is shown as text: nobody should follow a stranger's link by mistake. */
function Evidence({ text }: { text: string }) {
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text span fz="sm" c="dimmed">
          <Trans>Evidence</Trans>
        </Text>
        <CopyButton
          text={text}
          done={[t`Evidence copied`]}
          variant="subtle"
          color="gray"
          c="inherit"
          size="compact-sm"
        >
          <Trans>Copy</Trans>
        </CopyButton>
      </Group>
      <p className={classes.evidence}>{text}</p>
    </div>
  );
}

function Decision({ report }: { report: Report }) {
  if (!report.actionTaken) return null;
  const { done } = ACTION_WORDS[report.actionTaken];
  return (
    <div className={classes.decision}>
      <Text>
        {report.moderatorUsername ? (
          <Trans>
            <strong>{done}</strong> by {report.moderatorUsername}, {formatDateTime(report.updatedAt)}
          </Trans>
        ) : (
          <>
            <strong>{done}</strong> {formatDateTime(report.updatedAt)}
          </>
        )}
      </Text>
      {report.moderatorNotes && <Text mt={4}>{report.moderatorNotes}</Text>}
    </div>
  );
}
