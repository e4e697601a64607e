import { type ApiScope, apiScopeSchema } from '#contract/people/api-keys.ts';
import { ASSISTANT_SCOPES, DEFAULT_SCOPES } from '#contract/people/oauth.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const isLoopback = ({ protocol, hostname }: URL) => protocol === 'http:' && LOOPBACK.has(hostname);

/** A scheme of a program's own, in the form of a reversed domain (RFC 8252): no browser runs it. */
const OWN_SCHEME = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/;

/** Whether codes may be sent there: over TLS, to the person's own device, or to a program with a scheme of its own. */
export function isAllowedRedirect(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const url = new URL(uri);
  if (url.hash !== '' || uri.includes('#') || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || isLoopback(url) || OWN_SCHEME.test(url.protocol);
}

/** Whether an address is one of those registered: to the letter, but for the port of a program on the person's device. */
export function isRegistered(given: string, registered: readonly string[]): boolean {
  if (registered.includes(given)) return true;
  const plain = withoutPort(given);
  return plain !== null && registered.some((uri) => withoutPort(uri) === plain);
}

function withoutPort(uri: string): string | null {
  if (!URL.canParse(uri)) return null;
  const url = new URL(uri);
  if (!isLoopback(url)) return null;
  url.port = '';
  return url.href;
}

/** Where an answer goes, in a word that people know. */
export function placeOf(uri: string): { redirectHost: string; isOnDevice: boolean } {
  const url = new URL(uri);
  const isOnDevice = isLoopback(url) || OWN_SCHEME.test(url.protocol);
  return { redirectHost: url.host || url.protocol.slice(0, -1), isOnDevice };
}

/** The scopes of a request; null if it names one that no assistant gets. */
export function scopesOf(scope: string | undefined): ApiScope[] | null {
  const names = [...new Set((scope ?? '').split(' ').filter(Boolean))];
  if (names.length === 0) return [...DEFAULT_SCOPES];
  const allowed: readonly string[] = ASSISTANT_SCOPES;
  return names.every((name) => allowed.includes(name)) ? apiScopeSchema.array().parse(names) : null;
}

/** An address with more in its query. */
export function withQuery(uri: string, given: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
