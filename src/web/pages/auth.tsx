import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Paper, Tabs } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { Navigate, useMatch } from 'react-router-dom';
import { defineAddress, oneOf, plainText } from '#contract/base/address.ts';
import { couponCameFrom } from '#contract/base/first-answers.ts';
import { PAGES } from '#contract/base/pages.ts';
import { quote } from '#contract/base/words.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { useCoupon } from '#web/coupons/core/queries.ts';
import { useAddress } from '#web/lib/address.ts';
import { returnPath } from '#web/lib/return-path.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { LoginForm } from '#web/people/accounts/login-form.tsx';
import { RegisterForm } from '#web/people/accounts/register-form.tsx';
import { ProviderReturn } from './identity.tsx';

const ADDRESS = defineAddress({ tab: oneOf(['login', 'register']), from: plainText });

/** What somebody wants of a coupon, by the parameter that opens its dialog when they are back. */
const PURPOSES: Readonly<Record<string, (title: string) => string>> = {
  bid: (title) => t`Sign in or register to bid on ${title}.`,
  buy: (title) => t`Sign in or register to buy ${title}.`,
  exchange: (title) => t`Sign in or register to propose an exchange for ${title}.`,
  validate: (title) => t`Sign in or register to check ${title}.`,
};

/** What the person came for, so that it stays in view while they register. */
function Purpose({ from }: { from: string }) {
  const { data: coupon, isLoading } = useCoupon(couponCameFrom(from));
  if (isLoading) return '\u00a0';
  if (!coupon) return t`Swap the coupons you won’t use for ones you will.`;
  const title = quote(coupon.title);
  const asked = [...new URLSearchParams(from.replace(/^[^?]*/, '')).keys()];
  const purpose = asked.flatMap((key) => PURPOSES[key] ?? [])[0];
  return purpose ? purpose(title) : t`Sign in or register to continue with ${title}.`;
}

/** The sign-in, and where the provider of OpenID leads back to: in one file, because they share most of what they show. */
export function Component() {
  return useMatch(PAGES.identity.path) ? <ProviderReturn /> : <SignIn />;
}

/** Sign-in and registration; a signed-in person is redirected to where they came from. */
function SignIn() {
  const { user } = useViewer();
  const [{ tab, from }, change] = useAddress(ADDRESS);
  if (user) return <Navigate to={returnPath(from)} replace />;

  return (
    <PageShell title={PAGES.auth.title()} text={<Purpose from={from} />} size="sm">
      {!navigator.cookieEnabled && (
        <Alert
          color="red"
          role="alert"
          mb="md"
          title={t`Your browser blocks cookies`}
          icon={<IconAlertCircle aria-hidden="true" />}
        >
          <Trans>You need cookies to sign in. Allow them for this site, then reload the page.</Trans>
        </Alert>
      )}
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <Tabs
          value={tab}
          onChange={(value) => change({ tab: value === 'register' ? value : 'login' }, { replace: true })}
          keepMounted={false}
        >
          <Tabs.List grow mb="lg">
            <Tabs.Tab value="login">
              <Trans>Login</Trans>
            </Tabs.Tab>
            <Tabs.Tab value="register">
              <Trans>Register</Trans>
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="login">
            <LoginForm />
          </Tabs.Panel>
          <Tabs.Panel value="register">
            <RegisterForm />
          </Tabs.Panel>
        </Tabs>
      </Paper>
    </PageShell>
  );
}
