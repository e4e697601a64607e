import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { SandboxOptions } from '#sandbox/server.ts';
import type { Scheduler } from './scheduler.ts';

/** A request to a stand-in begins with one of these. */
const REQUESTS = ['http.client.request.start', 'undici:request:create'];
const SOCKETS = 'net.client.socket';

/**
 * What is between a client and a server of this process. The next step waits for it, as two requests that a task makes at once
 * arrive one after the other.
 */
export function watchWire() {
  let count = 0;
  const arrive = () => {
    count = Math.max(0, count - 1);
  };
  const depart = () => {
    count += 1;
  };
  // Stripe's library sends its request when the socket is connected.
  const connect = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    depart();
    socket.once('connect', arrive);
    socket.once('error', arrive);
  };
  for (const name of REQUESTS) subscribe(name, depart);
  subscribe(SOCKETS, connect);
  return {
    isBusy: () => count > 0,
    /** A server has got one. */
    arrive,
    /** What has not arrived by now is lost. */
    forget() {
      count = 0;
    },
    close() {
      for (const name of REQUESTS) unsubscribe(name, depart);
      unsubscribe(SOCKETS, connect);
    },
  };
}

export type Wire = ReturnType<typeof watchWire>;

const FAULTS = ['error-before', 'error-after', 'cut-before', 'cut-after', 'late'] as const;
const READS = { faults: FAULTS };
/** There are few of them, and after a lost answer money could move twice. */
const WRITES = { faults: FAULTS, fragility: 10 };

/** Each request to a provider is a step. */
export const providerSteps = (scheduler: Scheduler, wire: Wire): Pick<SandboxOptions, 'fault' | 'later'> => ({
  fault({ method, path }) {
    wire.arrive();
    const label = `${method} ${path.replace(/[\w-]*\d[\w-]*|[A-Z]{8,}/g, '…')}`;
    return scheduler.step(
      { label, ...(method === 'GET' ? READS : WRITES) },
      async (fault) => FAULTS.find((one) => one === fault) ?? null,
    );
  },
  later: (work) => void scheduler.step({ label: 'does what was asked of it before', faults: [] }, work),
});

let addresses = 0;
/** Of its own for each program, as one that dies keeps its address's share of what the process allows at once. */
export function newAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) % 256}.${addresses % 256}`;
}
