import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Anchor,
  Button,
  Checkbox,
  Divider,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormErrors, schemaResolver } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconFingerprint } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { countryName } from '#contract/base/countries.ts';
import { baseCurrency } from '#contract/base/money.ts';
import { defaultCountry } from '#contract/base/offered-countries.ts';
import { PAGES, type WebPage } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { BIO_MAX, registerFormSchema, registerWithPasskeyFormSchema } from '#contract/people/accounts.ts';
import { PasswordField, RepeatedPassword } from '#web/components/password-field.tsx';
import { COUNTRY_CHOICES } from '#web/lib/country-choices.ts';
import { fieldErrors } from '#web/lib/errors.ts';
import { EXACT_FIELD } from '#web/lib/keyboards.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { canUsePasskeys } from '#web/people/accounts/passkeys.ts';
import { couponBefore, welcomeNewcomer as welcome } from './arrive.ts';
import { CURRENCY_CHOICES, ProfilePicture } from './fields.tsx';
import { showPasskeyFailure } from './passkey-instead.tsx';
import { ProviderButton } from './provider-button.tsx';
import { useIdentityProvider, usePasskeyRegistration } from './queries.ts';
import { useNewcomer } from './use-newcomer.ts';

const EMPTY = {
  username: '',
  email: '',
  password: '',
  confirmPassword: '',
  bio: '',
  profileImageUrl: null as string | null,
  preferredCurrency: baseCurrency(),
  country: defaultCountry(),
  agrees: false,
};

/** Registers and signs in, on one screen: whatever can be guessed or said later is folded. */
export function RegisterForm() {
  const register = trpc.accounts.register.useMutation();
  const provider = useIdentityProvider();
  const { form, submit } = useSendForm({
    schema: registerFormSchema,
    initial: { ...EMPTY, from: couponBefore() },
    mutation: register,
    onDone: welcome,
    failed: [TEXTS.accounts.registrationFailed()],
  });
  const { place, proposeUsername } = useNewcomer(form);
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    await proposeUsername();
    submit();
  };
  const byPasskey = usePasskeyRegistration();
  const createByPasskey = async () => {
    await proposeUsername();
    const values = form.getValues();
    const errors = schemaResolver(registerWithPasskeyFormSchema, { sync: true })(values);
    if (Object.keys(errors).length > 0) return showErrors(errors);
    byPasskey.mutate(registerWithPasskeyFormSchema.parse(values), {
      onSuccess: welcome,
      onError: (error) => {
        showErrors(fieldErrors(error));
        showPasskeyFailure(error);
      },
    });
  };
  const showErrors = (errors: FormErrors) => {
    form.setErrors(errors);
    form.getInputNode(Object.keys(errors)[0] ?? '')?.focus();
  };
  const { country, preferredCurrency } = form.values;
  const [isMore, { toggle: toggleMore }] = useDisclosure();
  const emailProps = form.getInputProps('email');

  return (
    <form onSubmit={create} noValidate>
      <Stack>
        <TextInput
          label={t`Email address`}
          type="email"
          autoComplete="email"
          required
          {...emailProps}
          onBlur={(event) => {
            emailProps.onBlur?.(event);
            void proposeUsername();
          }}
        />
        <TextInput
          label={t`Username`}
          description={t`Everyone sees it. Choose another if you like.`}
          {...EXACT_FIELD}
          autoComplete="username"
          required
          {...form.getInputProps('username')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <PasswordField
            label={t`Password`}
            description={t`At least 8 characters`}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <RepeatedPassword
            password={form.values.password}
            differsText={TEXTS.accounts.passwordsDiffer()}
            label={t`Confirm password`}
            description={t`Enter the password again`}
            autoComplete="new-password"
            {...form.getInputProps('confirmPassword')}
          />
        </SimpleGrid>
        <Checkbox
          label={
            <Trans>
              I am 18 or older and agree to the <TextLink page={PAGES.terms} /> and the{' '}
              <TextLink page={PAGES.acceptableUsePolicy} />
            </Trans>
          }
          {...form.getInputProps('agrees', { type: 'checkbox' })}
        />
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {place ? `${countryName(country)}, ${preferredCurrency}` : '\u00a0'}
          </Text>
          <Button variant="subtle" size="compact-sm" aria-expanded={isMore} onClick={toggleMore}>
            {isMore ? t`Show less` : t`Change or add more`}
          </Button>
        </Group>
        {isMore && (
          <>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Select
                label={t`Country`}
                data={COUNTRY_CHOICES}
                searchable
                allowDeselect={false}
                autoComplete="country-name"
                {...form.getInputProps('country')}
              />
              <Select
                label={t`Preferred currency`}
                data={CURRENCY_CHOICES}
                allowDeselect={false}
                {...form.getInputProps('preferredCurrency')}
              />
            </SimpleGrid>
            <Textarea
              label={t`About you`}
              description={t`Optional. What do you collect? What are you looking for?`}
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
          </>
        )}
        <Button type="submit" size="md" loading={register.isPending || register.isSuccess}>
          <Trans>Create account</Trans>
        </Button>
        {(canUsePasskeys() || provider) && <Divider label={t`or without a password`} />}
        {canUsePasskeys() && (
          <Button
            variant="default"
            size="md"
            leftSection={<IconFingerprint size={20} aria-hidden="true" />}
            styles={{ label: { whiteSpace: 'normal' } }}
            loading={byPasskey.isPending || byPasskey.isSuccess}
            onClick={createByPasskey}
          >
            <Trans>Create account with a passkey</Trans>
          </Button>
        )}
        {provider && <ProviderButton provider={provider} label={t`Create account with ${provider.name}`} />}
      </Stack>
    </form>
  );
}

/** Opens a text in a tab of its own: what is typed here stays. */
export function TextLink({ page: { path, title } }: { page: WebPage }) {
  return (
    <Anchor href={path} target="_blank" inherit underline="always">
      {title()}
    </Anchor>
  );
}
