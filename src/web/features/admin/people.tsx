import { Anchor, Button, Group, NativeSelect, Text, VisuallyHidden } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Link } from 'react-router-dom';
import { z } from 'zod';
import { type UserStatus, userStatusSchema } from '#contract/accounts.ts';
import { SEARCH_MAX } from '#contract/bounds.ts';
import {
  type AdminUser,
  resetSecondFactorInputSchema,
  setUserStatusInputSchema,
} from '#contract/moderation.ts';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { ChoiceField, ReasonField, SuspensionField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { SearchBox } from '#web/components/search-box.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { usePage } from '#web/lib/address.ts';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { formatDate } from '#web/lib/format.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './admin.module.css';
import { type Column, TablePanel } from './panel.tsx';
import { useResetSecondFactor, useSetUserStatus, useUsers } from './queries.ts';
import { ROLE_WORDS, STATUS_CONSEQUENCES, STATUS_WORDS } from './wording.ts';

const STATUS_OPTIONS = [
  { value: '', label: 'Any status' },
  ...userStatusSchema.options.map((value) => ({ value, label: STATUS_WORDS[value].word })),
];

const FACTS: readonly Column<AdminUser>[] = [
  {
    title: 'User',
    render: ({ id, username }) => (
      <Anchor component={Link} to={paths.user(id)} fw={600} c="inherit" className="target">
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
  readonly onChange: (change: { readonly search?: string; readonly status?: UserStatus | null }) => void;
}

/** Every account with its status, and a button that changes it. */
export function People({ search, status, onChange }: PeopleProps) {
  const [page, setPage] = usePage();
  const { user: viewer } = useViewer();
  const read = useUsers({ search, page, ...(status && { status }) });
  const changing = useDialog<AdminUser>();
  const resetting = useDialog<AdminUser>();

  const columns: readonly Column<AdminUser>[] = [
    ...FACTS,
    {
      title: 'Action',
      render: (person) => {
        // Admins cannot change their own status or that of another admin.
        const canChange = !person.isDeleted && person.role !== 'admin';
        const canReset = person.hasSecondFactor && person.id !== viewer?.id;
        if (!canChange && !canReset) return '–';
        return (
          <Group gap="xs" wrap="nowrap">
            {canChange && (
              <ActionButton label="Change status" person={person} onClick={() => changing.open(person)} />
            )}
            {canReset && (
              <ActionButton
                label="Reset second factor"
                person={person}
                onClick={() => resetting.open(person)}
              />
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
        empty={{
          title: 'Nobody found',
          text: 'No name or address matches. Try a shorter part of it.',
          drawing: <SearchDrawing />,
          action: (
            <Button variant="default" onClick={() => onChange({ search: '', status: null })}>
              Show everybody
            </Button>
          ),
        }}
      />
      <StatusDialog person={changing.subject} opened={changing.opened} onClose={changing.close} />
      <ResetDialog person={resetting.subject} opened={resetting.opened} onClose={resetting.close} />
    </>
  );
}

interface ActionButtonProps {
  readonly label: string;
  readonly person: AdminUser;
  readonly onClick: () => void;
}

function ActionButton({ label, person, onClick }: ActionButtonProps) {
  return (
    <Button variant="default" size="compact-sm" aria-haspopup="dialog" onClick={onClick}>
      {label}
      <VisuallyHidden> of {person.username}</VisuallyHidden>
    </Button>
  );
}

const formSchema = setUserStatusInputSchema.extend({
  status: z.enum(userStatusSchema.options, 'Choose a status'),
});

interface PersonDialogProps {
  readonly person: AdminUser | undefined;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Changes a person's status, with a reason. */
function StatusDialog({ person, opened, onClose }: PersonDialogProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={person ? `Change the status of ${person.username}` : 'Change the status'}
      size="lg"
    >
      {person && <StatusForm key={person.id} person={person} onClose={onClose} />}
    </Dialog>
  );
}

function StatusForm({ person, onClose }: { person: AdminUser; onClose: () => void }) {
  const setStatus = useSetUserStatus();
  const form = useForm<{ id: number; status: UserStatus | ''; reason: string; days: number | null }>({
    initialValues: { id: person.id, status: '', reason: '', days: 7 },
    validate: schemaResolver(formSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) => {
    const input = formSchema.parse(values);
    setStatus.mutate(
      input,
      dialogAnswers({
        onClose,
        form,
        done: () => ['Status changed', `${person.username} is now ${input.status}.`],
        failedTitle: TEXTS.reports.actionFailed,
      }),
    );
  });
  const { status } = form.values;
  return (
    <DialogForm
      onSubmit={submit}
      isPending={setStatus.isPending}
      submitLabel={status === 'banned' ? `Ban ${person.username}` : 'Change status'}
      isDangerous={status === 'banned' || status === 'suspended'}
    >
      <Text>
        {person.username} is {STATUS_WORDS[person.status].word.toLowerCase()} now.
      </Text>
      <ChoiceField
        label="New status"
        options={userStatusSchema.options
          .filter((value) => value !== person.status)
          .map((value) => ({
            value,
            label: STATUS_WORDS[value].word,
            description: STATUS_CONSEQUENCES[value],
          }))}
        input={form.getInputProps('status')}
      />
      {status === 'suspended' && (
        <SuspensionField days={form.values.days} onChange={(days) => form.setFieldValue('days', days)} />
      )}
      <ReasonField
        label="Reason"
        description={`Kept in the audit log, and told to ${person.username}.`}
        input={form.getInputProps('reason')}
      />
    </DialogForm>
  );
}

/** Turns off the second factor of somebody who has lost it. */
function ResetDialog({ person, opened, onClose }: PersonDialogProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={person ? `Reset the second factor of ${person.username}` : 'Reset the second factor'}
      size="lg"
    >
      {person && <ResetForm key={person.id} person={person} onClose={onClose} />}
    </Dialog>
  );
}

function ResetForm({ person, onClose }: { person: AdminUser; onClose: () => void }) {
  const reset = useResetSecondFactor();
  const form = useForm({
    initialValues: { id: person.id, reason: '', password: '' },
    validate: schemaResolver(resetSecondFactorInputSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) =>
    reset.mutate(
      values,
      dialogAnswers({
        onClose,
        form,
        done: () => ['Second factor reset', `${person.username} can sign in with the password alone.`],
        failedTitle: 'Nothing was changed',
      }),
    ),
  );
  return (
    <DialogForm onSubmit={submit} isPending={reset.isPending} submitLabel="Reset second factor" isDangerous>
      <Text>
        Only if {person.username} has lost the app, the recovery codes and every passkey, and has proved who
        they are. Their passkeys are removed, and they are signed out everywhere and told by mail.
      </Text>
      <ReasonField
        label="How they proved who they are"
        description="Kept in the audit log."
        input={form.getInputProps('reason')}
      />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
    </DialogForm>
  );
}
