import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { askService, quote, readJson, ServiceRefusal } from './service-calls.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const keyFileSchema = z.object({
  type: z.literal('service_account'),
  client_email: z.email(),
  private_key_id: z.string().min(1),
  private_key: z.string().min(1),
});

/** An account of a program at Google. */
export interface ServiceAccount {
  readonly email: string;
  readonly keyId: string;
  readonly key: KeyObject;
}

/**
 * Reads the JSON key file.
 * @param setting the name of the setting that names it
 * @throws Error with the reason, without the file's content
 */
export function loadServiceAccount(
  file: string,
  setting: 'GOOGLE_SERVICE_ACCOUNT_FILE' | 'GOOGLE_WALLET_SERVICE_ACCOUNT_FILE',
): ServiceAccount {
  const refuse = (reason: string) => new Error(`${setting}, ${file}, is not usable: ${reason}.`);
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

/** A token (RFC 7523: a signed assertion instead of a password). @throws ServiceRefusal */
export async function fetchAccessToken(
  tokenUrl: string,
  account: ServiceAccount,
  scope: string,
  signal: AbortSignal,
): Promise<string> {
  const { SignJWT } = await import('jose');
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: account.keyId })
    .setIssuer(account.email)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime('10 minutes')
    .sign(account.key);
  const { status, text } = await askService(
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
  throw new ServiceRefusal(
    words
      ? `The service account was not let in (${status}): ${quote(words)}`
      : `The service account was not let in: status ${status}.`,
  );
}
