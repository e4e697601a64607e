import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField } from '#contract/base/input-texts.ts';
import { idSchema, instantSchema } from '#contract/base/primitives.ts';
import { bytesSchema } from './images.ts';

/** The wallets of phones that a code can be added to, where the operator has set them up. */
export const WALLETS = ['apple', 'google'] as const;
const walletSchema = z.enum(WALLETS).meta({ id: 'Wallet' });
export type Wallet = z.output<typeof walletSchema>;

export const addPassInputSchema = z.object({
  id: idSchema.describe('Of the coupon'),
  wallet: walletSchema,
});
export type AddPassInput = z.output<typeof addPassInputSchema>;

export const addedPassSchema = z.object({
  url: z.string().describe('Where the browser goes next: the file of the pass, or Google’s page'),
});
addedPassSchema.register(z.globalRegistry, { id: 'AddedPass' });

export const passFileSchema = z.object({ bytes: bytesSchema });

/** Apple's wallet proves that it has a pass by the pass's own token: `Authorization: ApplePass …`. */
const proofSchema = z.object({
  passType: z.string().max(200),
  serial: z.string().regex(/^[\w-]{22}$/, { error: ofField(() => t`Is not the number of a pass`) }),
  authorization: z.string().max(200).default(''),
});

export const DEVICE_ID_MAX = 128;
export const PUSH_TOKEN_MAX = 200;

/** An identifier that Apple's wallet chooses; whoever knows it may ask for the device's changed passes. */
const deviceIdSchema = z
  .string()
  .regex(/^[\w.:-]+$/, { error: ofField(() => t`Is not the number of a device`) })
  .max(DEVICE_ID_MAX);

export const registerDeviceInputSchema = proofSchema.extend({
  deviceId: deviceIdSchema,
  pushToken: z
    .string()
    .regex(/^[\w.:=+/-]+$/, { error: ofField(() => t`Is not a push token`) })
    .max(PUSH_TOKEN_MAX),
});
export type RegisterDeviceInput = z.output<typeof registerDeviceInputSchema>;

export const registeredDeviceSchema = z.object({ isNew: z.boolean() });

export const unregisterDeviceInputSchema = proofSchema.extend({ deviceId: deviceIdSchema });
export type UnregisterDeviceInput = z.output<typeof unregisterDeviceInputSchema>;

export const changedPassesInputSchema = z.object({
  passType: z.string().max(200),
  deviceId: deviceIdSchema,
  since: z
    .string()
    .regex(/^\d{1,12}$/, { error: ofField(() => t`Is not a tag of ours`) })
    .optional()
    .describe('The tag of the last answer'),
});
export type ChangedPassesInput = z.output<typeof changedPassesInputSchema>;

export const changedPassesSchema = z.object({
  serialNumbers: z.array(z.string()),
  lastUpdated: z.string().describe('A tag to ask with next time'),
});
export type ChangedPasses = z.output<typeof changedPassesSchema>;

export const latestPassInputSchema = proofSchema.extend({
  since: instantSchema.optional().describe('Of the version that the device has'),
});
export type LatestPassInput = z.output<typeof latestPassInputSchema>;

export const latestPassSchema = z.object({
  changedAt: instantSchema,
  bytes: bytesSchema.nullable().describe('Null: the device has this version'),
});
export type LatestPass = z.output<typeof latestPassSchema>;

export const walletLogInputSchema = z.object({ logs: z.array(z.string()).max(100) });
export type WalletLogInput = z.output<typeof walletLogInputSchema>;
