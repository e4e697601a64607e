import { t } from '@lingui/core/macro';
import { Loader } from '@mantine/core';

/** Shown until the code of a dialog is there. */
export function DialogLoading() {
  return <Loader role="status" aria-label={t`Loading`} pos="fixed" top="45%" left="48%" />;
}
