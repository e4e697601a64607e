import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { formatDate } from '#web/lib/format.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useIdentities, usePasskeys, useSecondFactor } from './queries.ts';

/** What was set up on the viewer's account before its address was confirmed; nothing if there is nothing. */
export function WaysInList() {
  const { data: passkeys = [] } = usePasskeys();
  const { data: identities = [] } = useIdentities();
  const { data: factor } = useSecondFactor();
  const { data: keys = [] } = trpc.apiKeys.list.useQuery();
  const lines = [
    ...passkeys.map(({ id, name, createdAt }) => ({
      key: `passkey ${id}`,
      text: t`Passkey “${name}”, added ${formatDate(createdAt)}`,
    })),
    ...keys
      .filter(({ isExpired }) => !isExpired)
      .map(({ id, name, createdAt }) => ({
        key: `key ${id}`,
        text: t`Key for programs “${name}”, made ${formatDate(createdAt)}`,
      })),
    ...identities.map(({ id, name, createdAt }) => ({
      key: `identity ${id}`,
      text: t`Sign-in with ${name}, linked ${formatDate(createdAt)}`,
    })),
    ...(factor?.enabledAt
      ? [{ key: 'app', text: t`Authenticator app, on since ${formatDate(factor.enabledAt)}` }]
      : []),
    ...(factor && factor.recoveryCodesLeft > 0
      ? [
          {
            key: 'codes',
            text: factor.recoveryCodesMadeAt
              ? t`Unused recovery codes: ${factor.recoveryCodesLeft}, created ${formatDate(factor.recoveryCodesMadeAt)}`
              : t`Unused recovery codes: ${factor.recoveryCodesLeft}`,
          },
        ]
      : []),
  ];
  if (lines.length === 0) return null;
  return (
    <Stack gap="xs" mt="md">
      <Text fw={600}>
        <Trans>Besides your password, these also open your account:</Trans>
      </Text>
      <ul>
        {lines.map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
      <Anchor component={Link} to={paths.settings('passkeys')} underline="always">
        <Trans>Remove any that are not yours</Trans>
      </Anchor>
    </Stack>
  );
}
