import type { CallContext } from './context.ts';

type Kept = Parameters<CallContext['sessionCookie']['set']>[0];

/** Gives the browser what it is to keep of a sign-in. */
export function keep(ctx: CallContext, { session, device }: { session: Kept; device: Kept }): void {
  ctx.sessionCookie.set(session);
  ctx.deviceCookie.set(device);
}

/** Signs the browser in, and answers with the person. */
export async function enter<User>(
  ctx: CallContext,
  signingIn: Promise<Parameters<typeof keep>[1] & { user: User }>,
): Promise<User> {
  const signedIn = await signingIn;
  keep(ctx, signedIn);
  return signedIn.user;
}
