import { Center, Loader } from '@mantine/core';

/** A page whose code or viewer is not known yet. */
export function PageLoading() {
  return (
    <Center mih="60vh">
      <Loader role="status" aria-label="Loading" />
    </Center>
  );
}
