import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';
import { useIsBelow } from '#web/lib/screen.ts';

const bottomBar = onDemand(async () => (await import('./bottom-bar.tsx')).BottomBar);

/** The bar at the bottom, whose place `--bottom-bar` keeps free. */
export function BottomBarOfPhones() {
  const isSmall = useIsBelow('sm');
  const BottomBar = useOnDemand(bottomBar, isSmall);
  return isSmall && BottomBar && <BottomBar />;
}
