import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { defineAddress, plainText } from '#contract/base/address.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { type VerifiedEmail, verifyEmailInputSchema } from '#contract/people/accounts.ts';
import { MailDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PasswordField } from '#web/components/password-field.tsx';
import { TokenPage } from '#web/components/token-page.tsx';
import { useAddress } from '#web/lib/address.ts';
import { fieldErrors, writeErrorText } from '#web/lib/errors.ts';
import { returnPath } from '#web/lib/return-path.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { SendLinkButton } from '#web/people/accounts/email-verification.tsx';
import { canUsePasskeys } from '#web/people/accounts/passkeys.ts';
import { WaysInList } from '#web/people/accounts/ways-in-list.tsx';

/** Opened by the mailed link that confirms an e-mail address. */
export function Component() {
  return <TokenPage title={PAGES.verifyEmail.title()}>{(token) => <VerifyEmail token={token} />}</TokenPage>;
}

/** Where somebody goes on once the address is confirmed. */
const ADDRESS = defineAddress({ from: plainText });

const formSchema = verifyEmailInputSchema.extend({
  password: z.string().transform((text) => text || undefined),
});

/** Confirms an address with the mailed token. Asks first, because mail scanners follow links, but press no buttons. */
function VerifyEmail({ token }: { token: string }) {
  const { user } = useViewer();
  const navigate = useNavigate();
  const [{ from }] = useAddress(ADDRESS);
  const verify = trpc.accounts.verifyEmail.useMutation();
  const { form, submit } = useSendForm({
    schema: formSchema,
    initial: { token, password: '' },
    mutation: verify,
    onDone: ({ email, needsPassword }) => {
      if (!user || needsPassword || from === '') return;
      toasts.success(t`Your address is confirmed`, weWriteTo(email));
      void navigate(returnPath(from), { replace: true });
    },
    failed: [t`This address is not confirmed`],
    // The page says it itself.
    onFailed: (error) => !fieldErrors(error).password,
  });
  if (verify.data) return <Confirmed {...verify.data} from={from} />;
  if (!verifyEmailInputSchema.shape.token.safeParse(token).success) {
    return <Problem text={TEXTS.settings.linkSpent()} />;
  }
  const errors = verify.error ? fieldErrors(verify.error) : {};
  if (verify.error && !errors.password)
    return <Problem text={writeErrorText(verify.error, t`Please try again.`)} />;
  const isOwners = user !== null && (!user.isEmailVerified || user.pendingEmail !== null);
  return (
    <form onSubmit={submit} noValidate>
      <Stack align="center" ta="center" mih={330} justify="center">
        <MailDrawing />
        <Text>
          <Trans>Confirm that this address is yours so that we can write to you.</Trans>
        </Text>
        {!isOwners && (
          <PasswordField
            label={t`Your password`}
            description={t`If you do not know it, leave this empty. If the account is new, we then sign it out everywhere and email you a link to choose a password.`}
            autoComplete="current-password"
            required={false}
            ta="start"
            w="100%"
            maw={440}
            {...form.getInputProps('password')}
          />
        )}
        {!isOwners && canUsePasskeys() && (
          <Text size="sm">
            <Trans>
              Do you use a passkey?{' '}
              <Anchor
                component={Link}
                to={paths.authFrom(paths.mailed('verifyEmail', token, from || null))}
                inherit
                underline="always"
              >
                Sign in with it first
              </Anchor>
              , so that it stays.
            </Trans>
          </Text>
        )}
        <Button type="submit" size="md" loading={verify.isPending}>
          <Trans>Confirm this address</Trans>
        </Button>
      </Stack>
    </form>
  );
}

const weWriteTo = (email: string) => t`From now on, we write to you at ${email}.`;

function Confirmed({ email, needsPassword, from }: VerifiedEmail & { readonly from: string }) {
  const { user } = useViewer();
  return (
    <div role="status">
      <EmptyState
        title={t`Your address is confirmed`}
        text={
          needsPassword
            ? t`We sent a second email to ${email}. Use its link to choose a password; until then, no one can sign in.`
            : weWriteTo(email)
        }
        drawing={<MailDrawing />}
        action={
          <Button
            component={Link}
            to={user || needsPassword ? paths.home : from ? paths.authFrom(from) : paths.auth}
          >
            {user || needsPassword ? t`Browse Coupons` : t`Sign in`}
          </Button>
        }
      />
      {user?.email === email && <WaysInList />}
    </div>
  );
}

/** Why nothing was confirmed, and what to do next. */
function Problem({ text }: { text: string }) {
  const { user } = useViewer();
  const isSettled = user?.isEmailVerified === true && user.pendingEmail === null;
  if (isSettled || text === TEXTS.settings.linkDone()) {
    return (
      <div role="status">
        <EmptyState
          title={isSettled ? t`Nothing to confirm` : t`Already done`}
          text={isSettled ? t`${user.email} is already confirmed.` : text}
          drawing={<MailDrawing />}
          action={<NextStep />}
        />
      </div>
    );
  }
  return (
    <div role="alert">
      <EmptyState
        title={t`This address is not confirmed`}
        text={text}
        drawing={<MailDrawing isBroken />}
        action={<NextStep />}
      />
    </div>
  );
}

/** Offers a new link to a signed-in person with an unconfirmed address. */
function NextStep() {
  const { user } = useViewer();
  if (user && (!user.isEmailVerified || user.pendingEmail)) {
    return <SendLinkButton address={user.pendingEmail ?? user.email} size="md" variant="filled" />;
  }
  return (
    <Button component={Link} to={user ? paths.home : paths.authFrom(paths.profile)}>
      {user ? t`Browse Coupons` : t`Sign in`}
    </Button>
  );
}
