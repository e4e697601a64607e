import { z } from 'zod';
import { type Draft, draftSchema } from '#contract/coupons/drafts.ts';
import { leftOutSchema } from '#contract/coupons/left-out.ts';
import type { ReadCoupon } from '#contract/coupons/read-coupons.ts';
import type { Vault } from '#server/core/crypto.ts';
import { imageUrl } from '#server/coupons/images/service.ts';
import { type MailPart, mailPartSchema } from '#server/readers/mails/parts.ts';
import type { DraftRow } from './store.ts';

/** What the sealed part of a draft holds. */
const sealedSchema = draftSchema.pick({ coupon: true, doubts: true, from: true, subject: true }).extend({
  picture: draftSchema.shape.picture.unwrap().omit({ url: true }).nullable(),
});

/** What sealed rows are bound to. */
export const draftContext = (mailId: number) => `coupon-draft:${mailId}`;
export const mailPartContext = (mailId: number) => `inbound-mail:${mailId}`;
export const mailReportContext = (mailId: number) => `inbound-mail-report:${mailId}`;

const reportSchema = z.object({
  leftOut: z.array(leftOutSchema),
  /** The paths of the mails whose files had coupons, so that their texts are not read. */
  found: z.array(z.string()),
});
/** What is noted of a mail while it is read. */
export type MailReport = z.output<typeof reportSchema>;

/** Encrypts what is noted of a mail: names of files may say a code. */
export function sealReport(vault: Vault, mailId: number, report: MailReport): Buffer {
  return vault.seal(JSON.stringify(report), mailReportContext(mailId));
}

export function openReport(vault: Vault, mailId: number, sealed: Buffer | null): MailReport {
  if (sealed === null) return { leftOut: [], found: [] };
  return reportSchema.parse(JSON.parse(vault.open(sealed, mailReportContext(mailId))));
}

/** Encrypts a part of a mail: it holds codes. */
export function sealPart(vault: Vault, mailId: number, part: MailPart): Buffer {
  return vault.seal(JSON.stringify(part), mailPartContext(mailId));
}

export function openPart(vault: Vault, mailId: number, sealed: Buffer): MailPart {
  return mailPartSchema.parse(JSON.parse(vault.open(sealed, mailPartContext(mailId))));
}

/** Encrypts a draft: it holds a code. */
export function sealDraft(
  vault: Vault,
  mailId: number,
  { coupon, doubts, picture }: ReadCoupon,
  { from, subject }: Pick<MailPart, 'from' | 'subject'>,
): Buffer {
  const draft: z.output<typeof sealedSchema> = {
    ...{ coupon, doubts, from, subject },
    picture: picture && { kind: picture.kind, hasCode: picture.hasCode },
  };
  return vault.seal(JSON.stringify(draft), draftContext(mailId));
}

/** A draft for its owner. */
export function toDraft(vault: Vault, { id, mailId, imageId, sealed, createdAt, report }: DraftRow): Draft {
  const { picture, ...draft } = sealedSchema.parse(JSON.parse(vault.open(sealed, draftContext(mailId))));
  return {
    id,
    ...draft,
    picture: picture && imageId !== null ? { ...picture, url: imageUrl(imageId) } : null,
    leftOut: openReport(vault, mailId, report).leftOut,
    createdAt: createdAt.toISOString(),
  };
}
