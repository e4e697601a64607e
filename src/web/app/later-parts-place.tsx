import { useMutationState } from '@tanstack/react-query';
import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';
import { keepsCodes } from '#web/lib/kept-values.ts';

const partsOnDemand = onDemand(async () => (await import('./later-parts.tsx')).LaterParts);

/** Loads them where codes are kept in this browser, or once the viewer changes something. */
export function LaterParts() {
  const Parts = useOnDemand(partsOnDemand, useMutationState().length || keepsCodes());
  return Parts && <Parts />;
}
