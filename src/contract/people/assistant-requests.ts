import { z } from 'zod';
import {
  amountSchema,
  idInputSchema,
  idSchema,
  instantSchema,
  textSchema,
} from '#contract/base/primitives.ts';
import { setExchangeStatusInputSchema } from '#contract/deals/exchanges.ts';
import { MESSAGE_MAX } from '#contract/deals/messages.ts';

/** What an assistant asks its person to do. Nothing of it happens before the person confirms it in their browser. */

/** How long a request waits. */
export const REQUEST_MINUTES = 10;
/** The most requests of one person that wait at a time. */
export const REQUESTS_AT_MOST = 10;

/** Acts that the server does once the person has confirmed them. */
const DONE_ACTS = [
  'accept_swap',
  'decline_swap',
  'complete_swap',
  'cancel_swap',
  'accept_bid',
  'decline_bid',
  'cancel_bid',
  'confirm_receipt',
  'write_in_swap',
  'write_in_bid',
] as const;

/** Acts that the person goes on with in their browser, where more is asked of them or something is shown to them alone. */
const CONTINUED_ACTS = ['buy_coupon', 'pay_bid', 'show_code'] as const;

export const askedActSchema = z
  .enum([...DONE_ACTS, ...CONTINUED_ACTS])
  .describe(
    'complete_swap: coupons and codes change hands; confirm_receipt: the code works, and the seller is paid; show_code: the person sees their code, and you do not',
  )
  .meta({ id: 'AskedAct' });
export type AskedAct = z.output<typeof askedActSchema>;

/** Whether an act is to send a message. */
export const isMessage = (act: AskedAct): act is 'write_in_swap' | 'write_in_bid' =>
  act === 'write_in_swap' || act === 'write_in_bid';

export const askInputSchema = z.object({
  act: askedActSchema,
  subjectId: idSchema.describe(
    'The id of the swap, of the bid, or of the coupon for buy_coupon and show_code',
  ),
  message: textSchema(MESSAGE_MAX, 1)
    .optional()
    .describe('What is to be sent, for write_in_swap and write_in_bid alone'),
});
export type AskInput = z.output<typeof askInputSchema>;

/** What the person sees of the deal when they confirm: the act is refused if it is another one by then. */
const seenSchema = setExchangeStatusInputSchema
  .pick({ couponIds: true, prices: true, deposit: true, acknowledgeUnchecked: true })
  .extend({ expectedAmount: amountSchema.optional() });
export type Seen = z.output<typeof seenSchema>;

export const confirmRequestInputSchema = idInputSchema.extend({ seen: seenSchema.default({}) });
export type ConfirmRequestInput = z.output<typeof confirmRequestInputSchema>;

/** How a request stands. */
const REQUEST_STATES = ['waiting', 'confirmed', 'declined', 'expired'] as const;
export const assistantRequestSchema = z.object({
  id: idSchema,
  program: z.string().describe('The name of the key that asks'),
  act: askedActSchema,
  subjectId: idSchema,
  message: z.string().nullable(),
  state: z.enum(REQUEST_STATES),
  createdAt: instantSchema,
  expiresAt: instantSchema,
});
export type AssistantRequest = z.output<typeof assistantRequestSchema>;
export type RequestState = AssistantRequest['state'];
