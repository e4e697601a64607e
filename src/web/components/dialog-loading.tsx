import { Loader } from '@mantine/core';

/** Shown until the code of a dialog is there. */
export function DialogLoading() {
  return <Loader role="status" aria-label="Loading" pos="fixed" top="45%" left="48%" />;
}
