import { z } from 'zod';
import { paths } from '#contract/base/pages.ts';
import { idSchema, instantSchema, textSchema } from '#contract/base/primitives.ts';
import {
  identityInputSchema,
  registerWithPasskeyInputSchema,
  secondFactorCodeInputSchema,
} from './accounts.ts';

/* Signing in with a provider of OpenID that the operator has chosen. An identity is what it calls a person. */

/** What of the way back to a page is kept; browsers and proxies take no longer addresses everywhere. */
const RETURN_PATH_MAX = 2_000;
/** A provider's answer in an address: a code, a state, and what else it adds. */
const ANSWER_MAX = 8_000;

/** The provider of this market. */
export const identityProviderSchema = z.object({
  /** Such as 'Example ID'. */
  name: z.string(),
  /** False: it did not answer lately. */
  isAvailable: z.boolean(),
});
export type IdentityProvider = z.output<typeof identityProviderSchema>;

export const startIdentityInputSchema = z.object({
  /** The path to go to after the sign-in. */
  from: textSchema(RETURN_PATH_MAX).optional(),
});
export type StartIdentityInput = z.output<typeof startIdentityInputSchema>;

/** The provider's page for this sign-in. */
export const identityStartSchema = z.object({ url: z.string() });
export type IdentityStart = z.output<typeof identityStartSchema>;

/** With what the provider sends the browser back: the query of the address, without its question mark. */
export const finishIdentityInputSchema = z.object({ query: textSchema(ANSWER_MAX) });
export type FinishIdentityInput = z.output<typeof finishIdentityInputSchema>;

/** Why the provider named nobody: the person turned back there, its answer proves nothing, or there was none. */
export type IdentityFailure = 'cancelled' | 'refused' | 'unavailable';

/** The page that goes on with whom the provider has named, and leads to `from`. */
export function identityPath({
  from,
  failed,
}: {
  readonly from: string | null;
  readonly failed?: IdentityFailure;
}): string {
  const query = new URLSearchParams({ ...(from !== null && { from }), ...(failed && { failed }) });
  return query.size > 0 ? `${paths.identity}?${query}` : paths.identity;
}

/** The path to go on at. */
export const identityReturnSchema = z.object({ path: z.string() });

/** How it goes on with somebody whom the provider has just named. */
export const pendingIdentitySchema = z.object({
  /**
   * `enter`: an account is linked to the identity. `choose`: none is: a new one, or one that the person has. `link`: the
   * signed-in person has asked for the link, or signed in since.
   */
  next: z.enum(['enter', 'choose', 'link']),
  provider: z.string(),
  /** The address that the provider gave, if it gave one. */
  email: z.string().nullable(),
  /** Whether the provider has checked that the address is the person's. */
  isEmailVerified: z.boolean(),
  /** Whether somebody's account has the address; only for an address that the provider has checked. */
  hasAccount: z.boolean(),
  /** Whether the link needs the password or a passkey: the person was signed in before. */
  needsProof: z.boolean(),
});
export type PendingIdentity = z.output<typeof pendingIdentitySchema>;

/** The code of the second factor, from people who have one. */
export const enterIdentityInputSchema = secondFactorCodeInputSchema.partial();
export type EnterIdentityInput = z.output<typeof enterIdentityInputSchema>;

/** A registration without a password or a passkey. */
export const registerIdentityInputSchema = registerWithPasskeyInputSchema.omit({ passkey: true });
export type RegisterIdentityInput = z.output<typeof registerIdentityInputSchema>;

/** The password or a passkey, where `needsProof`. */
export const linkIdentityInputSchema = z.object(identityInputSchema.shape);
export type LinkIdentityInput = z.output<typeof linkIdentityInputSchema>;

/** An identity that opens the caller's account. */
export const identitySchema = z.object({
  id: idSchema,
  /** Of the provider; the host of one that this market no longer uses. */
  name: z.string(),
  /** Whether it still opens the account: its provider is the one in use. */
  isInUse: z.boolean(),
  createdAt: instantSchema,
  lastUsedAt: instantSchema.nullable(),
});
identitySchema.register(z.globalRegistry, { id: 'Identity' });
export type Identity = z.output<typeof identitySchema>;
