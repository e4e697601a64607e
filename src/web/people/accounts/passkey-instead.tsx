import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import type { PasskeyAssertion } from '#contract/people/passkeys.ts';
import { toasts } from '#web/lib/toasts.ts';
import { canUsePasskeys, passkeyErrorText } from '#web/people/accounts/passkeys.ts';
import { usePasskeyProof, usePasskeys } from './queries.ts';

interface PasskeyInsteadProps {
  readonly isPending: boolean;
  readonly onGiven: (passkey: PasskeyAssertion) => void;
}

/** The button that gives a passkey in place of what a form asks for, for people who have one. */
export function PasskeyInstead({ isPending, onGiven }: PasskeyInsteadProps) {
  const proof = usePasskeyProof();
  const { data: passkeys = [] } = usePasskeys(canUsePasskeys());
  if (passkeys.length === 0) return null;
  const ask = () => proof.mutate(undefined, { onSuccess: onGiven, onError: showPasskeyFailure });
  return (
    <Button
      variant="default"
      leftSection={<IconFingerprint size={18} aria-hidden="true" />}
      loading={proof.isPending || isPending}
      onClick={ask}
    >
      <Trans>Use a passkey instead</Trans>
    </Button>
  );
}

/** Says why there is no passkey, unless another dialog has taken its place. */
export function showPasskeyFailure(error: unknown): void {
  const text = passkeyErrorText(error);
  if (text !== null) toasts.failure(t`No passkey was used`, text);
}
