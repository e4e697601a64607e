import { createHash, randomBytes } from 'node:crypto';
import { t } from '@lingui/core/macro';
import {
  ACCESS_MINUTES,
  ASSISTANTS_PATH,
  type Authorization,
  type AuthorizationInput,
  CODE_SECONDS,
  CONSENT_DAYS,
  type RegisterClientInput,
  type TokenInput,
  type Tokens,
} from '#contract/people/oauth.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays, addHours } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { type AppError, fieldError } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { enforceSecondFactor } from '#server/people/accounts/service.ts';
import { allowClient, makeToken } from '#server/people/api-keys/service.ts';
import { isAllowedRedirect, isRegistered, placeOf, scopesOf, withQuery } from './rules.ts';
import * as store from './store.ts';

/** Programs that register themselves, of one address. */
const CLIENTS: RateLimit = { name: 'oauth-clients', points: 10, seconds: 3_600 };
/** Exchanges and refreshes, of one address: of a service, many people's assistants come from one. */
const EXCHANGES: RateLimit = { name: 'oauth-tokens', points: 300, seconds: 900 };

/** Consents of one person: each is mailed to them. */
const CONSENTS: RateLimit = { name: 'oauth-consents', points: 20, seconds: 3_600 };

const [UNUSED_CONSENT_HOURS, UNUSED_CLIENT_DAYS] = [1, 1];
const SECRET_BYTES = 32;
const HINT_LENGTH = 4;

const makeSecret = () => randomBytes(SECRET_BYTES).toString('base64url');

/** What the tokens are for: nothing else takes them, and no token for anything else is taken. */
const resourceOf = ({ config }: Pick<Context, 'config'>): string =>
  new URL(ASSISTANTS_PATH, config.publicUrl).href;

/** The name of this market as an authorization server. */
const issuerOf = ({ config }: Pick<Context, 'config'>): string => new URL(config.publicUrl).origin;

/** Registers a program. It has no secret: PKCE proves that who asks is who gets. @throws AppError rate_limited, bad_input */
export async function registerClient(ctx: Context, { name, redirectUris }: RegisterClientInput) {
  await enforceLimit(ctx.limiter, CLIENTS, addressKey(ctx.ip));
  if (!redirectUris.every(isAllowedRedirect))
    throw fieldError('bad_input', 'redirectUris', t`Use https, or http on the person’s own device`);
  const clientId = makeSecret();
  await store.insertClient(ctx.db, { id: clientId, name, redirectUris }, ctx.clock());
  return { clientId, name, redirectUris };
}

/**
 * What a program asks the caller for. Until its name and its address are known to be right, nothing is sent there.
 * @throws AppError bad_input, naming the field
 */
export async function readAuthorization(
  ctx: MemberContext,
  input: AuthorizationInput,
): Promise<Authorization> {
  const { client, scopes } = await checked(ctx, input);
  const denied = { error: 'access_denied', state: input.state, iss: issuerOf(ctx) };
  return {
    clientName: client.name,
    ...placeOf(input.redirectUri),
    scopes,
    deniedTo: withQuery(input.redirectUri, denied),
  };
}

/**
 * The caller lets a program act for them. What they have allowed it before ends.
 * @returns the address that takes the code to the program
 * @throws AppError as `readAuthorization`; second_factor_required, rate_limited, conflict (too many keys)
 */
export async function approve(
  ctx: MemberContext,
  input: AuthorizationInput,
): Promise<{ redirectTo: string }> {
  const { client, scopes } = await checked(ctx, input);
  await enforceSecondFactor(ctx, 'always');
  await enforceLimit(ctx.limiter, CONSENTS, String(ctx.actor.id));
  const code = makeSecret();
  await inTransaction(ctx.db, async (trx) => {
    await store.removeConsents(trx, ctx.actor.id, client.id);
    const keyId = await allowClient(trx, ctx, {
      clientId: client.id,
      name: client.name,
      scopes,
      days: CONSENT_DAYS,
    });
    await store.insertCode(trx, {
      codeHash: sha256(code),
      keyId,
      redirectUri: input.redirectUri,
      challenge: input.codeChallenge,
      expiresAt: new Date(ctx.clock().getTime() + CODE_SECONDS * 1_000),
    });
  });
  const answer = { code, state: input.state, iss: issuerOf(ctx) };
  return { redirectTo: withQuery(input.redirectUri, answer) };
}

async function checked(ctx: MemberContext, input: AuthorizationInput) {
  const client = await store.findClient(ctx.db, input.clientId);
  if (!client) throw fieldError('bad_input', 'clientId', t`We do not know this program. Connect it again.`);
  if (!isRegistered(input.redirectUri, client.redirectUris))
    throw fieldError(
      'bad_input',
      'redirectUri',
      t`This program has not registered the address for the answer.`,
    );
  if (input.responseType !== 'code') throw fieldError('bad_input', 'responseType', t`Must be “code”`);
  if (input.codeChallengeMethod !== 'S256' || !/^[\w-]{43}$/.test(input.codeChallenge))
    throw fieldError('bad_input', 'codeChallenge', t`Must be a challenge of S256`);
  checkResource(ctx, input.resource);
  const scopes = scopesOf(input.scope);
  if (!scopes)
    throw fieldError('bad_input', 'scope', t`This program asks for more than an assistant can get.`);
  return { client, scopes };
}

function checkResource(ctx: Pick<Context, 'config'>, resource: string | undefined): void {
  if (resource !== undefined && resource !== resourceOf(ctx))
    throw fieldError('bad_input', 'resource', t`There are no tokens for this address here`);
}

const refusedGrant = (field: string): AppError =>
  fieldError('bad_input', field, t`It is unknown, expired or used, or it belongs to another program`);

/**
 * Gives a program tokens for a code, or for a refresh token. Both serve once: when one comes again, somebody has a copy of
 * it, and the consent ends with all its tokens.
 * @throws AppError rate_limited, bad_input, naming the field
 */
export async function giveTokens(ctx: Context, input: TokenInput): Promise<Tokens> {
  await enforceLimit(ctx.limiter, EXCHANGES, addressKey(ctx.ip));
  checkResource(ctx, input.resource);
  const tokens = await inTransaction(ctx.db, (trx) => {
    switch (input.grantType) {
      case 'authorization_code':
        return exchange(trx, ctx, input);
      case 'refresh_token':
        return refresh(trx, ctx, input);
      default:
        throw fieldError('bad_input', 'grantType', t`Must be “authorization_code” or “refresh_token”`);
    }
  });
  // The end of the consent is committed before.
  if (!tokens) throw refusedGrant(input.grantType === 'refresh_token' ? 'refreshToken' : 'code');
  return tokens;
}

/** @returns null where the code has come again */
async function exchange(trx: Trx, ctx: Context, input: TokenInput): Promise<Tokens | null> {
  const codeHash = sha256(input.code ?? '');
  const code = await store.lockCode(trx, codeHash);
  if (!code || code.clientId !== input.clientId) throw refusedGrant('code');
  if (code.usedAt !== null) {
    await store.removeConsent(trx, code.keyId);
    return null;
  }
  const at = ctx.clock();
  if (code.expiresAt <= at) throw refusedGrant('code');
  if (code.redirectUri !== input.redirectUri) throw refusedGrant('redirectUri');
  if (challengeOf(input.codeVerifier ?? '') !== code.challenge) throw refusedGrant('codeVerifier');
  await store.markCodeUsed(trx, codeHash, at);
  return issue(trx, code, at);
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

/** @returns null where the token has come again */
async function refresh(trx: Trx, ctx: Context, input: TokenInput): Promise<Tokens | null> {
  const tokenHash = sha256(input.refreshToken ?? '');
  const token = await store.lockRefreshToken(trx, tokenHash);
  if (!token || token.clientId !== input.clientId) throw refusedGrant('refreshToken');
  if (token.usedAt !== null) {
    await store.removeConsent(trx, token.keyId);
    return null;
  }
  const at = ctx.clock();
  if (token.consentUntil <= at) throw refusedGrant('refreshToken');
  await store.markRefreshTokenUsed(trx, tokenHash, at);
  return issue(trx, token, at);
}

async function issue(
  trx: Trx,
  { keyId, scopes, consentUntil }: { keyId: number; scopes: Tokens['scopes']; consentUntil: Date },
  at: Date,
): Promise<Tokens> {
  const [accessToken, refreshToken] = [makeToken(), makeSecret()];
  const until = new Date(Math.min(at.getTime() + ACCESS_MINUTES * 60_000, consentUntil.getTime()));
  await store.storeTokens(trx, {
    keyId,
    accessHash: sha256(accessToken),
    hint: accessToken.slice(-HINT_LENGTH),
    until,
    refreshHash: sha256(refreshToken),
    at,
  });
  const expiresIn = Math.floor((until.getTime() - at.getTime()) / 1_000);
  return { accessToken, refreshToken, expiresIn, scopes };
}

/** Ends the consent that a token of either kind belongs to; an unknown token changes nothing (RFC 7009). */
export async function revokeToken(ctx: Context, { token }: { token: string }): Promise<void> {
  await enforceLimit(ctx.limiter, EXCHANGES, addressKey(ctx.ip));
  await inTransaction(ctx.db, async (trx) => {
    const keyId = await store.findConsent(trx, sha256(token));
    if (keyId !== undefined) await store.removeConsent(trx, keyId);
  });
}

/** Forgets programs that nobody has connected, and consents whose code nobody has exchanged. */
export async function forgetUnusedClients({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const at = clock();
  await store.deleteUnused(db, {
    consents: addHours(at, -UNUSED_CONSENT_HOURS),
    clients: addDays(at, -UNUSED_CLIENT_DAYS),
  });
}
