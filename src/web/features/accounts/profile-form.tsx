import { Alert, Button, Group, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useDidUpdate } from '@mantine/hooks';
import { BIO_MAX, type SessionUser, updateProfileInputSchema } from '#contract/accounts.ts';
import { COUNTRIES } from '#contract/countries.ts';
import { TEXTS } from '#contract/texts.ts';
import { fieldErrors, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import classes from './accounts.module.css';
import { CURRENCY_CHOICES } from './fields.tsx';
import { useUpdateProfile } from './queries.ts';

interface FormValues {
  email: string;
  bio: string;
  preferredCurrency: SessionUser['preferredCurrency'];
  country: string;
}

/** What others read of the viewer, and what prices are shown to them in. */
export function ProfileForm({ user }: { user: SessionUser }) {
  const update = useUpdateProfile();
  const form = useForm<FormValues>({
    initialValues: {
      // A new address that waits is the one they want: saving something else does not take it back.
      email: user.pendingEmail ?? user.email,
      bio: user.bio ?? '',
      preferredCurrency: user.preferredCurrency,
      country: user.country,
    },
    validate: schemaResolver(updateProfileInputSchema, { sync: true }),
  });
  const address = user.pendingEmail ?? user.email;
  // Confirmed or taken back elsewhere: saving something else must not ask for the old one again.
  useDidUpdate(() => form.setFieldValue('email', address), [address]);
  const focusFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus();
  const submit = form.onSubmit((values) => {
    update.mutate(updateProfileInputSchema.parse(values), {
      onSuccess: ({ email, pendingEmail }) => {
        const isNewAddress = pendingEmail !== null && pendingEmail !== user.pendingEmail;
        toasts.success(
          'Profile saved',
          isNewAddress
            ? `We have sent a link to ${pendingEmail}. Until you open it, ${email} counts.`
            : 'What you have changed is in force.',
        );
      },
      onError: (error) => {
        const errors = fieldErrors(error);
        form.setErrors(errors);
        focusFirst(errors);
        toasts.failure(TEXTS.profile.updateFailed, writeErrorText(error, 'Please try again.'));
      },
    });
  }, focusFirst);

  return (
    <form onSubmit={submit} noValidate aria-label="Profile">
      <Stack>
        <TextInput
          label="E-mail"
          type="email"
          description="Nobody but you sees it."
          autoComplete="email"
          required
          {...form.getInputProps('email')}
        />
        {user.pendingEmail && (
          <Alert color="yellow" variant="light" role="note">
            We have sent a link to {user.pendingEmail}. Until you open it, {user.email} counts.
          </Alert>
        )}
        <div>
          <Textarea
            label="About you"
            description="Optional. Everybody reads it on your page."
            rows={4}
            maxLength={BIO_MAX}
            {...form.getInputProps('bio')}
          />
          <span className={classes.counter}>
            {form.values.bio.length}/{BIO_MAX}
          </span>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Preferred currency"
            description="Prices are shown in it; you always pay in CAD."
            data={CURRENCY_CHOICES}
            allowDeselect={false}
            {...form.getInputProps('preferredCurrency')}
          />
          <Select
            label="Country"
            description="Everybody sees it on your page."
            data={[...COUNTRIES]}
            searchable
            allowDeselect={false}
            autoComplete="country-name"
            {...form.getInputProps('country')}
          />
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={update.isPending}>
            Save profile
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
