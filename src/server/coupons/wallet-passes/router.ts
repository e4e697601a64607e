import { idInputSchema, okSchema } from '#contract/base/primitives.ts';
import {
  addedPassSchema,
  addPassInputSchema,
  changedPassesInputSchema,
  changedPassesSchema,
  latestPassInputSchema,
  latestPassSchema,
  passFileSchema,
  registerDeviceInputSchema,
  registeredDeviceSchema,
  unregisterDeviceInputSchema,
  walletLogInputSchema,
} from '#contract/coupons/wallet-passes.ts';
import { memberProcedure, ok, publicProcedure, router } from '#server/trpc/procedures.ts';
import { latestPass, listChangedPasses, logReports, registerDevice, unregisterDevice } from './devices.ts';
import { addPass, readPassFile } from './service.ts';

/** Adding is for the coupon's owner. The other calls are those of Apple's wallet, which has no session: the pass has a token. */
export const walletPassesRouter = router({
  add: memberProcedure
    .meta({ summary: 'Adds the code of the caller’s own coupon to the wallet of a phone; records the view' })
    .input(addPassInputSchema)
    .output(addedPassSchema)
    .mutation(({ ctx, input }) => addPass(ctx, input)),

  /** The pass itself; recorded like `coupons.reveal`. */
  file: memberProcedure
    .meta({ recordsView: true })
    .input(idInputSchema)
    .output(passFileSchema)
    .query(({ ctx, input }) => readPassFile(ctx, input.id)),

  register: publicProcedure
    .input(registerDeviceInputSchema)
    .output(registeredDeviceSchema)
    .mutation(({ ctx, input }) => registerDevice(ctx, input)),

  unregister: publicProcedure
    .input(unregisterDeviceInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(unregisterDevice(ctx, input))),

  changed: publicProcedure
    .input(changedPassesInputSchema)
    .output(changedPassesSchema)
    .query(({ ctx, input }) => listChangedPasses(ctx, input)),

  latest: publicProcedure
    .input(latestPassInputSchema)
    .output(latestPassSchema)
    .query(({ ctx, input }) => latestPass(ctx, input)),

  log: publicProcedure
    .input(walletLogInputSchema)
    .output(okSchema)
    .mutation(({ ctx, input }) => ok(logReports(ctx, input))),
});
