import type { Sandbox, SandboxEvent, SandboxOptions } from './running.ts';

/** Seconds after which an event is sent again while nobody has taken it. */
const RETRY_SECONDS = [1, 5, 30];

export interface PostOffice extends Pick<Sandbox, 'waiting' | 'deliver' | 'drop'> {
  /** Sends an event, or keeps it for `deliver`. */
  post(event: SandboxEvent): void;
  close(): void;
}

/**
 * How a sandbox sends its webhooks: at once and again while nobody takes an event, or held until a test asks.
 * @param signed the headers that sign a body as the provider does, at an instant
 */
export function createPostOffice(
  options: Pick<SandboxOptions, 'webhooks' | 'webhookUrl'>,
  signed: (body: string, at: Date) => Readonly<Record<string, string>>,
): PostOffice {
  const held: SandboxEvent[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const closing = new AbortController();

  const deliver: PostOffice['deliver'] = async (event, { tamper = false, at, unsigned = false } = {}) => {
    const url = options.webhookUrl();
    if (url === null) return 0;
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(!unsigned && signed(event.body, at ?? new Date())),
      },
      body: tamper ? tampered(event.body) : event.body,
      signal: closing.signal,
    });
    await answer.arrayBuffer();
    if (answer.ok) drop(event);
    return answer.status;
  };

  const drop = (event: SandboxEvent) => {
    const index = held.findIndex(({ id }) => id === event.id);
    if (index >= 0) held.splice(index, 1);
  };

  const sendUntilTaken = async (event: SandboxEvent, tries = 0): Promise<void> => {
    // Nobody there, or gone in between: the same as a refusal.
    const status = await deliver(event).catch(() => 0);
    const wait = RETRY_SECONDS[tries];
    if ((status >= 200 && status < 300) || wait === undefined || closing.signal.aborted) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void sendUntilTaken(event, tries + 1);
    }, wait * 1_000);
    timers.add(timer.unref());
  };

  return {
    post(event) {
      if (options.webhooks === 'held') held.push(event);
      else void sendUntilTaken(event);
    },
    waiting: () => [...held],
    deliver,
    drop,
    close() {
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function tampered(body: string): string {
  return body.replace(/\}\s*$/, ',"tampered":true}');
}
