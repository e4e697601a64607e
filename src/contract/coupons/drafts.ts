import { z } from 'zod';
import { bodySchema, idSchema, instantSchema, textSchema } from '#contract/base/primitives.ts';
import { doubtsSchema, tableCouponSchema } from './coupon-tables.ts';
import { imageKindSchema } from './images.ts';
import { leftOutSchema } from './left-out.ts';

/** How many drafts a person can have at a time. */
export const DRAFTS_MAX = 100;
/** How long a draft waits to be looked over. */
export const DRAFT_DAYS = 30;

/** The private address to which the caller forwards vouchers. */
export const mailAddressSchema = z.object({
  address: z.string().nullable().describe('Whoever has it can send drafts; null: there is none'),
});
mailAddressSchema.register(z.globalRegistry, { id: 'MailAddress' });
export type MailAddress = z.output<typeof mailAddressSchema>;

/** A coupon that was read in a mail. Nobody but its owner sees it, and it is not listed. */
export const draftSchema = z.object({
  id: idSchema,
  coupon: tableCouponSchema.describe('With its code, for its owner'),
  doubts: doubtsSchema,
  picture: z
    .object({ url: z.string(), kind: imageKindSchema, hasCode: z.boolean() })
    .nullable()
    .describe('The uploaded picture of its code'),
  from: z.string().describe('Who sent the mail, as the mail says'),
  subject: z.string(),
  leftOut: z.array(leftOutSchema).describe('What of its mail was not read'),
  createdAt: instantSchema,
});
draftSchema.register(z.globalRegistry, { id: 'Draft' });
export type Draft = z.output<typeof draftSchema>;

export const draftCountSchema = z.object({ waiting: z.int() }).meta({ id: 'DraftCount' });

/** The most that is read of a text at a time, in characters. */
const DRAFT_TEXT_MAX = 20_000;

/** A text that describes coupons: a mail, a receipt, a list. */
export const addDraftsInputSchema = z.object({ text: textSchema(DRAFT_TEXT_MAX, 1) });
export type AddDraftsInput = z.output<typeof addDraftsInputSchema>;

export const addedDraftsSchema = z.object({
  added: z.int().describe('How many drafts were added; none if the text has been read before'),
});
export type AddedDrafts = z.output<typeof addedDraftsSchema>;

/** How to read the body of a delivery. */
interface MailReading {
  readonly body: 'json' | 'form';
  /** The field of a form that is bytes. */
  readonly mailField: string | null;
  /** What `prove` is told as soon as all of it is there: until then no more is read than that needs. */
  readonly proofFields: readonly string[];
  /** @throws AppError unauthorized */
  readonly prove: (fields: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** A mail as its provider's webhook delivers it. Its body is read where it is known whose it is. */
export const receiveMailInputSchema = z.object({
  provider: textSchema(20),
  authorization: textSchema(2_000).optional(),
  read: bodySchema<(reading: MailReading) => Promise<Record<string, unknown>>>(),
});
export type ReceiveMailInput = z.output<typeof receiveMailInputSchema>;
