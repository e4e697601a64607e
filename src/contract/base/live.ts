import { z } from 'zod';
import { dealTypeSchema } from '#contract/deals/deals.ts';
import { idSchema } from './primitives.ts';

/**
 * An event that signed-in browsers receive at once. It only says what to refetch, with the usual permission checks,
 * so that lost or repeated events do no harm.
 */
export const liveEventSchema = z.discriminatedUnion('kind', [
  /** The connection is open, or open again: earlier events may be lost. */
  z.object({ kind: z.literal('resync') }),
  /** The server cannot hear of events: refetch from time to time, until the next `resync`. */
  z.object({ kind: z.literal('polling') }),
  /** There is a new message in a conversation. */
  z.object({ kind: z.literal('message'), dealType: dealTypeSchema, dealId: idSchema }),
  /** Either side has read messages of a conversation. */
  z.object({ kind: z.literal('read'), dealType: dealTypeSchema, dealId: idSchema }),
  /** The notifications have changed: there is a new one, or some were read in another window. */
  z.object({ kind: z.literal('notification') }),
  /** The matches have changed: there is a new one, or one has gone. */
  z.object({ kind: z.literal('match') }),
  /** The account has changed: its status or role, or its sessions were ended. */
  z.object({ kind: z.literal('account') }),
]);

export type LiveEvent = z.output<typeof liveEventSchema>;
