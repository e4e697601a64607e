import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Divider, Group, Stack, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { marketName } from '#contract/base/market.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { DEMO_PASSWORD, loginInputSchema, type SessionUser } from '#contract/people/accounts.ts';
import { PasswordField } from '#web/components/password-field.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { fieldErrors, hasCode } from '#web/lib/errors.ts';
import { EXACT_FIELD } from '#web/lib/keyboards.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { canUsePasskeys } from '#web/people/accounts/passkeys.ts';
import classes from './accounts.module.css';
import { welcomeBack as welcome } from './arrive.ts';
import { CodeInput } from './fields.tsx';
import { showPasskeyFailure } from './passkey-instead.tsx';
import { ProviderButton } from './provider-button.tsx';
import { useIdentityProvider, usePasskeyOffer, usePasskeySignIn } from './queries.ts';

interface Credentials {
  username: string;
  password: string;
  /** Of the second factor; undefined until the server asks for it. */
  code?: string;
}

/** Signs in. A wrong name and a wrong password get the same answer. */
export function LoginForm() {
  const login = trpc.accounts.login.useMutation();
  const [needsCode, setNeedsCode] = useState(false);
  const { form, submit, send } = useSendForm<Credentials, Credentials, SessionUser>({
    schema: loginInputSchema,
    initial: { username: '', password: '' },
    mutation: login,
    onDone: welcome,
    failed: [TEXTS.accounts.loginFailed()],
    onFailed: (error, { setErrors, getInputNode }) => {
      const isUnknown = hasCode(error, 'unauthorized');
      if (hasCode(error, 'second_factor_required')) setNeedsCode(true);
      else if (!isUnknown || 'code' in fieldErrors(error)) return false;
      else {
        // Both are marked: nobody learns which of the two is wrong.
        setErrors({ username: true, password: true });
        getInputNode('password')?.focus();
        toasts.failed(error, TEXTS.accounts.loginFailed());
      }
      return true;
    },
  });
  /** Fills in the form, too, so that it shows who signs in. */
  const signInAs = (credentials: Credentials) => {
    form.setValues(credentials);
    void send(credentials);
  };

  return (
    <Stack gap="xl">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={t`Username`}
            {...EXACT_FIELD}
            autoComplete="username webauthn"
            required
            {...form.getInputProps('username')}
          />
          <PasswordField
            label={t`Password`}
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
          {needsCode && <CodeInput autoFocus {...form.getInputProps('code')} />}
          <Button type="submit" size="md" loading={login.isPending || login.isSuccess}>
            <Trans>Sign in</Trans>
          </Button>
          <Anchor component={Link} to={paths.forgotPassword} underline="always" lh="44px" ta="center">
            <Trans>Forgot your password?</Trans>
          </Anchor>
        </Stack>
      </form>
      <OtherWays />
      <DemoPeople isPending={login.isPending || login.isSuccess} onChoose={signInAs} />
    </Stack>
  );
}

/** What signs in without a password, as far as there is anything. */
function OtherWays() {
  const provider = useIdentityProvider();
  if (!canUsePasskeys() && !provider) return null;
  return (
    <Stack>
      <Divider label={t`or`} />
      {canUsePasskeys() && <PasskeySignIn />}
      {provider && <ProviderButton provider={provider} label={t`Sign in with ${provider.name}`} />}
    </Stack>
  );
}

/** Signs in by passkey: with a button, and with what the browser offers in the field for the name. */
function PasskeySignIn() {
  const signIn = usePasskeySignIn();
  const offered = usePasskeySignIn();
  usePasskeyOffer(() => offered.mutate(true, { onSuccess: welcome, onError: showRefusedOffer }));
  return (
    <Button
      variant="default"
      size="md"
      leftSection={<IconFingerprint size={20} aria-hidden="true" />}
      loading={signIn.isPending || signIn.isSuccess}
      onClick={() => signIn.mutate(false, { onSuccess: welcome, onError: showPasskeyFailure })}
    >
      <Trans>Sign in with a passkey</Trans>
    </Button>
  );
}

/** Says nothing about the browser: nobody has asked for the offer. */
function showRefusedOffer(error: unknown): void {
  if (hasCode(error, 'unauthorized') || hasCode(error, 'rate_limited')) showPasskeyFailure(error);
}

interface DemoPeopleProps {
  readonly isPending: boolean;
  readonly onChoose: (credentials: { username: string; password: string }) => void;
}

/** Buttons that sign in as one of the demo people, where there is demo data. */
function DemoPeople({ isPending, onChoose }: DemoPeopleProps) {
  const { data: people = [] } = trpc.accounts.demoPeople.useQuery();
  if (people.length === 0) return null;
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h4">
          <Trans>Just looking around?</Trans>
        </Title>
        <Text size="sm" c="dimmed">
          <Trans>Try {ph({ market: marketName() })} as one of our demo members.</Trans>
        </Text>
      </div>
      {people.map(({ username, bio, profileImageUrl }) => (
        <UnstyledButton
          key={username}
          className={classes.person}
          disabled={isPending}
          onClick={() => onChoose({ username, password: DEMO_PASSWORD })}
        >
          <Group wrap="nowrap" gap="sm">
            <UserAvatar username={username} profileImageUrl={profileImageUrl} />
            <div className={classes.words}>
              <Text fw={650}>
                <Trans>Sign in as {username}</Trans>
              </Text>
              {bio && (
                <Text size="sm" c="dimmed" lineClamp={1}>
                  {bio}
                </Text>
              )}
            </div>
          </Group>
        </UnstyledButton>
      ))}
    </Stack>
  );
}
