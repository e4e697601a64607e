import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';

const onceLoaded = onDemand(async () => (await import('./home-invitation.tsx')).HomeInvitation);

/** Tells people without a deal who would swap for what, once that is loaded. */
export function HomeInvitationPlace() {
  const HomeInvitation = useOnDemand(onceLoaded, true);
  return HomeInvitation && <HomeInvitation />;
}
