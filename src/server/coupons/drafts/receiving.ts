import { t } from '@lingui/core/macro';
import type { ReceiveMailInput } from '#contract/coupons/drafts.ts';
import type { Context } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { addressKey, enforceWait, type RateLimit, refuseWhile } from '#server/core/rate-limit.ts';
import { inTransaction } from '#server/database/client.ts';
import { ownerOfToken } from '#server/people/private-addresses/service.ts';
import {
  type DeliveredMail,
  type DeliveryFields,
  DeliveryRefusal,
  type InboundMail,
} from '#server/providers/inbound-mail/inbound-mail.ts';
import type { OpenedMail } from '#server/readers/mails/opening.ts';
import { PictureRefusal } from '#server/readers/pictures/pictures.ts';
import * as store from './store.ts';
import { sealPart, sealReport } from './view.ts';

/** Deliveries of one address without a proof. */
const FORGERIES: RateLimit = { name: 'forged-mails', points: 30, seconds: 600 };
/** A signature serves once; it is refused anyway when it is older than half of this. */
const SIGNATURES: RateLimit = { name: 'mail-signatures', points: 1, seconds: 2 * 600 };
/** Mails to one person's address. Its provider delivers the others later. */
const MAILS: RateLimit = { name: 'inbound-mails', points: 30, seconds: 3_600 };

/** A mail is put aside for so many of its recipients. */
const RECIPIENTS_MAX = 5;

/**
 * Takes a mail from its provider and puts aside what counts of it, encrypted, to be read by a job. A mail that comes again
 * changes nothing. A wrong address is answered like a right one, and nothing of its mail is stored. No more is read of a
 * body than its proof needs, before the provider has proved itself.
 * @throws AppError not_found (another provider than the operator's), unauthorized (no proof, or one that was used),
 *   rate_limited, bad_input, unavailable (while many mails are read)
 */
export async function receiveMail(ctx: Context, delivery: ReceiveMailInput): Promise<void> {
  const { provider, authorization, read } = delivery;
  const inbound = ctx.providers.inboundMail;
  if (inbound?.provider !== provider) throw notFound(t`Mail provider not found`);
  await enforceWait(ctx.limiter, FORGERIES, addressKey(ctx.ip));
  const prove = (fields: DeliveryFields) =>
    checkProof(ctx, () => inbound.prove({ authorization, fields }, ctx.clock()));
  const { body, mailField, proofFields } = inbound;
  if (proofFields.length === 0) await prove({});
  const mail = deliveredMail(inbound, await read({ body, mailField, proofFields, prove }));
  const owners = new Set<number>();
  for (const recipient of mail.recipients.slice(0, RECIPIENTS_MAX)) {
    const [token = '', domain] = recipient.trim().toLowerCase().split('@');
    const owner = domain === inbound.domain ? await ownerOfToken(ctx.db, 'mail', token) : undefined;
    if (owner) owners.add(owner.userId);
  }
  const waits = new Map<number, number>();
  for (const owner of owners) waits.set(owner, await ctx.limiter.consume(MAILS, String(owner)));
  const takers = [...owners].filter((owner) => waits.get(owner) === 0);
  if (takers.length > 0) {
    const opened = await openMail(ctx, mail.raw);
    for (const taker of takers) await putAside(ctx, taker, opened, mail.raw);
  }
  refuseWhile(MAILS, Math.max(0, ...waits.values()));
}

/** Without parts where it cannot be read: its owner is told so. @throws AppError unavailable */
async function openMail({ log, providers }: Context, raw: Uint8Array): Promise<OpenedMail> {
  const unread: OpenedMail = { messageId: undefined, parts: [], leftOut: [{ what: 'mail' }] };
  try {
    return (await providers.pictures.openMail(raw)) ?? unread;
  } catch (error) {
    if (!(error instanceof PictureRefusal)) throw error;
    if (error.problem === 'busy')
      throw new AppError('unavailable', t`Many mails are being read right now`, { cause: error });
    log.warn({ err: error }, 'a mail could not be read');
    return unread;
  }
}

/** @throws AppError unauthorized */
async function checkProof(ctx: Context, prove: () => string | null): Promise<void> {
  try {
    const token = prove();
    if (token !== null && (await ctx.limiter.consume(SIGNATURES, token)) > 0)
      throw new DeliveryRefusal('The signature was used before');
  } catch (error) {
    if (!(error instanceof DeliveryRefusal)) throw error;
    await ctx.limiter.consume(FORGERIES, addressKey(ctx.ip));
    ctx.log.warn({ reason: error.message }, 'refused a mail that its provider has not signed');
    throw new AppError('unauthorized', t`The provider’s proof is missing or wrong`, { cause: error });
  }
}

/** @throws AppError bad_input */
function deliveredMail(inbound: InboundMail, fields: DeliveryFields): DeliveredMail {
  try {
    return inbound.read(fields);
  } catch (error) {
    if (!(error instanceof DeliveryRefusal)) throw error;
    throw new AppError('bad_input', t`The mail could not be read to its end`, { cause: error });
  }
}

async function putAside(
  ctx: Context,
  userId: number,
  { messageId, parts, leftOut }: OpenedMail,
  raw: Uint8Array,
): Promise<void> {
  const messageKey = ctx.vault.fingerprint(`mail:${messageId ?? Buffer.from(raw).toString('latin1')}`);
  await inTransaction(ctx.db, async (trx) => {
    const id = await store.insertMail(trx, { userId, messageKey, at: ctx.clock() });
    if (id === undefined) return;
    await store.setReport(trx, id, sealReport(ctx.vault, id, { leftOut: [...leftOut], found: [] }));
    await store.insertParts(
      trx,
      id,
      parts.map((part) => sealPart(ctx.vault, id, part)),
    );
  });
}
