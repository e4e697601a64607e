import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField, orBeyond } from '#contract/base/input-texts.ts';
import { idInputSchema, idSchema, instantSchema, lineSchema } from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { checkProof, currentPasswordSchema } from './accounts.ts';
import { passkeyAssertionSchema } from './passkeys.ts';

/** Keys with which programs act for a person. */

export const API_KEY_NAME_MAX = 60;
/** The most keys that a person may have, with those that have expired. */
export const API_KEYS_AT_MOST = 20;
const API_KEY_DAYS_MAX = 366;

/** The header with which a program names a call, so that it is done once. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** Visible characters. */
export const IDEMPOTENCY_KEY_MAX = 255;

/** What a key may be for. `server/trpc/scopes.ts` says which calls belong to each group. */
export const SCOPE_GROUPS = [
  'coupons',
  'deals',
  'messages',
  'payments',
  'notifications',
  'profile',
  'webhooks',
  'moderation',
  'admin',
] as const;
export type ScopeGroup = (typeof SCOPE_GROUPS)[number];

/** Groups that only people with a role can choose. */
export const STAFF_GROUPS: readonly ScopeGroup[] = ['moderation', 'admin'];

/** What a key with it may do; calls that show a code need `codes:read` beside that of their group. */
export const API_SCOPES = [
  ...SCOPE_GROUPS.flatMap((group) => [`${group}:read`, `${group}:write`] as const),
  'codes:read',
] as const;
export const apiScopeSchema = z
  .enum(API_SCOPES, { error: ofField(() => t`Is not a scope of a key`) })
  .meta({ id: 'ApiScope' });
export type ApiScope = z.output<typeof apiScopeSchema>;

/** What the form for a new key begins with. */
export const PRESET_SCOPES: readonly ApiScope[] = ['coupons:read', 'deals:read'];

const scopesSchema = z
  .array(apiScopeSchema)
  .min(1, { error: () => t`Choose what the key may do` })
  .max(API_SCOPES.length)
  .transform((scopes) => [...new Set(scopes)]);

/** How often a key may do something in the minute that is running. */
const keyAllowanceSchema = z.object({
  left: z.int().describe('How often it still may in this minute'),
  aMinute: z.int().describe('How often it may in each minute'),
});
keyAllowanceSchema.register(z.globalRegistry, { id: 'KeyAllowance' });

/** A key as its owner sees it: never the key itself. */
export const apiKeySchema = z.object({
  id: idSchema,
  name: z.string(),
  hint: z.string().describe('The last four characters of the key'),
  scopes: z.array(apiScopeSchema),
  createdAt: instantSchema,
  expiresAt: instantSchema,
  isExpired: z.boolean(),
  lastUsedAt: instantSchema.nullable().describe('Accurate to a minute; null: never'),
  webhooks: z.array(z.string()).describe('The addresses of the webhooks that it has added'),
  reads: keyAllowanceSchema,
  writes: keyAllowanceSchema,
});
apiKeySchema.register(z.globalRegistry, { id: 'ApiKey' });
export type ApiKey = z.output<typeof apiKeySchema>;

/** Whose key makes a call, and what it may do. */
export const keyCallerSchema = z.object({
  userId: idSchema,
  username: z.string(),
  key: z
    .object({ name: z.string(), scopes: z.array(apiScopeSchema) })
    .nullable()
    .describe('Null: a browser that is signed in'),
});
keyCallerSchema.register(z.globalRegistry, { id: 'KeyCaller' });
export type KeyCaller = z.output<typeof keyCallerSchema>;

export const makeApiKeyInputSchema = z
  .object({
    name: lineSchema(API_KEY_NAME_MAX, 1, () => t`Give the key a name`),
    scopes: scopesSchema,
    days: z
      .int({ error: orBeyond(() => t`Choose how long the key works`) })
      .min(1, { error: () => t`Choose how long the key works` })
      .max(API_KEY_DAYS_MAX, { error: () => t`A key works for at most ${API_KEY_DAYS_MAX} days` })
      .describe('How long it works'),
    password: currentPasswordSchema.optional(),
    passkey: passkeyAssertionSchema.optional(),
  })
  .superRefine(checkProof('password', TEXTS.settings.passwordRequired));
export type MakeApiKeyInput = z.output<typeof makeApiKeyInputSchema>;

export const revokeApiKeyInputSchema = idInputSchema.extend({
  removesWebhooks: z
    .boolean()
    .default(false)
    .describe('Whether the webhooks that it has added are removed, too; otherwise they stay as they are'),
});
export type RevokeApiKeyInput = z.output<typeof revokeApiKeyInputSchema>;

/** A key that was just made. */
export const madeApiKeySchema = z.object({
  key: apiKeySchema,
  token: z.string().describe('Shown this once'),
});
madeApiKeySchema.register(z.globalRegistry, { id: 'MadeApiKey' });
export type MadeApiKey = z.output<typeof madeApiKeySchema>;
