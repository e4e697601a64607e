import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { askEngine, EngineRefusal, quote, readJson, type Site } from './http.ts';

const SCOPE = 'https://www.googleapis.com/auth/webmasters';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const keyFileSchema = z.object({
  type: z.literal('service_account'),
  client_email: z.email(),
  private_key_id: z.string().min(1),
  private_key: z.string().min(1),
});

/** A Google service account; it must be an owner of the site in Search Console. */
export interface ServiceAccount {
  readonly email: string;
  readonly keyId: string;
  readonly key: KeyObject;
}

/** Reads the JSON key file. @throws Error with the reason, without the file's content */
export function loadServiceAccount(file: string): ServiceAccount {
  const refuse = (reason: string) =>
    new Error(`GOOGLE_SERVICE_ACCOUNT_FILE, ${file}, is not usable: ${reason}.`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw refuse('it cannot be read');
  }
  const fields = keyFileSchema.safeParse(readJson(text));
  if (!fields.success) throw refuse('it is not the JSON key of a service account');
  const { client_email: email, private_key_id: keyId, private_key: pem } = fields.data;
  try {
    return { email, keyId, key: createPrivateKey(pem) };
  } catch {
    throw refuse('its private key is broken');
  }
}

const tokenSchema = z.object({ access_token: z.string().min(1) });
const tokenErrorSchema = z.object({ error: z.string(), error_description: z.string().optional() });
const apiErrorSchema = z.object({ error: z.object({ message: z.string() }) });

/** Submits the sitemap through the Search Console API. @throws EngineRefusal */
export async function notifyGoogle(
  endpoints: { readonly googleToken: string; readonly google: string },
  account: ServiceAccount,
  { publicUrl }: Site,
  signal: AbortSignal,
): Promise<string> {
  const token = await fetchToken(endpoints.googleToken, account, signal);
  const [site, feed] = [`${publicUrl}/`, `${publicUrl}/sitemap.xml`].map(encodeURIComponent);
  const { status, text } = await askEngine(
    `${endpoints.google}/webmasters/v3/sites/${site}/sitemaps/${feed}`,
    { method: 'PUT', headers: { authorization: `Bearer ${token}` } },
    signal,
  );
  if (status === 200 || status === 204) return 'Accepted the sitemap.';
  const words = apiErrorSchema.safeParse(readJson(text)).data?.error.message.replaceAll(token, '…');
  throw new EngineRefusal(words ? `Refused (${status}): ${quote(words)}` : `Answered with status ${status}.`);
}

/** A token for one minute (RFC 7523: a signed assertion instead of a password). @throws EngineRefusal */
async function fetchToken(tokenUrl: string, account: ServiceAccount, signal: AbortSignal): Promise<string> {
  const { SignJWT } = await import('jose');
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: account.keyId })
    .setIssuer(account.email)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime('10 minutes')
    .sign(account.key);
  const { status, text } = await askEngine(
    tokenUrl,
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    },
    signal,
  );
  const answer = readJson(text);
  const token = tokenSchema.safeParse(answer).data?.access_token;
  if (status === 200 && token) return token;
  const { error, error_description: description } = tokenErrorSchema.safeParse(answer).data ?? {};
  const words = description ?? error;
  throw new EngineRefusal(
    words
      ? `The service account was not let in (${status}): ${quote(words)}`
      : `The service account was not let in: status ${status}.`,
  );
}
