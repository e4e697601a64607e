import { Box } from '@mantine/core';
import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';

const onceLoaded = onDemand(async () => (await import('./home-invitation.tsx')).HomeInvitation);

/** Has the height of its sentence before that is loaded. */
export function HomeInvitationPlace() {
  const HomeInvitation = useOnDemand(onceLoaded, true);
  return <Box mih={{ base: 48, sm: 24 }}>{HomeInvitation && <HomeInvitation />}</Box>;
}
