import { z } from 'zod';
import { okSchema } from '#contract/base/primitives.ts';
import {
  apiKeySchema,
  keyCallerSchema,
  madeApiKeySchema,
  makeApiKeyInputSchema,
  revokeApiKeyInputSchema,
} from '#contract/people/api-keys.ts';
import { memberProcedure, ok, router } from '#server/trpc/procedures.ts';
import { keyCaller, listKeys, makeKey, revokeKey } from './service.ts';

/** The keys with which programs act for the caller. No key may make one. */
export const apiKeysRouter = router({
  list: memberProcedure
    .meta({ summary: 'The caller’s keys for programs' })
    .output(z.array(apiKeySchema))
    .query(({ ctx }) => listKeys(ctx)),

  whose: memberProcedure
    .meta({ summary: 'Whose key makes this call, and what it may do; any key may ask' })
    .output(keyCallerSchema)
    .query(({ ctx }) => keyCaller(ctx)),

  make: memberProcedure
    .meta({ summary: 'Makes a key for a program; the answer is the only one that shows it' })
    .input(makeApiKeyInputSchema)
    .output(madeApiKeySchema)
    .mutation(({ ctx, input }) => makeKey(ctx, input, ctx.challengeCookie.token)),

  revoke: memberProcedure
    .meta({ summary: 'Ends one of the caller’s keys' })
    .input(revokeApiKeyInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(revokeKey(ctx, input))),
});
