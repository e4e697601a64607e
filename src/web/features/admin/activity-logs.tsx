import { t } from '@lingui/core/macro';
import { Anchor, SegmentedControl } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { AuditLine, DeniedRequest } from '#contract/moderation.ts';
import { paths } from '#contract/pages.ts';
import type { FeeLog } from '#contract/payments.ts';
import { usePage } from '#web/lib/address.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { actionWords } from './action-words.ts';
import classes from './admin.module.css';
import { type Column, TablePanel } from './panel.tsx';
import { useAuditLog, useDeniedRequests, useFeeLogs } from './queries.ts';
import { DENIAL_WORDS } from './wording.ts';

const FEE_COLUMNS: readonly Column<FeeLog>[] = [
  { title: t`ID`, render: ({ id }) => `#${id}` },
  { title: t`Date`, render: ({ createdAt }) => formatDateTime(createdAt) },
  { title: t`User`, render: ({ username }) => username },
  { title: t`Action`, render: ({ action }) => actionWords(action) },
  { title: t`Details`, render: ({ details }) => details, isLong: true },
];

const AUDIT_COLUMNS: readonly Column<AuditLine>[] = [
  { title: t`ID`, render: ({ id }) => `#${id}` },
  { title: t`Date`, render: ({ createdAt }) => formatDateTime(createdAt) },
  // Without a user: an automatic rule, or a command-line program.
  { title: t`User`, render: ({ username }) => username ?? t`System` },
  { title: t`Action`, render: ({ action }) => actionWords(action) },
  {
    title: t`About`,
    render: ({ targetUserId, targetUsername }) => <Person id={targetUserId} username={targetUsername} />,
  },
  { title: t`Details`, render: ({ details }) => details, isLong: true },
];

const DENIED_REQUEST_COLUMNS: readonly Column<DeniedRequest>[] = [
  { title: t`Last`, render: ({ lastAt }) => formatDateTime(lastAt) },
  { title: t`What`, render: ({ kind }) => DENIAL_WORDS[kind] },
  { title: t`Times per hour`, render: ({ count }) => count, isNumber: true },
  {
    title: t`Account`,
    render: ({ userId, username }) => <Person id={userId} username={username} />,
  },
  { title: t`Address`, render: ({ address }) => address || t`Many others` },
  { title: t`Call`, render: ({ call }) => call || '–', isLong: true },
];

/** Entries about money, decisions of moderators and admins, or what people were refused. */
export type LogView = 'money' | 'moderation' | 'denied-requests';

interface ActivityLogsProps {
  readonly view: LogView;
  readonly onView: (view: LogView) => void;
}

/** The logs: money, decisions of moderators and admins, denied requests. */
export function ActivityLogs({ view, onView }: ActivityLogsProps) {
  return (
    <>
      <SegmentedControl
        className={classes.toolbar}
        aria-label={t`Which activity`}
        value={view}
        onChange={(value) => onView(value)}
        data={[
          { value: 'money', label: t`Money` },
          { value: 'moderation', label: t`Moderation` },
          { value: 'denied-requests', label: t`Refusals` },
        ]}
      />
      {view === 'money' && <FeeLogs />}
      {view === 'moderation' && <AuditLog />}
      {view === 'denied-requests' && <DeniedRequestLog />}
    </>
  );
}

function Person({ id, username }: { id: number | null; username: string | null }) {
  if (id === null) return '–';
  return (
    <Anchor component={Link} to={paths.user(id)}>
      {username ?? `#${id}`}
    </Anchor>
  );
}

function FeeLogs() {
  const [page, setPage] = usePage();
  return (
    <TablePanel
      label={t`Money activity`}
      read={useFeeLogs(page)}
      failure={t`Failed to load the activity`}
      columns={FEE_COLUMNS}
      rowKey={({ id }) => id}
      page={page}
      onPage={setPage}
      empty={{ title: t`No activity yet`, text: t`Payments, payouts and refunds appear here.` }}
    />
  );
}

function AuditLog() {
  const [page, setPage] = usePage();
  return (
    <TablePanel
      label={t`Moderation activity`}
      read={useAuditLog(page)}
      failure={t`Failed to load the activity`}
      columns={AUDIT_COLUMNS}
      rowKey={({ id }) => id}
      page={page}
      onPage={setPage}
      empty={{ title: t`No activity yet`, text: t`Decisions by moderators and admins appear here.` }}
    />
  );
}

function DeniedRequestLog() {
  const [page, setPage] = usePage();
  return (
    <TablePanel
      label={t`Refusals`}
      read={useDeniedRequests(page)}
      failure={t`Failed to load the refusals`}
      columns={DENIED_REQUEST_COLUMNS}
      rowKey={({ id }) => id}
      page={page}
      onPage={setPage}
      empty={{
        title: t`No refusals yet`,
        text: t`Failed sign-ins, forbidden requests and exceeded limits from the last 30 days appear here.`,
      }}
    />
  );
}
