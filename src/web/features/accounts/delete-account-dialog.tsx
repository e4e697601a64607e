import { Alert } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useNavigate } from 'react-router-dom';
import { deleteAccountInputSchema } from '#contract/accounts.ts';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { isConflict, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import classes from './accounts.module.css';
import { showRefusal } from './form-errors.ts';
import { useDeleteAccount } from './queries.ts';

/** Deletes the viewer's account, after their password. */
export function Component() {
  const navigate = useNavigate();
  const remove = useDeleteAccount(() => navigate(paths.home));
  const form = useForm({
    initialValues: { confirmPassword: '' },
    validate: schemaResolver(deleteAccountInputSchema, { sync: true }),
  });
  const focusPassword = () => form.getInputNode('confirmPassword')?.focus();
  const submit = form.onSubmit(
    (values) =>
      remove.mutate(values, {
        onSuccess: () =>
          toasts.success('Account deleted', 'You are signed out, and your account is gone. Farewell.'),
        onError: (error) => {
          showRefusal(form, TEXTS.settings.deletionFailed, error);
          focusPassword();
        },
      }),
    focusPassword,
  );
  return (
    <Dialog title="Delete your account?" isPending={remove.isPending}>
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
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('confirmPassword')}
        />
      </DialogForm>
    </Dialog>
  );
}
