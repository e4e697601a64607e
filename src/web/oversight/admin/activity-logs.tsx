import { t } from '@lingui/core/macro';
import { Anchor, NativeSelect, SegmentedControl } from '@mantine/core';
import { Link } from 'react-router-dom';
import { DENIAL_KINDS } from '#contract/base/errors.ts';
import { paths } from '#contract/base/pages.ts';
import { type FeeLog, listFeeLogsInputSchema } from '#contract/money/payments.ts';
import {
  type AuditLine,
  type DeniedRequest,
  listAuditInputSchema,
  listDeniedRequestsInputSchema,
} from '#contract/oversight/moderation.ts';
import { SearchBox } from '#web/components/search-box.tsx';
import { usePage } from '#web/lib/address.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { AUDIT_ACTIONS, actionWords } from './action-words.ts';
import classes from './admin.module.css';
import { choices, type Filtering } from './filters.ts';
import { TablePanel } from './panel.tsx';
import { useAuditLog, useDeniedRequests, useFeeLogs } from './queries.ts';
import { csvHref, DayRange } from './table-tools.tsx';
import type { Column } from './table-types.ts';
import { DENIAL_WORDS } from './wording.ts';

const FEE_COLUMNS: readonly Column<FeeLog>[] = [
  { title: t`ID`, render: ({ id }) => `#${id}` },
  { id: 'date', title: t`Date`, render: ({ createdAt }) => formatDateTime(createdAt), sort: 'date-desc' },
  { id: 'user', title: t`User`, render: ({ username }) => username },
  { id: 'action', title: t`Action`, render: ({ action }) => actionWords(action) },
  { id: 'details', title: t`Details`, render: ({ details }) => details, isLong: true },
];

const AUDIT_COLUMNS: readonly Column<AuditLine>[] = [
  { title: t`ID`, render: ({ id }) => `#${id}` },
  { id: 'date', title: t`Date`, render: ({ createdAt }) => formatDateTime(createdAt), sort: 'date-desc' },
  // Without a user: an automatic rule, or a command-line program.
  { id: 'user', title: t`User`, render: ({ username }) => username ?? t`System` },
  { id: 'action', title: t`Action`, render: ({ action }) => actionWords(action) },
  {
    id: 'about',
    title: t`About`,
    render: ({ targetUserId, targetUsername }) => <Person id={targetUserId} username={targetUsername} />,
  },
  { id: 'details', title: t`Details`, render: ({ details }) => details, isLong: true },
];

const DENIED_REQUEST_COLUMNS: readonly Column<DeniedRequest>[] = [
  { title: t`Last`, render: ({ lastAt }) => formatDateTime(lastAt), sort: 'date-desc' },
  { id: 'kind', title: t`What`, render: ({ kind }) => DENIAL_WORDS[kind] },
  { id: 'count', title: t`Times per hour`, render: ({ count }) => count, isNumber: true },
  {
    id: 'account',
    title: t`Account`,
    render: ({ userId, username }) => <Person id={userId} username={username} />,
  },
  { id: 'address', title: t`Address`, render: ({ address }) => address || t`Many others` },
  { id: 'call', title: t`Call`, render: ({ call }) => call || '–', isLong: true },
];

/** Entries about money, decisions of moderators and admins, or what people were refused. */
export type LogView = 'money' | 'moderation' | 'denied-requests';

const ACTIONS = choices(t`Any action`, AUDIT_ACTIONS, actionWords);
const DENIALS = choices(t`Any kind`, DENIAL_KINDS, (kind) => DENIAL_WORDS[kind]);

interface ActivityLogsProps extends Filtering {
  readonly view: LogView;
  readonly onView: (view: LogView) => void;
}

/** The logs: money, decisions of moderators and admins, denied requests. */
export function ActivityLogs({ view, onView, ...filtering }: ActivityLogsProps) {
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
      {view === 'money' && <FeeLogs {...filtering} />}
      {view === 'moderation' && <AuditLog {...filtering} />}
      {view === 'denied-requests' && <DeniedRequestLog {...filtering} />}
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

function FeeLogs({ filters, onFilter }: Filtering) {
  const [page, setPage] = usePage();
  const sort = listFeeLogsInputSchema.shape.sort.safeParse(filters.sort).data;
  return (
    <TablePanel
      label={t`Money activity`}
      name="fee-logs"
      read={useFeeLogs({ sort, page })}
      sorting={{ sort: sort ?? 'date-desc', onSort: (next) => onFilter({ sort: next }) }}
      exportHref={csvHref('/api/admin/transaction-logs.csv', { sort })}
      failure={t`Failed to load the activity`}
      columns={FEE_COLUMNS}
      rowKey={({ id }) => id}
      page={page}
      onPage={setPage}
      empty={{ title: t`No activity yet`, text: t`Payments, payouts and refunds appear here.` }}
    />
  );
}

function AuditLog({ filters, onFilter }: Filtering) {
  const [page, setPage] = usePage();
  const { person, action, from, to } = filters;
  const sort = listAuditInputSchema.shape.sort.safeParse(filters.sort).data;
  const given = {
    person: person || undefined,
    action: action || undefined,
    from: from || undefined,
    to: to || undefined,
    sort,
  };
  return (
    <TablePanel
      label={t`Moderation activity`}
      name="audit"
      read={useAuditLog({ ...given, page })}
      sorting={{ sort: sort ?? 'date-desc', onSort: (next) => onFilter({ sort: next }) }}
      exportHref={csvHref('/api/admin/audit-log.csv', given)}
      filters={
        <>
          <SearchBox
            label={t`Who did it, or whom it is about`}
            placeholder={t`Whole username`}
            value={person}
            onSearch={(text) => onFilter({ person: text })}
          />
          <NativeSelect
            aria-label={t`Action`}
            value={action}
            data={ACTIONS}
            onChange={({ currentTarget }) => onFilter({ action: currentTarget.value })}
          />
          <DayRange fromLabel={t`From`} from={from} to={to} onChange={onFilter} />
        </>
      }
      failure={t`Failed to load the activity`}
      columns={AUDIT_COLUMNS}
      rowKey={({ id }) => id}
      page={page}
      onPage={setPage}
      empty={{ title: t`No activity yet`, text: t`Decisions by moderators and admins appear here.` }}
    />
  );
}

function DeniedRequestLog({ filters, onFilter }: Filtering) {
  const [page, setPage] = usePage();
  const { denial } = filters;
  const sort = listDeniedRequestsInputSchema.shape.sort.safeParse(filters.sort).data;
  const given = { kind: denial ?? undefined, sort };
  return (
    <TablePanel
      label={t`Refusals`}
      name="refusals"
      read={useDeniedRequests({ ...given, page })}
      sorting={{ sort: sort ?? 'date-desc', onSort: (next) => onFilter({ sort: next }) }}
      exportHref={csvHref('/api/admin/denied-requests.csv', given)}
      filters={
        <NativeSelect
          aria-label={t`What`}
          value={denial ?? ''}
          data={DENIALS}
          onChange={({ currentTarget }) =>
            onFilter({ denial: DENIAL_KINDS.find((value) => value === currentTarget.value) ?? null })
          }
        />
      }
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
