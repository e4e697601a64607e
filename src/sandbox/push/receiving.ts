import { createECDH } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { type PushPayload, pushPayloadSchema } from '#contract/people/push.ts';
import { Refusal } from '#sandbox/server.ts';

/** A browser that is stood in for, with its private keys; all bytes in base64url. */
export const pushBrowserSchema = z.object({
  id: z.string(),
  privateKey: z.string(),
  auth: z.string(),
  /** The only sender whose pushes it takes. */
  applicationServerKey: z.string(),
  isGone: z.boolean(),
});
export type SandboxBrowser = z.infer<typeof pushBrowserSchema>;

/** What a push said, and how its sender wanted it to be delivered. */
export interface ReceivedPush extends PushPayload {
  readonly ttl: number;
  readonly urgency: string;
  readonly topic: string;
}

/** Push services take no larger body (RFC 8030 section 7.2). */
const BODY_MAX = 4_096;
/** A signature may be valid for a day (RFC 8292 section 2). */
const DAY_SECONDS = 86_400;

function refuse(status: number, reason: string): never {
  throw new Refusal(reason, { status, body: { reason } });
}

/**
 * Takes a push as a push service and the browser behind it do: checks who sends it, decrypts and reads it.
 * @param origin of the push service
 * @throws Refusal with the status of a push service
 */
export async function receive(
  browser: SandboxBrowser,
  { headers, body, origin }: { headers: IncomingHttpHeaders; body: Buffer; origin: string },
): Promise<ReceivedPush> {
  if (browser.isGone) refuse(410, 'The browser has unsubscribed.');
  await checkSender(headers.authorization ?? '', browser.applicationServerKey, origin);
  const ttl = Number(headers.ttl ?? Number.NaN);
  if (!Number.isInteger(ttl) || ttl < 0) refuse(400, 'TTL is missing.');
  if (body.length > BODY_MAX) refuse(413, 'The body is too large.');
  if (headers['content-encoding'] !== 'aes128gcm') refuse(400, 'The body is not encrypted.');
  const topic = String(headers.topic ?? '');
  if (!/^[A-Za-z0-9_-]{0,32}$/.test(topic)) refuse(400, 'The topic is not allowed.');
  const payload = pushPayloadSchema.parse(JSON.parse(await decrypt(browser, body)));
  return { ...payload, ttl, urgency: String(headers.urgency ?? 'normal'), topic };
}

/** Checks the signature of RFC 8292. */
async function checkSender(authorization: string, expectedKey: string, origin: string): Promise<void> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  if (key !== expectedKey) refuse(403, 'The browser has subscribed to another sender.');
  const point = Buffer.from(key, 'base64url');
  const { importJWK, jwtVerify } = await import('jose');
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const publicKey = await importJWK(
    { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) },
    'ES256',
  );
  const { payload } = await jwtVerify(token, publicKey, {
    algorithms: ['ES256'],
    audience: origin,
    requiredClaims: ['exp', 'sub'],
  }).catch(() => refuse(403, 'The signature is not valid.'));
  const latest = Date.now() / 1_000 + DAY_SECONDS;
  if ((payload.exp ?? 0) > latest) refuse(403, 'The signature is valid for too long.');
  if (!/^(mailto:|https:)/.test(payload.sub ?? '')) refuse(403, 'Nobody can be reached.');
}

/** What only the browser can read. */
async function decrypt({ privateKey, auth }: SandboxBrowser, body: Buffer): Promise<string> {
  const { default: ece } = await import('http_ece');
  const keys = createECDH('prime256v1');
  keys.setPrivateKey(privateKey, 'base64url');
  const authSecret = Buffer.from(auth, 'base64url');
  return ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret }).toString();
}
