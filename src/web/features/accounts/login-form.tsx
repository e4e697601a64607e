import { Anchor, Button, Divider, Group, Stack, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { DEMO_PASSWORD, loginInputSchema, type SessionUser } from '#contract/accounts.ts';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { PasswordField } from '#web/components/password-field.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { fieldErrors, hasCode, writeErrorText } from '#web/lib/errors.ts';
import { canUsePasskeys } from '#web/lib/passkeys.ts';
import { toasts } from '#web/lib/toasts.ts';
import classes from './accounts.module.css';
import { arrive } from './arrive.ts';
import { CodeInput } from './fields.tsx';
import { focusFirst } from './form-errors.ts';
import { showPasskeyFailure } from './passkey-instead.tsx';
import { useDemoPeople, useLogin, usePasskeyOffer, usePasskeySignIn } from './queries.ts';

interface Credentials {
  username: string;
  password: string;
  /** Of the second factor; undefined until the server asks for it. */
  code?: string;
}

/** Signs in. A wrong name and a wrong password get the same answer. */
export function LoginForm() {
  const login = useLogin();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm<Credentials>({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validate: schemaResolver(loginInputSchema, { sync: true }),
  });

  const fail = (error: unknown) => {
    if (hasCode(error, 'second_factor_required')) {
      setNeedsCode(true);
      return;
    }
    // Both are marked: nobody learns which of the two is wrong.
    const errors = fieldErrors(error);
    form.setErrors(hasCode(error, 'unauthorized') ? { username: true, password: true } : errors);
    form.getInputNode('code' in errors ? 'code' : 'password')?.focus();
    toasts.failure(TEXTS.accounts.loginFailed, writeErrorText(error, 'Please try again.'));
  };
  const submit = (credentials: Credentials) => login.mutateAsync(credentials).then(welcome, fail);
  /** Fills in the form, too, so that it shows who signs in. */
  const signInAs = (credentials: Credentials) => {
    form.setValues(credentials);
    void submit(credentials);
  };

  return (
    <Stack gap="xl">
      <form onSubmit={form.onSubmit(submit, (errors) => focusFirst(form, errors))} noValidate>
        <Stack>
          <TextInput
            label="Username"
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            required
            key={form.key('username')}
            {...form.getInputProps('username')}
          />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {needsCode && <CodeInput autoFocus key={form.key('code')} {...form.getInputProps('code')} />}
          <Button type="submit" size="md" loading={login.isPending || login.isSuccess}>
            Sign in
          </Button>
          <Anchor component={Link} to={paths.forgotPassword} underline="always" lh="44px" ta="center">
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
      {canUsePasskeys() && <PasskeySignIn />}
      <DemoPeople isPending={login.isPending || login.isSuccess} onChoose={signInAs} />
    </Stack>
  );
}

function welcome(user: SessionUser): void {
  arrive(user, TEXTS.accounts.loginSuccessful, [TEXTS.accounts.welcomeBack(user.username)]);
}

/** Signs in by passkey: with a button, and with what the browser offers in the field for the name. */
function PasskeySignIn() {
  const signIn = usePasskeySignIn();
  const offered = usePasskeySignIn();
  usePasskeyOffer(() => offered.mutate(true, { onSuccess: welcome, onError: showRefusedOffer }));
  return (
    <Stack>
      <Divider label="or" />
      <Button
        variant="default"
        size="md"
        leftSection={<IconFingerprint size={20} aria-hidden="true" />}
        loading={signIn.isPending || signIn.isSuccess}
        onClick={() => signIn.mutate(false, { onSuccess: welcome, onError: showPasskeyFailure })}
      >
        Sign in with a passkey
      </Button>
    </Stack>
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
  const { data: people = [] } = useDemoPeople();
  if (people.length === 0) return null;
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h4">
          Just looking around?
        </Title>
        <Text size="sm" c="dimmed">
          Step into the shoes of one of our demo people.
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
              <Text fw={650}>Sign in as {username}</Text>
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
