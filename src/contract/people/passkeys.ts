import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField } from '#contract/base/input-texts.ts';
import { idSchema, instantSchema, lineSchema } from '#contract/base/primitives.ts';

/** Passkeys (WebAuthn): the JSON forms of the standard, as far as they are used. What browsers send more of it is ignored. */

export const PASSKEY_NAME_MAX = 60;
/** The most passkeys that a person may have. */
export const PASSKEYS_AT_MOST = 10;

const passkeyNameSchema = lineSchema(PASSKEY_NAME_MAX, 1, () => t`Give the passkey a name`);

const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, { error: ofField(() => t`Is not base64url`) });
/** At most 1023 bytes (WebAuthn). */
const credentialIdSchema = base64url(1_364);
const transportsSchema = z.array(z.string().max(20)).max(10);
const isPublicKey = z.literal('public-key');
const descriptorSchema = z.object({
  id: z.string(),
  type: z.string(),
  transports: z.array(z.string()).optional(),
});

/** What a browser signs a challenge with. */
export const passkeyAssertionSchema = z.looseObject({
  id: credentialIdSchema,
  rawId: credentialIdSchema,
  type: isPublicKey,
  response: z.looseObject({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
    userHandle: base64url(100).optional(),
  }),
});
passkeyAssertionSchema.register(z.globalRegistry, { id: 'PasskeyAssertion' });
export type PasskeyAssertion = z.output<typeof passkeyAssertionSchema>;

/** A new passkey, as the browser made it. */
export const newPasskeySchema = z.looseObject({
  id: credentialIdSchema,
  rawId: credentialIdSchema,
  type: isPublicKey,
  response: z.looseObject({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(20_000),
    transports: transportsSchema.default([]),
  }),
});

export const addPasskeyInputSchema = z.object({ name: passkeyNameSchema, passkey: newPasskeySchema });
export type AddPasskeyInput = z.output<typeof addPasskeyInputSchema>;
export const renamePasskeyInputSchema = z.object({ id: idSchema, name: passkeyNameSchema });
export type RenamePasskeyInput = z.output<typeof renamePasskeyInputSchema>;
export const passkeySignInInputSchema = z.object({ passkey: passkeyAssertionSchema });
export type PasskeySignInInput = z.output<typeof passkeySignInInputSchema>;

/** For `navigator.credentials.get`. */
export const passkeyRequestSchema = z.object({
  challenge: z.string(),
  rpId: z.string().optional(),
  timeout: z.number().optional(),
  userVerification: z.enum(['required', 'preferred', 'discouraged']).optional(),
  /** None: the browser lets the person choose among all that it has for this site. */
  allowCredentials: z.array(descriptorSchema).optional(),
});
export type PasskeyRequest = z.output<typeof passkeyRequestSchema>;

/** For `navigator.credentials.create`. */
export const passkeyCreationSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string().optional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: isPublicKey, alg: z.number() })),
  timeout: z.number().optional(),
  excludeCredentials: z.array(descriptorSchema).optional(),
  authenticatorSelection: z
    .object({
      residentKey: z.enum(['required', 'preferred', 'discouraged']).optional(),
      requireResidentKey: z.boolean().optional(),
      userVerification: z.enum(['required', 'preferred', 'discouraged']).optional(),
    })
    .optional(),
});
export type PasskeyCreation = z.output<typeof passkeyCreationSchema>;

/** A passkey, as its owner sees it. */
export const passkeySchema = z.object({
  id: idSchema,
  name: z.string(),
  createdAt: instantSchema,
  lastUsedAt: instantSchema.nullable(),
});
passkeySchema.register(z.globalRegistry, { id: 'Passkey' });
export type Passkey = z.output<typeof passkeySchema>;
