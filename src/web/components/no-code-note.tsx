import { Alert } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export const NO_CODE = 'No code on file';

/** Says in a deal's dialog that the coupon has nothing to reveal. `children` says to whom. */
export function NoCodeNote({ children }: { children: ReactNode }) {
  return (
    <Alert color="yellow" role="note" title={NO_CODE} icon={<IconEyeOff aria-hidden="true" />}>
      {children}
    </Alert>
  );
}
