import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';
import { useViewer } from '#web/lib/viewer.tsx';

const offerOnDemand = onDemand(async () => (await import('./install-offer.tsx')).InstallOffer);

/** Where the application is offered to be installed, to members after their first deal. */
export function InstallOfferPlace() {
  const { user } = useViewer();
  const hasDealt = user !== null && user.successfulExchanges + user.acceptedBids > 0;
  const Offer = useOnDemand(offerOnDemand, hasDealt);
  return hasDealt && Offer && <Offer />;
}
