import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Checkbox, Divider, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { baseCurrency } from '#contract/base/money.ts';
import { defaultCountry } from '#contract/base/offered-countries.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { registerWithPasskeyFormSchema, secondFactorCodeInputSchema } from '#contract/people/accounts.ts';
import { identityPath, linkIdentityInputSchema, type PendingIdentity } from '#contract/people/identities.ts';
import { PasswordField } from '#web/components/password-field.tsx';
import { hasCode, writeErrorText } from '#web/lib/errors.ts';
import { EXACT_FIELD } from '#web/lib/keyboards.ts';
import { returnPath } from '#web/lib/return-path.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { couponBefore, welcomeBack, welcomeNewcomer } from './arrive.ts';
import { CodeInput } from './fields.tsx';
import { PasskeyInstead } from './passkey-instead.tsx';
import { TextLink } from './register-form.tsx';
import { useNewcomer } from './use-newcomer.ts';

/* How it goes on with whom the provider of OpenID has named. */

/** Signs in at once, or after the code of the second factor. */
export function EnterWithProvider({ pending: { provider } }: { pending: PendingIdentity }) {
  const enter = trpc.identities.enter.useMutation();
  const [needsCode, setNeedsCode] = useState(false);
  const hasBegun = useRef(false);
  const { mutate } = enter;
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    const onError = (error: unknown) => setNeedsCode(hasCode(error, 'second_factor_required'));
    mutate({}, { onSuccess: welcomeBack, onError });
  }, [mutate]);
  const { form, submit } = useSendForm({
    schema: secondFactorCodeInputSchema,
    initial: { code: '' },
    mutation: enter,
    onDone: welcomeBack,
    failed: [TEXTS.accounts.loginFailed()],
  });
  if (needsCode)
    return (
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2} size="h4">
            <Trans>Signed in with {provider}. One more step.</Trans>
          </Title>
          <CodeInput autoFocus {...form.getInputProps('code')} />
          <Button type="submit" size="md" loading={enter.isPending || enter.isSuccess}>
            <Trans>Sign in</Trans>
          </Button>
        </Stack>
      </form>
    );
  if (enter.error)
    return (
      <Stack>
        <Alert color="red" role="alert" title={TEXTS.accounts.loginFailed()}>
          {writeErrorText(enter.error, t`Please try again.`)}
        </Alert>
        <Button component={Link} to={paths.auth} variant="default">
          <Trans>Back to the sign-in</Trans>
        </Button>
      </Stack>
    );
  return (
    <Stack align="center" role="status" py="xl">
      <Loader aria-hidden="true" />
      <Text>
        <Trans>Signing you in…</Trans>
      </Text>
    </Stack>
  );
}

interface StepProps {
  readonly pending: PendingIdentity;
  /** The path to go to afterwards. */
  readonly from: string;
}

/** For somebody whom no account is linked to: one that they have, or a new one. */
export function ChooseAccount({ pending, from }: StepProps) {
  const { provider, email, hasAccount } = pending;
  const [isNew, { open }] = useDisclosure(!hasAccount);
  const existing = (
    <Button
      component={Link}
      to={paths.authFrom(identityPath({ from: from || null }))}
      size="md"
      variant={isNew ? 'default' : 'filled'}
    >
      <Trans>Sign in to the account you have</Trans>
    </Button>
  );
  return (
    <Stack>
      <div>
        <Title order={2} size="h4">
          {hasAccount ? t`You have an account here already` : t`Your first time here with ${provider}?`}
        </Title>
        <Text c="dimmed">
          {hasAccount
            ? t`An account has the address ${email ?? ''}. Sign in to it once; then we link ${provider}.`
            : t`No account is linked to ${provider} yet. Create one, or link the account you have.`}
        </Text>
      </div>
      {hasAccount && existing}
      {isNew ? (
        <NewAccount pending={pending} />
      ) : (
        <Button variant="subtle" onClick={open}>
          <Trans>Create another account</Trans>
        </Button>
      )}
      {!hasAccount && (
        <>
          <Divider label={t`or`} />
          {existing}
        </>
      )}
    </Stack>
  );
}

function NewAccount({
  pending: { email, isEmailVerified, hasAccount, provider },
}: {
  pending: PendingIdentity;
}) {
  const register = trpc.identities.register.useMutation();
  const { form, submit } = useSendForm({
    schema: registerWithPasskeyFormSchema,
    initial: {
      username: '',
      email: hasAccount ? '' : (email ?? ''),
      preferredCurrency: baseCurrency(),
      country: defaultCountry(),
      agrees: false,
      from: couponBefore(),
    },
    mutation: register,
    onDone: welcomeNewcomer,
    failed: [TEXTS.accounts.registrationFailed()],
  });
  const { proposeUsername } = useNewcomer(form);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the address that came with the sign-in
  useEffect(() => {
    if (email) void proposeUsername(email);
  }, []);
  const isChecked = isEmailVerified && form.values.email.toLowerCase() === email?.toLowerCase();
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t`Email address`}
          description={isChecked ? t`Checked by ${provider}.` : t`We send you a link to confirm it.`}
          type="email"
          autoComplete="email"
          required
          {...form.getInputProps('email')}
        />
        <TextInput
          label={t`Username`}
          description={t`Everyone sees it. Choose another if you like.`}
          {...EXACT_FIELD}
          autoComplete="username"
          required
          {...form.getInputProps('username')}
        />
        <Checkbox
          label={
            <Trans>
              I am 18 or older and agree to the <TextLink page={PAGES.terms} /> and the{' '}
              <TextLink page={PAGES.acceptableUsePolicy} />
            </Trans>
          }
          {...form.getInputProps('agrees', { type: 'checkbox' })}
        />
        <Button type="submit" size="md" loading={register.isPending || register.isSuccess}>
          <Trans>Create account</Trans>
        </Button>
      </Stack>
    </form>
  );
}

/** Links the account that is signed in, after its password or a passkey where they were not just given. */
export function LinkProvider({ pending: { provider, email, needsProof }, from }: StepProps) {
  const { user } = useViewer();
  const navigate = useNavigate();
  const link = trpc.identities.link.useMutation();
  const { form, submit, send, isPending } = useSendForm({
    schema: linkIdentityInputSchema,
    initial: needsProof ? { password: '' } : {},
    mutation: link,
    done: () => [t`${provider} linked`, t`You can sign in with it from now on.`],
    onDone: () => void navigate(from ? returnPath(from) : paths.settings('identities')),
    failed: [t`Nothing was changed`],
  });
  const username = user?.username ?? '';
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Title order={2} size="h4">
          <Trans>
            Link {provider} to {username}?
          </Trans>
        </Title>
        <Text>{whom(provider, email)}</Text>
        {needsProof && (
          <>
            <PasswordField
              label={t`Your password`}
              autoComplete="current-password"
              {...form.getInputProps('password')}
            />
            <PasskeyInstead isPending={isPending} onGiven={(passkey) => send({ passkey })} />
          </>
        )}
        <Button type="submit" size="md" loading={isPending}>
          <Trans>Link {provider}</Trans>
        </Button>
        <Button component={Link} to={paths.home} variant="subtle">
          <Trans>Not now</Trans>
        </Button>
      </Stack>
    </form>
  );
}

function whom(provider: string, email: string | null): ReactNode {
  return email === null
    ? t`Anyone who signs in to your account at ${provider} can then open your account here.`
    : t`Anyone who signs in to ${provider} as ${email} can then open your account here.`;
}
