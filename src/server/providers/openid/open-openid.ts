import type { Configuration } from 'openid-client';
import type { OpenIdSettings } from '#server/core/provider-settings.ts';
import { type OpenId, type OpenIdPerson, OpenIdRefusal, OpenIdUnavailable } from './openid.ts';

/** Where the provider sends browsers back to. Operators register it there. */
const OPENID_CALLBACK = '/api/identities/callback';

/** The time limit of each call, in seconds. */
const TIMEOUT_SECONDS = 10;
/** How far the provider's clock may differ, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** While the provider does not answer, it is asked again at most this often. */
const RETRY_MS = 30_000;
/** Of an identifier, by OpenID Connect Core 2. */
const SUBJECT_MAX = 255;
const EMAIL_MAX = 254;

/**
 * Any provider of OpenID Connect: by the authorization code flow with PKCE, state and nonce. What the provider publishes
 * about itself is read when it is first needed, never at the start: the market opens while the provider is away.
 * @param now in milliseconds, to space the retries
 */
export function openOpenId(
  settings: OpenIdSettings,
  publicUrl: string,
  now: () => number = Date.now,
): OpenId {
  const { issuer, name, scopes } = settings;
  const redirectUri = `${publicUrl}${OPENID_CALLBACK}`;
  let known: Promise<Configuration> | null = null;
  let failedAt: number | null = null;

  const discovered = async (): Promise<Configuration> => {
    const asked = known ?? discover(settings);
    known = asked;
    try {
      const configuration = await asked;
      failedAt = null;
      return configuration;
    } catch (error) {
      if (known === asked) known = null;
      failedAt = now();
      throw new OpenIdUnavailable(`${issuer} does not answer as a provider of OpenID`, { cause: error });
    }
  };

  return {
    name,
    issuer,

    async isAvailable() {
      const isDue = failedAt === null || now() - failedAt >= RETRY_MS;
      if (known === null && isDue) discovered().catch(() => {});
      return failedAt === null;
    },

    async begin() {
      const configuration = await discovered();
      const client = await import('openid-client');
      const [state, nonce, verifier] = [
        client.randomState(),
        client.randomNonce(),
        client.randomPKCECodeVerifier(),
      ];
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, state, nonce, verifier };
    },

    async finish(query, { state, nonce, verifier }) {
      const configuration = await discovered();
      const client = await import('openid-client');
      try {
        const tokens = await client.authorizationCodeGrant(
          configuration,
          new URL(`${redirectUri}?${query}`),
          {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            idTokenExpected: true,
          },
        );
        const claims = tokens.claims();
        if (!claims) throw new OpenIdRefusal('There is no ID token');
        const { iss, sub } = claims;
        if (!/^[\x20-\x7e]+$/.test(sub) || sub.length > SUBJECT_MAX) throw new OpenIdRefusal('Not a subject');
        const said =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
            ? await client.fetchUserInfo(configuration, tokens.access_token, sub)
            : claims;
        return { issuer: iss, subject: sub, ...addressIn(said) };
      } catch (error) {
        throw await failureOf(error);
      }
    },
  };
}

/** Reads what the provider publishes about itself. @throws what openid-client throws */
async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> {
  const client = await import('openid-client');
  const isPlain = issuer.startsWith('http:');
  const configuration = await client.discovery(
    new URL(issuer),
    clientId,
    { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    // Providers differ in how they read the signs of a Basic header: it is for those alone that take nothing else.
    (server, ...given) => {
      const methods = server.token_endpoint_auth_methods_supported;
      const takesPost = methods?.includes('client_secret_post');
      const prove = takesPost ? client.ClientSecretPost : client.ClientSecretBasic;
      return prove(clientSecret)(server, ...given);
    },
    { timeout: TIMEOUT_SECONDS, execute: isPlain ? [client.allowInsecureRequests] : [] },
  );
  // The signature of the ID token is checked too, although it comes to us directly.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** The address that the provider tells of, unless it is none that we could keep. */
function addressIn(said: Readonly<Record<string, unknown>>): Pick<OpenIdPerson, 'email' | 'isEmailVerified'> {
  const { email } = said;
  const isUsable =
    typeof email === 'string' && email.length <= EMAIL_MAX && /^[^\s@\0]+@[^\s@\0]+$/.test(email);
  return isUsable
    ? { email, isEmailVerified: isYes(said.email_verified) }
    : { email: null, isEmailVerified: false };
}

/** Some providers write the claim, which is a boolean (OpenID Connect Core 5.1), as a text. */
const isYes = (claim: unknown): boolean => claim === true || claim === 'true';

/** Whether the provider refused, its answer is worth nothing, or there was none. */
async function failureOf(error: unknown): Promise<Error> {
  if (error instanceof OpenIdRefusal) return error;
  const { AuthorizationResponseError, ResponseBodyError } = await import('openid-client');
  const reason = error instanceof Error ? error : new Error(String(error));
  if (error instanceof AuthorizationResponseError)
    return new OpenIdRefusal(`The provider says ${error.error}`, {
      cause: error,
      isCancelled: error.error === 'access_denied',
    });
  const isDown =
    (error instanceof ResponseBodyError && error.status >= 500) ||
    hasCause(error, (cause) => cause instanceof Response && cause.status >= 500) ||
    hasCause(error, (cause) => cause instanceof Error && isOfNetwork(cause));
  return isDown
    ? new OpenIdUnavailable('The provider did not answer', { cause: error })
    : new OpenIdRefusal(reason.message, { cause: error });
}

/** Of Node's fetch, and of our time limit. */
function isOfNetwork(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return (
    (error instanceof TypeError && error.message === 'fetch failed') ||
    ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(code)
  );
}

function hasCause(error: unknown, test: (cause: unknown) => boolean): boolean {
  if (test(error)) return true;
  return error instanceof Error && error.cause !== undefined && hasCause(error.cause, test);
}
