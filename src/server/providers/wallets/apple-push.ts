import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { z } from 'zod';
import { readJson, ServiceRefusal } from '../service-calls.ts';

interface Pushing {
  /** https://api.push.apple.com */
  readonly url: string;
  /** Who vouches for that address; undefined: the authorities that everybody trusts. */
  readonly authority: string | undefined;
  /** Of the pass type, which is also the topic. */
  readonly certificate: string;
  readonly key: string;
  readonly topic: string;
  readonly timeoutMs: number;
}

/** Why no device has a token any more. */
const GONE = ['BadDeviceToken', 'DeviceTokenNotForTopic', 'Unregistered', 'ExpiredToken'];
const reasonSchema = z.object({ reason: z.string() });

/**
 * Sends empty notifications by Apple's push service (HTTP/2): a wallet asks for changes when it gets one.
 * @returns the tokens that no device has any more
 * @throws ServiceRefusal if any could not be sent
 */
export async function pushToApple(tokens: readonly string[], given: Pushing): Promise<string[]> {
  if (tokens.length === 0) return [];
  const { url, authority: ca, certificate: cert, key, topic, timeoutMs } = given;
  const session = connect(url, { cert, key, ca });
  // Requests fail with the session.
  session.on('error', () => {});
  session.setTimeout(timeoutMs, () => session.destroy());
  try {
    const outcomes = await Promise.allSettled(tokens.map((token) => send(session, { token, topic })));
    if (outcomes.some(({ status }) => status === 'rejected'))
      throw new ServiceRefusal('Some devices could not be told of a change.');
    return tokens.filter((_, index) => {
      const outcome = outcomes[index];
      return outcome?.status === 'fulfilled' && outcome.value === 'gone';
    });
  } finally {
    session.close();
  }
}

async function send(
  session: ClientHttp2Session,
  { token, topic }: { token: string; topic: string },
): Promise<'sent' | 'gone'> {
  const stream = session.request({
    ':method': 'POST',
    ':path': `/3/device/${encodeURIComponent(token)}`,
    'apns-topic': topic,
    'apns-push-type': 'alert',
  });
  stream.end('{}');
  const [headers] = await once(stream, 'response');
  let text = '';
  for await (const chunk of stream) text += chunk;
  const status: unknown = headers[':status'];
  if (status === 200) return 'sent';
  const reason = reasonSchema.safeParse(readJson(text)).data?.reason ?? '';
  if (status === 410 || GONE.includes(reason)) return 'gone';
  throw new ServiceRefusal(`The push service answered with ${String(status)} ${reason}`);
}
