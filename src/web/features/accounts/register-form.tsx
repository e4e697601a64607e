import { Button, Checkbox, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { BIO_MAX, DEFAULT_COUNTRY, type RegisterPayload, registerFormSchema } from '#contract/accounts.ts';
import { COUNTRIES } from '#contract/countries.ts';
import { BASE_CURRENCY } from '#contract/money.ts';
import { TEXTS } from '#contract/texts.ts';
import { PasswordField, RepeatedPassword } from '#web/components/password-field.tsx';
import { arrive } from './arrive.ts';
import { CURRENCY_CHOICES, ProfilePicture } from './fields.tsx';
import { focusFirst, showRefusal } from './form-errors.ts';
import { useRegister } from './queries.ts';

type FormValues = Omit<RegisterPayload, 'acceptTerms' | 'isAdult' | 'country'> & {
  country: string;
  acceptTerms: boolean;
  isAdult: boolean;
};

const EMPTY: FormValues = {
  username: '',
  email: '',
  password: '',
  confirmPassword: '',
  bio: '',
  preferredCurrency: BASE_CURRENCY,
  country: DEFAULT_COUNTRY,
  acceptTerms: false,
  isAdult: false,
};

/** Registers and signs in. The repeated password is checked here and never sent. */
export function RegisterForm() {
  const register = useRegister();
  const [profileImageUrl, setProfileImageUrl] = useState<string | null>(null);
  const form = useForm<FormValues>({
    mode: 'uncontrolled',
    initialValues: EMPTY,
    validate: schemaResolver(registerFormSchema, { sync: true }),
  });
  const [password, setPassword] = useState('');
  form.watch('password', ({ value }) => setPassword(value));

  const submit = (values: FormValues) => {
    const { confirmPassword: _, ...input } = registerFormSchema.parse(values);
    return register.mutateAsync({ ...input, profileImageUrl }).then(
      (user) =>
        arrive(user, TEXTS.accounts.registrationSuccessful, [
          TEXTS.accounts.welcome(user.username),
          ...(user.isEmailVerified ? [] : [`We have written to ${user.email}. Confirm your address there.`]),
        ]),
      (error: unknown) => showRefusal(form, TEXTS.accounts.registrationFailed, error),
    );
  };

  return (
    <form onSubmit={form.onSubmit(submit, (errors) => focusFirst(form, errors))} noValidate>
      <Stack>
        <TextInput
          label="Username"
          description="3 to 30 letters, digits, dots, dashes or underscores"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="email"
          required
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <PasswordField
            label="Password"
            description="At least 8 characters"
            autoComplete="new-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <RepeatedPassword
            password={password}
            differsText={TEXTS.accounts.passwordsDiffer}
            label="Confirm password"
            description="The same once more"
            autoComplete="new-password"
            key={form.key('confirmPassword')}
            {...form.getInputProps('confirmPassword')}
          />
          <Select
            label="Preferred currency"
            data={CURRENCY_CHOICES}
            allowDeselect={false}
            key={form.key('preferredCurrency')}
            {...form.getInputProps('preferredCurrency')}
          />
          <Select
            label="Country"
            data={[...COUNTRIES]}
            searchable
            allowDeselect={false}
            autoComplete="country-name"
            key={form.key('country')}
            {...form.getInputProps('country')}
          />
        </SimpleGrid>
        <Textarea
          label="About you"
          description="Optional. What do you collect, what do you look for?"
          autosize
          minRows={2}
          maxLength={BIO_MAX}
          key={form.key('bio')}
          {...form.getInputProps('bio')}
        />
        <ProfilePicture
          url={profileImageUrl}
          error={form.errors.profileImageUrl}
          onChange={(url) => {
            setProfileImageUrl(url);
            form.clearFieldError('profileImageUrl');
          }}
        />
        <Checkbox
          label="I accept the terms: I list only coupons that are mine to give, and I keep the deals I agree to"
          key={form.key('acceptTerms')}
          {...form.getInputProps('acceptTerms', { type: 'checkbox' })}
        />
        <Checkbox
          label="I am at least 18 years old"
          key={form.key('isAdult')}
          {...form.getInputProps('isAdult', { type: 'checkbox' })}
        />
        <Button type="submit" size="md" loading={register.isPending || register.isSuccess}>
          Create account
        </Button>
      </Stack>
    </form>
  );
}
