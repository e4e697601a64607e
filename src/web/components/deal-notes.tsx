import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { IconEyeOff, IconUserX } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export const NO_CODE = t`No code on file`;
export const NOT_TRANSFERABLE = t`Not transferable`;

/** Says in a deal's dialog that the coupon has nothing to reveal. `children` says to whom. */
export function NoCodeNote({ children }: { children: ReactNode }) {
  return (
    <Alert color="yellow" role="note" title={NO_CODE} icon={<IconEyeOff aria-hidden="true" />}>
      {children}
    </Alert>
  );
}

/** Warns that the merchant may refuse a coupon that is passed on. */
export function NotTransferableNote({ children }: { children?: ReactNode }) {
  return (
    <Alert color="yellow" role="note" title={NOT_TRANSFERABLE} icon={<IconUserX aria-hidden="true" />}>
      <Trans>The merchant may accept it only from the person it was issued to. {children}</Trans>
    </Alert>
  );
}
