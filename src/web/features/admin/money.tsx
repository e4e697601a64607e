import { Anchor, Button, Group, SegmentedControl, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Matter } from '#contract/matters.ts';
import { moneyText } from '#contract/money.ts';
import { paths } from '#contract/pages.ts';
import { PROVIDER_NAMES } from '#contract/sellers.ts';
import { QuietDeskDrawing } from '#web/components/drawings.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { usePage } from '#web/lib/address.ts';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import classes from './admin.module.css';
import { Debts } from './debts.tsx';
import { EvidenceDialog, HandleDialog, NoteDialog } from './matter-dialogs.tsx';
import { type Column, TablePanel } from './panel.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { useMatters, useRetryMatter } from './queries.ts';
import { MATTER_WORDS, plainWords } from './wording.ts';

/** What waits for an admin, what admins have marked as handled, or what sellers owe. */
export type MoneyView = 'waiting' | 'handled' | 'debts';

const NONE = {
  waiting: { title: 'Nothing waits for you', text: 'Every payment, refund and payout goes its way.' },
  handled: { title: 'Nothing is marked as handled', text: 'What you mark stays here until its cause ends.' },
};

const FACTS: readonly Column<Matter>[] = [
  {
    title: 'Kind',
    render: ({ kind }) => <ToneBadge tone={MATTER_WORDS[kind].tone}>{MATTER_WORDS[kind].word}</ToneBadge>,
  },
  { title: 'What', render: (matter) => <What matter={matter} />, isLong: true },
  { title: 'People', render: (matter) => <People matter={matter} /> },
  {
    title: 'Amount',
    render: ({ amount }) => (amount === null ? '–' : moneyText(amount)),
    isNumber: true,
  },
  { title: 'Since', render: ({ since }) => formatDateTime(since) },
];

interface MoneyProps {
  readonly view: MoneyView;
  readonly onView: (view: MoneyView) => void;
  /** The payment whose dialog is open. */
  readonly paymentId: number | 'unknown' | null;
  readonly onPayment: (paymentId: number | null) => void;
}

/** What no program can decide about money, and what sellers owe. */
export function Money({ view, onView, paymentId, onPayment }: MoneyProps) {
  return (
    <>
      <SegmentedControl
        className={classes.toolbar}
        aria-label="Which money matters"
        value={view}
        onChange={onView}
        data={[
          { value: 'waiting', label: 'Waiting' },
          { value: 'handled', label: 'Handled' },
          { value: 'debts', label: 'Debts' },
        ]}
      />
      {view === 'debts' ? <Debts /> : <Matters key={view} view={view} onPayment={onPayment} />}
      <PaymentDialog
        paymentId={typeof paymentId === 'number' ? paymentId : null}
        onClose={() => onPayment(null)}
      />
    </>
  );
}

interface MattersProps {
  readonly view: 'waiting' | 'handled';
  readonly onPayment: (paymentId: number) => void;
}

function Matters({ view, onPayment }: MattersProps) {
  const [page, setPage] = usePage();
  const read = useMatters({ isHandled: view === 'handled', page });
  // Here and not in the row, which is gone when its matter is settled.
  const retry = useRetryMatter();
  const noting = useDialog<Matter>();
  const handling = useDialog<Matter>();
  const evidence = useDialog<Matter>();
  const tryAgain = ({ kind, ref }: Matter) =>
    retry.mutate(
      { kind, ref },
      dialogAnswers({
        onClose: () => {},
        done: ({ matter }) =>
          matter === null
            ? ['Settled', 'It has left the list.']
            : ['Tried again', matter.lastError ?? 'It is still open.'],
        failedTitle: 'Not tried',
      }),
    );
  const isTrying = ({ kind, ref }: Matter) =>
    retry.isPending && retry.variables.kind === kind && retry.variables.ref === ref;

  const columns: readonly Column<Matter>[] = [
    ...FACTS,
    {
      title: 'Action',
      render: (matter) => {
        const { kind, paymentId } = matter;
        const about = matter.couponTitle ?? matter.seller?.username ?? matter.what;
        const button = (label: string, onClick: () => void, isDialog = true) => (
          <Button
            variant="default"
            size="compact-sm"
            aria-haspopup={isDialog ? 'dialog' : undefined}
            onClick={onClick}
            loading={!isDialog && isTrying(matter)}
          >
            {label}
            <VisuallyHidden>: {about}</VisuallyHidden>
          </Button>
        );
        return (
          <Group gap="xs">
            {kind === 'dispute' && button('Evidence', () => evidence.open(matter))}
            {paymentId !== null && button('Payment', () => onPayment(paymentId))}
            {(kind !== 'difference' || paymentId !== null) && button('Retry', () => tryAgain(matter), false)}
            {button('Note', () => noting.open(matter))}
            {matter.handledAt === null && button('Mark handled', () => handling.open(matter))}
          </Group>
        );
      },
      isLong: true,
    },
  ];
  return (
    <>
      <TablePanel
        label="Money matters"
        read={read}
        failure="Failed to load the money matters"
        columns={columns}
        rowKey={({ kind, ref }) => `${kind} ${ref}`}
        page={page}
        onPage={setPage}
        empty={{ ...NONE[view], drawing: <QuietDeskDrawing /> }}
      />
      <NoteDialog matter={noting.subject} opened={noting.opened} onClose={noting.close} />
      <HandleDialog matter={handling.subject} opened={handling.opened} onClose={handling.close} />
      <EvidenceDialog matter={evidence.subject} opened={evidence.opened} onClose={evidence.close} />
    </>
  );
}

/** What has happened, the last error, and what other admins have noted. */
function What({ matter }: { matter: Matter }) {
  const { couponTitle, lastError, attempts, nextTryAt, dueAt, requirements, notes } = matter;
  const lines = [
    lastError,
    attempts > 0 && `Tried ${attempts} ${attempts === 1 ? 'time' : 'times'}.`,
    nextTryAt && `Next try: ${formatDateTime(nextTryAt)}.`,
    dueAt && `Evidence is due: ${formatDateTime(dueAt)}.`,
    requirements.length > 0 && `The provider needs: ${requirements.map(plainWords).join(', ')}.`,
    matter.handledAt && `Handled by ${matter.handledBy ?? '–'} on ${formatDateTime(matter.handledAt)}.`,
    ...notes.map(({ author, text }) => `${author}: ${text}`),
  ].filter((line): line is string => typeof line === 'string' && line !== '');
  return (
    <>
      {plainWords(matter.what)} at {PROVIDER_NAMES[matter.provider]}
      {couponTitle !== null && `, ${couponTitle}`}
      {lines.map((line) => (
        <Text key={line} size="sm" c="dimmed">
          {line}
        </Text>
      ))}
    </>
  );
}

function People({ matter: { buyer, seller } }: { matter: Matter }) {
  if (!buyer && !seller) return '–';
  const roles = [
    ['Buyer', buyer],
    ['Seller', seller],
  ] as const;
  return roles.map(
    ([role, person]) =>
      person && (
        <div key={role}>
          {role}:{' '}
          <Anchor component={Link} to={paths.user(person.id)}>
            {person.username}
          </Anchor>
          {person.status !== 'active' && ` (${person.status})`}
        </div>
      ),
  );
}
