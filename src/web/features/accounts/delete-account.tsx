import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from 'react-router-dom';
import { deleteAccountInputSchema } from '#contract/accounts.ts';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { fieldErrors, isConflict, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import classes from './accounts.module.css';
import { showPassword } from './fields.tsx';
import { useDeleteAccount } from './queries.ts';

/** The way to leave for good. */
export function DeleteAccount() {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <div className={classes.danger}>
      <Stack align="flex-start">
        <Text>
          Your name, your e-mail address and what you wrote about yourself are erased. This cannot be undone.
        </Text>
        <Button
          variant="outline"
          color="red"
          c="var(--mantine-color-error)"
          aria-haspopup="dialog"
          onClick={dialog.open}
        >
          Delete account
        </Button>
      </Stack>
      <DeleteDialog opened={isOpen} onClose={dialog.close} />
    </div>
  );
}

function DeleteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useDeleteAccount(() => navigate(paths.home));
  const form = useForm({
    initialValues: { confirmPassword: '' },
    validate: schemaResolver(deleteAccountInputSchema, { sync: true }),
  });
  const close = () => {
    form.reset();
    remove.reset();
    onClose();
  };
  const focusPassword = () => form.getInputNode('confirmPassword')?.focus();
  const submit = form.onSubmit(
    (values) =>
      remove.mutate(values, {
        onSuccess: () =>
          toasts.success('Account deleted', 'You are signed out, and your account is gone. Farewell.'),
        onError: (error) => {
          form.setErrors(fieldErrors(error));
          focusPassword();
          toasts.failure(TEXTS.settings.deletionFailed, writeErrorText(error, 'Please try again.'));
        },
      }),
    focusPassword,
  );
  return (
    <Dialog opened={opened} onClose={close} title="Delete your account?" isPending={remove.isPending}>
      <DialogForm onSubmit={submit} cancelLabel="Keep my account" submitLabel="Delete account" isDangerous>
        <ul className={classes.consequences}>
          <li>Your coupons leave the market, and your open deals are cancelled.</li>
          <li>Others keep the coupons, messages and ratings that they have of you, without your name.</li>
          <li>Nobody can sign in to this account any more, nor bring it back.</li>
        </ul>
        {isConflict(remove.error) && (
          <Alert color="red" variant="light" title={TEXTS.settings.deletionFailed}>
            {writeErrorText(remove.error, 'Please try again.')}
          </Alert>
        )}
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          data-autofocus
          visibilityToggleButtonProps={showPassword}
          {...form.getInputProps('confirmPassword')}
        />
      </DialogForm>
    </Dialog>
  );
}
