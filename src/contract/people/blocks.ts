import { z } from 'zod';
import { idSchema, instantSchema } from '#contract/base/primitives.ts';

/** How many people one person can block. */
export const BLOCKS_MAX = 200;

export const blockInputSchema = z.object({ userId: idSchema });
export type BlockInput = z.output<typeof blockInputSchema>;

/** Somebody whom the caller has blocked. */
export const blockedPersonSchema = z.object({
  id: idSchema,
  username: z.string(),
  profileImageUrl: z.string().nullable(),
  blockedAt: instantSchema,
});
blockedPersonSchema.register(z.globalRegistry, { id: 'BlockedPerson' });
export type BlockedPerson = z.output<typeof blockedPersonSchema>;
