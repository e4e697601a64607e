import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { lineSchema, textSchema } from '#contract/base/primitives.ts';
import { API_KEY_NAME_MAX, type ApiScope, apiScopeSchema } from './api-keys.ts';

/** How people connect assistants by OAuth 2.1, as the Model Context Protocol asks: public clients with PKCE. */

/** How long a consent holds. */
export const CONSENT_DAYS = 90;
/** How long an access token works. */
export const ACCESS_MINUTES = 60;
/** How long a code may wait for its exchange. */
export const CODE_SECONDS = 60;

/** The path of what the tokens are for. */
export const ASSISTANTS_PATH = '/mcp';

/** What an assistant may ask for. */
export const ASSISTANT_SCOPES = [
  'coupons:read',
  'coupons:write',
  'deals:read',
  'deals:write',
  'messages:write',
  'payments:write',
] as const satisfies readonly ApiScope[];
/** What an assistant gets that asks for nothing in particular. */
export const DEFAULT_SCOPES = ASSISTANT_SCOPES.slice(0, 4);

const REDIRECTS_MAX = 10;
const URI_MAX = 500;
const SHORT = 200;

export const registerClientInputSchema = z.object({
  name: lineSchema(API_KEY_NAME_MAX, 1, () => t`Give the program a name`),
  redirectUris: z.array(textSchema(URI_MAX, 1)).min(1).max(REDIRECTS_MAX),
});
export type RegisterClientInput = z.output<typeof registerClientInputSchema>;

export const registeredClientSchema = registerClientInputSchema.extend({ clientId: z.string() });

/** What a program asks the person for, as the address of the consent page has it. */
export const authorizationInputSchema = z.object({
  responseType: textSchema(SHORT),
  clientId: textSchema(SHORT, 1),
  redirectUri: textSchema(URI_MAX, 1),
  scope: textSchema(SHORT * 5).optional(),
  state: textSchema(SHORT * 10).optional(),
  codeChallenge: textSchema(SHORT),
  codeChallengeMethod: textSchema(SHORT),
  resource: textSchema(URI_MAX).optional(),
});
export type AuthorizationInput = z.output<typeof authorizationInputSchema>;

/** What the person decides about. */
export const authorizationSchema = z.object({
  clientName: z.string().describe('As the program calls itself: nobody has checked it'),
  redirectHost: z.string().describe('Where the answer goes'),
  isOnDevice: z.boolean().describe('Whether that is a program on the person’s own device'),
  scopes: z.array(apiScopeSchema),
  deniedTo: z.string().describe('The address that tells the program of a refusal'),
});
export type Authorization = z.output<typeof authorizationSchema>;

export const approvedSchema = z.object({ redirectTo: z.string() });

export const tokenInputSchema = z.object({
  grantType: textSchema(SHORT),
  clientId: textSchema(SHORT),
  code: textSchema(SHORT).optional(),
  redirectUri: textSchema(URI_MAX).optional(),
  codeVerifier: textSchema(SHORT).optional(),
  refreshToken: textSchema(SHORT).optional(),
  resource: textSchema(URI_MAX).optional(),
});
export type TokenInput = z.output<typeof tokenInputSchema>;

export const tokensSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresIn: z.int().describe('In seconds'),
  scopes: z.array(apiScopeSchema),
});
export type Tokens = z.output<typeof tokensSchema>;

export const revokeTokenInputSchema = z.object({ token: textSchema(SHORT, 1) });
