import { t } from '@lingui/core/macro';
import type { AddDraftsInput, AddedDrafts } from '#contract/coupons/drafts.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction } from '#server/database/client.ts';
import type { MailPart } from '#server/readers/mails/parts.ts';
import { PictureRefusal } from '#server/readers/pictures/pictures.ts';
import { couponsOfText } from './reading.ts';
import * as store from './store.ts';
import { sealDraft, sealReport } from './view.ts';

/** Texts of one person, as many as mails to their address. */
const TEXTS_READ: RateLimit = { name: 'draft-texts', points: 30, seconds: 3_600 };

/**
 * Reads the coupons that a text describes, and stores them as drafts of the caller. A text that comes again changes nothing.
 * @throws AppError rate_limited, bad_input (nobody can read it), unavailable (while many texts are read)
 */
export async function addDrafts(ctx: MemberContext, { text }: AddDraftsInput): Promise<AddedDrafts> {
  await enforceLimit(ctx.limiter, TEXTS_READ, String(ctx.actor.id));
  const userId = ctx.actor.id;
  const part: MailPart = {
    kind: 'text',
    content: text,
    html: '',
    isInline: false,
    path: '/',
    name: '',
    from: ctx.apiKey?.name ?? ctx.actor.username,
    subject: '',
  };
  const { coupons, leftOut } = await readText(ctx, part);
  const at = ctx.clock();
  const messageKey = ctx.vault.fingerprint(`draft-text:${text}`);
  return inTransaction(ctx.db, async (trx) => {
    const mailId = await store.insertMail(trx, { userId, messageKey, at });
    if (mailId === undefined) return { added: 0 };
    // It is read already.
    await store.lockMail(trx, mailId, null);
    await store.setReport(trx, mailId, sealReport(ctx.vault, mailId, { leftOut: [...leftOut], found: [] }));
    const drafts = coupons.map((coupon) => ({
      imageId: null,
      sealed: sealDraft(ctx.vault, mailId, coupon, part),
    }));
    return { added: await store.insertDrafts(trx, { userId, mailId, drafts, at }) };
  });
}

async function readText(ctx: MemberContext, part: MailPart) {
  try {
    return await couponsOfText(ctx, part, t`Please compare it with the text.`);
  } catch (error) {
    if (!(error instanceof PictureRefusal)) throw error;
    if (error.problem === 'busy')
      throw new AppError('unavailable', t`Many texts are being read right now`, { cause: error });
    throw fieldError('bad_input', 'text', t`This text could not be read`);
  }
}
