import { Button, Group, Skeleton, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { IconFingerprint } from '@tabler/icons-react';
import { identityInputSchema } from '#contract/accounts.ts';
import { type Passkey, type PasskeyAssertion, renamePasskeyInputSchema } from '#contract/passkeys.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import rows from '#web/components/rows.module.css';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { canUsePasskeys } from '#web/lib/passkeys.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import classes from './accounts.module.css';
import { showRefusal } from './form-errors.ts';
import { PasskeyInstead, showPasskeyFailure } from './passkey-instead.tsx';
import {
  useAddPasskey,
  usePasskeys,
  useRemovePasskey,
  useRenamePasskey,
  useStartPasskey,
} from './queries.ts';

const nameSchema = renamePasskeyInputSchema.pick({ name: true });

const LIST_ID = 'passkeys-list';

/** A dialog, and the passkey it is about. */
type Act = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey };

const TITLES: Record<Act['kind'], string> = {
  add: 'Add a passkey',
  rename: 'Rename this passkey',
  remove: 'Remove this passkey?',
};

/** The viewer's passkeys, with buttons that add, rename and remove them. */
export function PasskeySettings() {
  const query = usePasskeys();
  const dialog = useDialog<Act>();
  const { subject } = dialog;
  return (
    <>
      <QueryContent
        query={query}
        errorTitle="Error loading your passkeys"
        skeleton={<Skeleton height={84} radius="md" aria-hidden="true" />}
      >
        {(passkeys) => (
          <Stack id={LIST_ID} tabIndex={-1}>
            {passkeys.length === 0 ? (
              <Text c="dimmed">You have none yet.</Text>
            ) : (
              <ul className={rows.list} aria-label="Passkeys">
                {passkeys.map((passkey) => (
                  <PasskeyRow key={passkey.id} passkey={passkey} onAct={dialog.open} />
                ))}
              </ul>
            )}
            {canUsePasskeys() ? (
              <Group>
                <Button variant="default" aria-haspopup="dialog" onClick={() => dialog.open({ kind: 'add' })}>
                  Add a passkey
                </Button>
              </Group>
            ) : (
              <Text>This browser cannot use passkeys here.</Text>
            )}
          </Stack>
        )}
      </QueryContent>
      <Dialog
        opened={dialog.opened}
        onClose={dialog.close}
        title={subject ? TITLES[subject.kind] : ''}
        fallbackFocusId={LIST_ID}
      >
        {subject?.kind === 'add' && <Add onClose={dialog.close} />}
        {subject?.kind === 'rename' && <Rename passkey={subject.passkey} onClose={dialog.close} />}
        {subject?.kind === 'remove' && <Remove passkey={subject.passkey} onClose={dialog.close} />}
      </Dialog>
    </>
  );
}

function PasskeyRow({ passkey, onAct }: { passkey: Passkey; onAct: (act: Act) => void }) {
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <li className={classes.device}>
      <span className={classes.sign} aria-hidden="true">
        <IconFingerprint size={20} />
      </span>
      <div className={classes.words}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed" className="tabular">
          Added {formatDate(createdAt)} ·{' '}
          {lastUsedAt === null ? 'not used yet' : `last used ${formatDateTime(lastUsedAt)}`}
        </Text>
      </div>
      <Group gap="xs" className={classes.acts}>
        {(['rename', 'remove'] as const).map((kind) => (
          <Button
            key={kind}
            size="compact-md"
            variant="default"
            aria-haspopup="dialog"
            onClick={() => onAct({ kind, passkey })}
          >
            {kind === 'rename' ? 'Rename' : 'Remove'}
            <VisuallyHidden> {name}</VisuallyHidden>
          </Button>
        ))}
      </Group>
    </li>
  );
}

interface StepProps {
  readonly onClose: () => void;
}

/** The password or another passkey, and the name; then the browser makes the passkey. */
function Add({ onClose }: StepProps) {
  const start = useStartPasskey();
  const add = useAddPasskey();
  const form = useForm({
    initialValues: { name: '', password: '' },
    // The server checks the password, and a passkey may come in its place.
    validate: schemaResolver(nameSchema, { sync: true }),
  });
  const isPending = start.isPending || add.isPending;
  const begin = (proof: { password: string } | { passkey: PasskeyAssertion }) => {
    if (form.validateField('name').hasError) return;
    const { name } = form.getValues();
    start.mutate(proof, {
      onSuccess: (creation) =>
        add.mutate(
          { name, creation },
          {
            onSuccess: () => {
              onClose();
              toasts.success('Passkey added', 'You can sign in with it from now on.');
            },
            onError: showPasskeyFailure,
          },
        ),
      onError: (error) => showRefusal(form, 'Nothing was changed', error),
    });
  };
  return (
    <DialogForm
      onSubmit={form.onSubmit(({ password }) => begin({ password }))}
      submitLabel="Continue"
      isPending={isPending}
    >
      <Text>Your browser, your phone or your password manager keeps the passkey. It never leaves it.</Text>
      <TextInput
        label="Name"
        description="By which you will know it again, such as “My phone”."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <PasskeyInstead isPending={isPending} onGiven={(passkey) => begin({ passkey })} />
    </DialogForm>
  );
}

interface OneProps extends StepProps {
  readonly passkey: Passkey;
}

function Rename({ passkey: { id, name }, onClose }: OneProps) {
  const rename = useRenamePasskey();
  const form = useForm({
    initialValues: { name },
    validate: schemaResolver(nameSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) =>
    rename.mutate(
      { id, ...values },
      dialogAnswers({ onClose, done: () => ['Passkey renamed'], failedTitle: 'Not renamed', form }),
    ),
  );
  return (
    <DialogForm onSubmit={submit} submitLabel="Rename" isPending={rename.isPending}>
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
    </DialogForm>
  );
}

function Remove({ passkey: { id, name }, onClose }: OneProps) {
  const remove = useRemovePasskey();
  const form = useForm({
    initialValues: { password: '' },
    validate: schemaResolver(identityInputSchema, { sync: true }),
  });
  const give = (proof: { password: string } | { passkey: PasskeyAssertion }) =>
    remove.mutate(
      { id, ...proof },
      {
        onSuccess: () => {
          onClose();
          toasts.success('Passkey removed', `${name} signs nobody in any more.`);
        },
        onError: (error) => showRefusal(form, 'Nothing was changed', error),
      },
    );
  return (
    <DialogForm onSubmit={form.onSubmit(give)} submitLabel="Remove" isDangerous isPending={remove.isPending}>
      <Text>
        {name} signs nobody in any more. Delete it in the device or password manager that keeps it, too.
      </Text>
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
      <PasskeyInstead isPending={remove.isPending} onGiven={(passkey) => give({ passkey })} />
    </DialogForm>
  );
}
