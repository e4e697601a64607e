import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, NativeSelect, SegmentedControl, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { listed } from '#contract/base/locale.ts';
import { moneyText } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import { labelled } from '#contract/base/words.ts';
import {
  listPaymentIssuesInputSchema,
  PAYMENT_ISSUE_KINDS,
  type PaymentIssue,
} from '#contract/money/payment-issues.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import { PROVIDER_NAMES } from '#contract/people/sellers.ts';
import { QuietDeskDrawing } from '#web/components/drawings.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { usePage } from '#web/lib/address.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { issueWords } from './action-words.ts';
import classes from './admin.module.css';
import { Debts } from './debts.tsx';
import { choices, type Filtering } from './filters.ts';
import { TablePanel } from './panel.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { usePaymentIssues } from './queries.ts';
import { Reserve } from './reserve.tsx';
import type { Column } from './table-types.ts';
import { PAYMENT_ISSUE_WORDS, plainWords } from './wording.ts';

/** What waits for an admin, what admins have marked as handled, or what sellers owe. */
export type MoneyView = 'waiting' | 'handled' | 'debts';

const NONE = {
  waiting: {
    title: t`Nothing needs your attention`,
    text: t`All payments, refunds and payouts are on track.`,
  },
  handled: {
    title: t`Nothing is marked as handled`,
    text: t`Issues that you mark as handled stay here until they are resolved.`,
  },
};

const NONE_OF_KIND = { title: t`No issue of this kind`, text: t`Choose another kind to see the others.` };

const FACTS: readonly Column<PaymentIssue>[] = [
  {
    title: t`Kind`,
    render: ({ kind }) => (
      <ToneBadge tone={PAYMENT_ISSUE_WORDS[kind].tone}>{PAYMENT_ISSUE_WORDS[kind].word}</ToneBadge>
    ),
  },
  { title: t`What`, render: (issue) => <What issue={issue} />, isLong: true },
  { id: 'people', title: t`People`, render: (issue) => <People issue={issue} /> },
  {
    id: 'amount',
    title: t`Amount`,
    render: ({ amount }) => (amount === null ? '–' : moneyText(amount)),
    isNumber: true,
  },
  { id: 'since', title: t`Since`, render: ({ since }) => formatDateTime(since), sort: 'since-asc' },
];

const KINDS = choices(t`Any kind`, PAYMENT_ISSUE_KINDS, (kind) => PAYMENT_ISSUE_WORDS[kind].word);

interface MoneyProps extends Filtering {
  readonly view: MoneyView;
  readonly onView: (view: MoneyView) => void;
  /** The payment whose dialog is open. */
  readonly paymentId: number | 'unknown' | null;
  readonly onPayment: (paymentId: number | null) => void;
}

/** What no program can decide about money, and what sellers owe. */
export function Money({ view, onView, paymentId, onPayment, ...filtering }: MoneyProps) {
  return (
    <>
      <SegmentedControl
        className={classes.toolbar}
        aria-label={t`Which payment issues`}
        value={view}
        onChange={onView}
        data={[
          { value: 'waiting', label: t`Waiting` },
          { value: 'handled', label: t`Handled` },
          { value: 'debts', label: t`Debts` },
        ]}
      />
      <Reserve />
      {view === 'debts' ? (
        <Debts />
      ) : (
        <PaymentIssues key={view} view={view} onPayment={onPayment} {...filtering} />
      )}
      <PaymentDialog
        paymentId={typeof paymentId === 'number' ? paymentId : null}
        onClose={() => onPayment(null)}
      />
    </>
  );
}

interface PaymentIssuesProps extends Filtering {
  readonly view: 'waiting' | 'handled';
  readonly onPayment: (paymentId: number) => void;
}

function PaymentIssues({ view, onPayment, filters, onFilter }: PaymentIssuesProps) {
  const [page, setPage] = usePage();
  const { issue: kind } = filters;
  const sort = listPaymentIssuesInputSchema.shape.sort.safeParse(filters.sort).data;
  const read = usePaymentIssues({ isHandled: view === 'handled', kind: kind ?? undefined, sort, page });
  // Here and not in the row, which is gone when its issue is settled.
  const retry = trpc.paymentIssues.retry.useMutation({
    onSuccess: ({ issue }) =>
      issue === null
        ? toasts.success(t`Settled`, t`The issue is no longer on the list.`)
        : toasts.success(t`Retried`, issue.lastError ?? t`The issue is still open.`),
    onError: (error) => toasts.failed(error, t`Issue not retried`),
  });
  const handle = trpc.paymentIssues.handle.useMutation();
  const askToHandle = ({ kind, ref }: PaymentIssue) =>
    openDialog('confirm', {
      title: t`Mark as handled?`,
      text: t`This moves the issue to the Handled list. No money moves. If the problem comes back, so does the issue.`,
      confirmLabel: t`Mark handled`,
      act: () => handle.mutateAsync({ kind, ref }),
      done: [t`Marked as handled`],
      failed: [t`Issue not marked`],
    });
  const isTrying = ({ kind, ref }: PaymentIssue) =>
    retry.isPending && retry.variables.kind === kind && retry.variables.ref === ref;

  const columns: readonly Column<PaymentIssue>[] = [
    ...FACTS,
    {
      title: t`Action`,
      render: (issue) => {
        const { kind, paymentId } = issue;
        const about = issue.couponTitle ?? issue.seller?.username ?? issue.what;
        const button = (label: string, onClick: () => void, isDialog = true) => (
          <Button
            variant="default"
            size="compact-sm"
            aria-haspopup={isDialog ? 'dialog' : undefined}
            onClick={onClick}
            loading={!isDialog && isTrying(issue)}
          >
            {label}
            <VisuallyHidden>: {about}</VisuallyHidden>
          </Button>
        );
        return (
          <Group gap="xs">
            {kind === 'dispute' &&
              paymentId !== null &&
              button(t`Evidence`, () => openDialog('paymentEvidence', { paymentId }))}
            {paymentId !== null && button(t`Payment`, () => onPayment(paymentId))}
            {(kind !== 'difference' || paymentId !== null) &&
              button(t`Retry`, () => retry.mutate({ kind, ref: issue.ref }), false)}
            {button(t`Note`, () => openDialog('notePaymentIssue', { issue }))}
            {issue.handledAt === null && button(t`Mark handled`, () => askToHandle(issue))}
          </Group>
        );
      },
      isLong: true,
    },
  ];
  return (
    <TablePanel
      label={t`Payment issues`}
      name="payment-issues"
      sorting={{ sort: sort ?? 'since-asc', onSort: (next) => onFilter({ sort: next }) }}
      filters={
        <NativeSelect
          aria-label={t`Kind`}
          value={kind ?? ''}
          data={KINDS}
          onChange={({ currentTarget }) =>
            onFilter({ issue: PAYMENT_ISSUE_KINDS.find((value) => value === currentTarget.value) ?? null })
          }
        />
      }
      read={read}
      failure={t`Failed to load payment issues`}
      columns={columns}
      rowKey={({ kind, ref }) => `${kind} ${ref}`}
      page={page}
      onPage={setPage}
      empty={{ ...(kind === null ? NONE[view] : NONE_OF_KIND), drawing: <QuietDeskDrawing /> }}
    />
  );
}

/** What has happened, the last error, and what other admins have noted. */
function What({ issue }: { issue: PaymentIssue }) {
  const { couponTitle, lastError, attempts, nextTryAt, dueAt, requirements, notes } = issue;
  const lines = [
    lastError,
    attempts > 0 && plural(attempts, { one: 'Tried # time.', other: 'Tried # times.' }),
    nextTryAt && t`Next try: ${formatDateTime(nextTryAt)}.`,
    dueAt && t`Evidence is due by ${formatDateTime(dueAt)}.`,
    requirements.length > 0 && t`The provider needs: ${listed(requirements.map(plainWords))}.`,
    issue.handledAt && t`Handled by ${issue.handledBy ?? '–'} on ${formatDateTime(issue.handledAt)}.`,
    ...notes.map(({ author, text }) => labelled(author, text)),
  ].filter((line): line is string => typeof line === 'string' && line !== '');
  return (
    <>
      <Trans>
        {issueWords(issue.what)} at {PROVIDER_NAMES[issue.provider]}
      </Trans>
      {couponTitle !== null && `, ${couponTitle}`}
      {lines.map((line) => (
        <Text key={line} size="sm" c="dimmed">
          {line}
        </Text>
      ))}
    </>
  );
}

const STANDINGS: Record<Exclude<UserStatus, 'active'>, string> = {
  warned: t`warned`,
  suspended: t`suspended`,
  banned: t`banned`,
};

function People({ issue: { buyer, seller } }: { issue: PaymentIssue }) {
  if (!buyer && !seller) return '–';
  const roles = [
    [t`Buyer`, buyer],
    [t`Seller`, seller],
  ] as const;
  return roles.map(
    ([role, person]) =>
      person && (
        <div key={role}>
          {role}:{' '}
          <Anchor component={Link} to={paths.user(person.id)}>
            {person.username}
          </Anchor>
          {person.status !== 'active' && ` (${STANDINGS[person.status]})`}
        </div>
      ),
  );
}
