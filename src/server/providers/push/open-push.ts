import { z } from 'zod';
import { readRetryAfter } from '#server/core/retry-after.ts';
import { type Push, PushDeferred, PushGone, PushRefused } from './push.ts';

/** Our key pair for push services (RFC 8292), on P-256: 65 and 32 bytes in base64url. */
const pushKeysSchema = z.object({ publicKey: z.string(), privateKey: z.string() });
export type PushKeys = z.output<typeof pushKeysSchema>;

interface PushOptions {
  readonly keys: PushKeys;
  /** Where a push service can reach us: a `mailto:` or `https:` address. */
  readonly contact: string;
  /** The sandbox, which has a push service; null: there is none. */
  readonly sandboxUrl: string | null;
}

/** The push services of Chrome and Edge on Android, Firefox, Edge and Safari. */
const HOSTS = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'];
const DOMAINS = ['.notify.windows.com', '.push.apple.com'];

/** Limit for sending one push; shorter than the wait before the next attempt. */
const SEND_MS = 15_000;

const GONE = [404, 410];
/** What asks to come again later. */
const BUSY = [408, 425, 429];

/** A new key pair, as a text to keep. */
export async function createPushKeys(): Promise<string> {
  const { default: webPush } = await import('web-push');
  return JSON.stringify(webPush.generateVAPIDKeys());
}

/** The key pair of such a text. */
export function readPushKeys(kept: string): PushKeys {
  return pushKeysSchema.parse(JSON.parse(kept));
}

/**
 * Sends to the known push services alone, whatever address a browser names: else anybody could make us call the machines
 * around us. Redirects are not followed, and answers not read.
 */
export function openPush({ keys, contact, sandboxUrl }: PushOptions): Push {
  const isPushService = (endpoint: string): boolean => {
    if (!URL.canParse(endpoint)) return false;
    const { protocol, hostname, port, username, password, origin, pathname } = new URL(endpoint);
    if (username !== '' || password !== '') return false;
    if (sandboxUrl !== null && origin === sandboxUrl) return pathname.startsWith('/push/');
    const isKnown = HOSTS.includes(hostname) || DOMAINS.some((domain) => hostname.endsWith(domain));
    return protocol === 'https:' && port === '' && isKnown;
  };
  return {
    publicKey: keys.publicKey,
    isPushService,
    async send({ endpoint, p256dh, auth }, { payload, ttlSeconds, urgency, topic }) {
      if (!isPushService(endpoint)) throw new PushRefused('not a known push service');
      const { default: webPush } = await import('web-push');
      const { method, headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        payload,
        { vapidDetails: { subject: contact, ...keys }, TTL: ttlSeconds, urgency, topic },
      );
      const { 'Content-Length': _, ...sent } = headers;
      const answer = await fetch(endpoint, {
        method,
        headers: Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)]),
        body: new Uint8Array(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(SEND_MS),
      }).catch((error: unknown) => {
        // The error of a fetch may name the address.
        throw new PushDeferred(`not reached: ${error instanceof Error ? error.name : 'unknown'}`);
      });
      await answer.body?.cancel();
      judge(answer, new URL(endpoint).hostname);
    },
  };
}

/** @throws unless the push service has taken it */
function judge({ status, headers }: Response, host: string): void {
  if (status >= 200 && status < 300) return;
  if (GONE.includes(status)) throw new PushGone(`${host} answered ${status}`);
  if (status >= 500 || BUSY.includes(status)) {
    const retryAfter = readRetryAfter(headers.get('retry-after'), Date.now());
    throw new PushDeferred(`${host} answered ${status}`, { retryAfter });
  }
  throw new PushRefused(`${host} answered ${status}`);
}
