import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, NativeSelect, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { type AdminUser, listUsersInputSchema } from '#contract/oversight/moderation.ts';
import { userStatusSchema } from '#contract/people/accounts.ts';
import { USER_ROLES } from '#contract/people/roles.ts';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { SearchBox } from '#web/components/search-box.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { usePage } from '#web/lib/address.ts';
import { formatDate } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './admin.module.css';
import { choices, type Filtering, NO_FILTERS } from './filters.ts';
import { TablePanel } from './panel.tsx';
import { useUsers } from './queries.ts';
import { csvHref, DayRange } from './table-tools.tsx';
import type { Column } from './table-types.ts';
import { ROLE_WORDS, STATUS_WORDS } from './wording.ts';

const STATUSES = choices(t`Any status`, userStatusSchema.options, (status) => STATUS_WORDS[status].word);
const ROLES = choices(t`Any role`, USER_ROLES, (role) => ROLE_WORDS[role]);

const FACTS: readonly Column<AdminUser>[] = [
  {
    title: t`User`,
    sort: 'name-asc',
    render: ({ id, username }) => (
      <Anchor component={Link} to={paths.user(id)} fw={600} c="inherit" className="target">
        {username}
      </Anchor>
    ),
  },
  {
    id: 'email',
    title: t`E-mail`,
    render: ({ email, isDeleted }) => (isDeleted ? t`Account deleted` : email),
    isLong: true,
  },
  { id: 'role', title: t`Role`, render: ({ role }) => ROLE_WORDS[role] },
  {
    id: 'status',
    title: t`Status`,
    render: ({ status }) => (
      <ToneBadge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].word}</ToneBadge>
    ),
  },
  {
    id: 'reports',
    title: t`Reports`,
    render: ({ reportCount }) => reportCount,
    isNumber: true,
    sort: 'reports-desc',
  },
  { id: 'joined', title: t`Joined`, render: ({ createdAt }) => formatDate(createdAt), sort: 'joined-desc' },
  {
    id: 'last-sign-in',
    title: t`Last sign-in`,
    render: ({ lastLoginAt }) => (lastLoginAt === null ? t`Never` : formatDate(lastLoginAt)),
  },
];

/** Admins cannot change their own status or that of another admin. */
const canChange = ({ isDeleted, role }: AdminUser) => !isDeleted && role !== 'admin';

/** Every account with its status, and buttons that change it, for one or for several. */
export function People({ filters, onFilter }: Filtering) {
  const [page, setPage] = usePage();
  const { user: viewer } = useViewer();
  const { search, status, role, from, to } = filters;
  const sort = listUsersInputSchema.shape.sort.safeParse(filters.sort).data;
  const given = {
    search: search || undefined,
    status: status ?? undefined,
    role: role ?? undefined,
    from: from || undefined,
    to: to || undefined,
    sort,
  };
  const read = useUsers({ ...given, page });
  const [chosen, setChosen] = useState<readonly number[]>([]);
  // Only who is on screen is decided about.
  const selected = (read.data?.items ?? []).filter((row) => chosen.includes(row.id) && canChange(row));

  const columns: readonly Column<AdminUser>[] = [
    ...FACTS,
    {
      title: t`Action`,
      render: (person) => {
        const isOther = person.id !== viewer?.id;
        const canReset = person.hasSecondFactor && isOther;
        return (
          <Group gap="xs">
            {isOther && (
              <ActionButton onClick={() => openDialog('personRecord', person)}>
                <Trans>
                  Record<VisuallyHidden> of {person.username}</VisuallyHidden>
                </Trans>
              </ActionButton>
            )}
            {canChange(person) && (
              <ActionButton onClick={() => openDialog('userStatus', { person })}>
                <Trans>
                  Change status<VisuallyHidden> of {person.username}</VisuallyHidden>
                </Trans>
              </ActionButton>
            )}
            {canReset && (
              <ActionButton onClick={() => openDialog('resetSecondFactor', { person })}>
                <Trans>
                  Reset second factor<VisuallyHidden> of {person.username}</VisuallyHidden>
                </Trans>
              </ActionButton>
            )}
          </Group>
        );
      },
    },
  ];
  return (
    <TablePanel
      label={t`People`}
      name="people"
      read={read}
      failure={t`Failed to load people`}
      columns={columns}
      rowKey={({ id }) => id}
      page={page}
      onPage={setPage}
      sorting={{ sort: sort ?? 'joined-desc', onSort: (next) => onFilter({ sort: next }) }}
      exportHref={csvHref('/api/admin/users.csv', given)}
      filters={
        <>
          <SearchBox
            className={classes.search}
            label={t`Search people`}
            placeholder={t`Name, email address or #coupon...`}
            value={search}
            onSearch={(text) => onFilter({ search: text })}
          />
          <NativeSelect
            aria-label={t`Status`}
            value={status ?? ''}
            data={STATUSES}
            onChange={({ currentTarget }) =>
              onFilter({ status: userStatusSchema.safeParse(currentTarget.value).data ?? null })
            }
          />
          <NativeSelect
            aria-label={t`Role`}
            value={role ?? ''}
            data={ROLES}
            onChange={({ currentTarget }) =>
              onFilter({ role: USER_ROLES.find((value) => value === currentTarget.value) ?? null })
            }
          />
          <DayRange fromLabel={t`Joined from`} from={from} to={to} onChange={onFilter} />
        </>
      }
      selection={{
        selected,
        onSelect: (rows) => setChosen(rows.map(({ id }) => id)),
        isSelectable: canChange,
        nameOf: ({ username }) => t`Select ${username}`,
      }}
      acts={
        <Button
          variant="default"
          aria-haspopup="dialog"
          styles={{ label: { whiteSpace: 'normal' } }}
          disabled={selected.length === 0}
          onClick={() => openDialog('userStatuses', { people: selected })}
        >
          {selected.length === 0
            ? t`Select people to change their status`
            : plural(selected.length, {
                one: 'Change the status of # person',
                other: 'Change the status of # people',
              })}
        </Button>
      }
      empty={{
        title: t`No people found`,
        text: t`No name, email address or coupon matches. Try fewer letters, or the number of a coupon such as #12.`,
        drawing: <SearchDrawing />,
        action: (
          <Button variant="default" onClick={() => onFilter(NO_FILTERS)}>
            <Trans>Show everyone</Trans>
          </Button>
        ),
      }}
    />
  );
}

interface ActionButtonProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
}

function ActionButton({ children, onClick }: ActionButtonProps) {
  return (
    <Button variant="default" size="compact-sm" aria-haspopup="dialog" onClick={onClick}>
      {children}
    </Button>
  );
}
