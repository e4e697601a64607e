import { Button, Checkbox, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { BIO_MAX, DEFAULT_COUNTRY, registerFormSchema } from '#contract/accounts.ts';
import { BASE_CURRENCY, type Currency } from '#contract/money.ts';
import { TEXTS } from '#contract/texts.ts';
import { PasswordField, RepeatedPassword } from '#web/components/password-field.tsx';
import { COUNTRY_CHOICES } from '#web/lib/country-choices.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { arrive } from './arrive.ts';
import { CURRENCY_CHOICES, ProfilePicture } from './fields.tsx';

/** The repeated password is checked here and never sent. */
const formSchema = registerFormSchema.transform(({ confirmPassword: _, ...input }) => input);

const EMPTY = {
  username: '',
  email: '',
  password: '',
  confirmPassword: '',
  bio: '',
  profileImageUrl: null as string | null,
  preferredCurrency: BASE_CURRENCY as Currency,
  country: DEFAULT_COUNTRY as string,
  acceptTerms: false,
  isAdult: false,
};

/** Registers and signs in. */
export function RegisterForm() {
  const register = trpc.accounts.register.useMutation();
  const { form, submit } = useSendForm({
    schema: formSchema,
    initial: EMPTY,
    mutation: register,
    onDone: (user) =>
      arrive(user, TEXTS.accounts.registrationSuccessful, [
        TEXTS.accounts.welcome(user.username),
        ...(user.isEmailVerified
          ? []
          : [`We sent a link to ${user.email}. Open it to confirm your address.`]),
      ]),
    failed: [TEXTS.accounts.registrationFailed],
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Username"
          description="3 to 30 letters, digits, dots, dashes or underscores"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...form.getInputProps('username')}
        />
        <TextInput
          label="Email address"
          type="email"
          autoComplete="email"
          required
          {...form.getInputProps('email')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <PasswordField
            label="Password"
            description="At least 8 characters"
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <RepeatedPassword
            password={form.values.password}
            differsText={TEXTS.accounts.passwordsDiffer}
            label="Confirm password"
            description="Enter the password again"
            autoComplete="new-password"
            {...form.getInputProps('confirmPassword')}
          />
          <Select
            label="Preferred currency"
            data={CURRENCY_CHOICES}
            allowDeselect={false}
            {...form.getInputProps('preferredCurrency')}
          />
          <Select
            label="Country"
            data={COUNTRY_CHOICES}
            searchable
            allowDeselect={false}
            autoComplete="country-name"
            {...form.getInputProps('country')}
          />
        </SimpleGrid>
        <Textarea
          label="About you"
          description="Optional. What do you collect? What are you looking for?"
          autosize
          minRows={2}
          maxLength={BIO_MAX}
          {...form.getInputProps('bio')}
        />
        <ProfilePicture
          url={form.values.profileImageUrl}
          error={form.errors.profileImageUrl}
          onChange={(url) => form.setFieldValue('profileImageUrl', url)}
        />
        <Checkbox
          label="I accept the terms: I list only coupons that are mine to give, and I honour the deals I agree to"
          {...form.getInputProps('acceptTerms', { type: 'checkbox' })}
        />
        <Checkbox
          label="I am at least 18 years old"
          {...form.getInputProps('isAdult', { type: 'checkbox' })}
        />
        <Button type="submit" size="md" loading={register.isPending || register.isSuccess}>
          Create account
        </Button>
      </Stack>
    </form>
  );
}
