import { Anchor, Button, Group, NativeSelect, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { type UserStatus, userStatusSchema } from '#contract/accounts.ts';
import type { AdminUser } from '#contract/moderation.ts';
import { paths } from '#contract/pages.ts';
import { SEARCH_MAX } from '#contract/primitives.ts';
import { SearchDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { SearchBox } from '#web/components/search-box.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDate } from '#web/lib/format.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { usePageNumber } from '#web/lib/use-page-number.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './admin.module.css';
import type { AdminAddress } from './admin-address.ts';
import type { Column } from './data-table.tsx';
import { TablePanel } from './panel.tsx';
import { ROWS_PER_PAGE, useUsers } from './queries.ts';
import { StatusDialog } from './status-dialog.tsx';
import { ROLE_WORDS, STATUS_WORDS } from './wording.ts';

const STATUS_OPTIONS = [
  { value: '', label: 'Any status' },
  ...userStatusSchema.options.map((value) => ({ value, label: STATUS_WORDS[value].word })),
];

const FACTS: readonly Column<AdminUser>[] = [
  {
    title: 'User',
    render: ({ id, username }) => (
      <Anchor component={Link} to={paths.user(id)} fw={600} c="inherit">
        {username}
      </Anchor>
    ),
  },
  {
    title: 'E-mail',
    render: ({ email, isDeleted }) => (isDeleted ? 'Account deleted' : email),
    isLong: true,
  },
  { title: 'Role', render: ({ role }) => ROLE_WORDS[role] },
  {
    title: 'Status',
    render: ({ status }) => (
      <ToneBadge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].word}</ToneBadge>
    ),
  },
  { title: 'Reports', render: ({ reportCount }) => reportCount, isNumber: true },
  { title: 'Joined', render: ({ createdAt }) => formatDate(createdAt) },
  {
    title: 'Last login',
    render: ({ lastLoginAt }) => (lastLoginAt === null ? 'Never' : formatDate(lastLoginAt)),
  },
];

interface PeopleProps {
  readonly search: string;
  readonly status: UserStatus | null;
  readonly onChange: (change: Partial<AdminAddress>) => void;
}

/** Everybody with an account, and how they stand. */
export function People({ search, status, onChange }: PeopleProps) {
  const [page, setPage] = usePageNumber(ROWS_PER_PAGE);
  const { user: viewer } = useViewer();
  const read = useUsers({ search, page, ...(status && { status }) });
  const changing = useDialog<AdminUser>();

  const columns: readonly Column<AdminUser>[] = [
    ...FACTS,
    {
      title: 'Action',
      // Nobody locks themselves out, and nobody moderates an admin.
      render: (person) =>
        person.isDeleted || person.role === 'admin' || person.id === viewer?.id ? (
          '–'
        ) : (
          <Button
            variant="default"
            size="compact-sm"
            aria-haspopup="dialog"
            onClick={() => changing.open(person)}
          >
            Change status
            <VisuallyHidden> of {person.username}</VisuallyHidden>
          </Button>
        ),
    },
  ];
  return (
    <>
      <Group className={classes.toolbar} gap="sm" align="flex-end">
        <SearchBox
          className={classes.search}
          label="Search people"
          placeholder="Name or e-mail address..."
          maxLength={SEARCH_MAX}
          value={search}
          onSearch={(text) => onChange({ search: text })}
        />
        <NativeSelect
          aria-label="Status"
          value={status ?? ''}
          data={STATUS_OPTIONS}
          onChange={({ currentTarget }) =>
            onChange({ status: userStatusSchema.safeParse(currentTarget.value).data ?? null })
          }
        />
      </Group>
      <TablePanel
        label="People"
        read={read}
        failure="Failed to load people"
        columns={columns}
        rowKey={({ id }) => id}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState
            title="Nobody found"
            text="No name or address matches. Try a shorter part of it."
            drawing={<SearchDrawing />}
            titleOrder={3}
            action={
              <Button variant="default" onClick={() => onChange({ search: '', status: null })}>
                Show everybody
              </Button>
            }
          />
        }
      />
      <StatusDialog person={changing.subject} opened={changing.opened} onClose={changing.close} />
    </>
  );
}
