import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, NativeSelect, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type UserStatus, userStatusSchema } from '#contract/accounts.ts';
import type { AdminUser } from '#contract/moderation.ts';
import { paths } from '#contract/pages.ts';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { SearchBox } from '#web/components/search-box.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { usePage } from '#web/lib/address.ts';
import { formatDate } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './admin.module.css';
import { type Column, TablePanel } from './panel.tsx';
import { useUsers } from './queries.ts';
import { ROLE_WORDS, STATUS_WORDS } from './wording.ts';

const STATUS_OPTIONS = [
  { value: '', label: t`Any status` },
  ...userStatusSchema.options.map((value) => ({ value, label: STATUS_WORDS[value].word })),
];

const FACTS: readonly Column<AdminUser>[] = [
  {
    title: t`User`,
    render: ({ id, username }) => (
      <Anchor component={Link} to={paths.user(id)} fw={600} c="inherit" className="target">
        {username}
      </Anchor>
    ),
  },
  {
    title: t`E-mail`,
    render: ({ email, isDeleted }) => (isDeleted ? t`Account deleted` : email),
    isLong: true,
  },
  { title: t`Role`, render: ({ role }) => ROLE_WORDS[role] },
  {
    title: t`Status`,
    render: ({ status }) => (
      <ToneBadge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].word}</ToneBadge>
    ),
  },
  { title: t`Reports`, render: ({ reportCount }) => reportCount, isNumber: true },
  { title: t`Joined`, render: ({ createdAt }) => formatDate(createdAt) },
  {
    title: t`Last sign-in`,
    render: ({ lastLoginAt }) => (lastLoginAt === null ? t`Never` : formatDate(lastLoginAt)),
  },
];

interface PeopleProps {
  readonly search: string;
  readonly status: UserStatus | null;
  readonly onChange: (change: { readonly search?: string; readonly status?: UserStatus | null }) => void;
}

/** Every account with its status, and a button that changes it. */
export function People({ search, status, onChange }: PeopleProps) {
  const [page, setPage] = usePage();
  const { user: viewer } = useViewer();
  const read = useUsers({ search, page, ...(status && { status }) });

  const columns: readonly Column<AdminUser>[] = [
    ...FACTS,
    {
      title: t`Action`,
      render: (person) => {
        // Admins cannot change their own status or that of another admin.
        const canChange = !person.isDeleted && person.role !== 'admin';
        const canReset = person.hasSecondFactor && person.id !== viewer?.id;
        return (
          <Group gap="xs" wrap="nowrap">
            <ActionButton onClick={() => openDialog('personRecord', person)}>
              <Trans>
                Record<VisuallyHidden> of {person.username}</VisuallyHidden>
              </Trans>
            </ActionButton>
            {canChange && (
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
    <>
      <Group className={classes.toolbar} gap="sm" align="flex-end">
        <SearchBox
          className={classes.search}
          label={t`Search people`}
          placeholder={t`Name, email address or #coupon...`}
          value={search}
          onSearch={(text) => onChange({ search: text })}
        />
        <NativeSelect
          aria-label={t`Status`}
          value={status ?? ''}
          data={STATUS_OPTIONS}
          onChange={({ currentTarget }) =>
            onChange({ status: userStatusSchema.safeParse(currentTarget.value).data ?? null })
          }
        />
      </Group>
      <TablePanel
        label={t`People`}
        read={read}
        failure={t`Failed to load people`}
        columns={columns}
        rowKey={({ id }) => id}
        page={page}
        onPage={setPage}
        empty={{
          title: t`No people found`,
          text: t`No name, email address or coupon matches. Try fewer letters, or the number of a coupon such as #12.`,
          drawing: <SearchDrawing />,
          action: (
            <Button variant="default" onClick={() => onChange({ search: '', status: null })}>
              <Trans>Show everyone</Trans>
            </Button>
          ),
        }}
      />
    </>
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
