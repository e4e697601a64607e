import type { LiveEvent } from '#contract/base/live.ts';

const POLL_MS = 20_000;

/**
 * Passes events on. After `polling`, adds a `resync` from time to time until the server sends one: some events may come
 * before.
 */
export function pollOnDemand(onEvent: (event: LiveEvent) => void) {
  let timer: number | undefined;
  const stop = () => window.clearInterval(timer);
  return {
    onEvent(event: LiveEvent): void {
      if (event.kind === 'polling' || event.kind === 'resync') stop();
      if (event.kind === 'polling') timer = window.setInterval(() => onEvent({ kind: 'resync' }), POLL_MS);
      onEvent(event);
    },
    stop,
  };
}
