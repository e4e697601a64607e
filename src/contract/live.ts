import { z } from 'zod';
import { dealTypeSchema } from './deals.ts';
import { idSchema } from './primitives.ts';

/**
 * What a signed-in browser is told the moment it happens. An event only says what to refetch, with the usual permission
 * checks, so that events that are lost or repeated do no harm.
 */
export const liveEventSchema = z.discriminatedUnion('kind', [
  /** The connection is open (again): earlier events may have been missed. */
  z.object({ kind: z.literal('resync') }),
  /** There is a new message in a thread. */
  z.object({ kind: z.literal('message'), dealType: dealTypeSchema, dealId: idSchema }),
  /** Messages of a thread were read, by either side. */
  z.object({ kind: z.literal('read'), dealType: dealTypeSchema, dealId: idSchema }),
  /** The notifications have changed: there is a new one, or some were read in another window. */
  z.object({ kind: z.literal('notification') }),
  /** The account has changed: status, role, or its sessions were ended. */
  z.object({ kind: z.literal('account') }),
]);

export type LiveEvent = z.output<typeof liveEventSchema>;
