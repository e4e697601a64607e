import { z } from 'zod';
import {
  amountSchema,
  clientKeySchema,
  idSchema,
  instantSchema,
  pagingSchema,
  searchSchema,
  textSchema,
} from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { couponSummarySchema } from '#contract/coupons/coupons.ts';
import { dealRefSchema, dealStatusSchema } from './deals.ts';

export const MESSAGE_MAX = 2_000;

const contentSchema = textSchema(MESSAGE_MAX, 1, TEXTS.messages.empty);

/** A message to the other parties of a deal. */
export const sendMessageInputSchema = dealRefSchema.extend({
  content: contentSchema,
  clientKey: clientKeySchema,
});

export type SendMessageInput = z.output<typeof sendMessageInputSchema>;

/** A page of a conversation: the newest `limit` messages; `nextCursor` leads to older ones. */
export const listMessagesInputSchema = dealRefSchema.extend(pagingSchema.shape);

export type ListMessagesInput = z.output<typeof listMessagesInputSchema>;

export const messageSchema = z.object({
  id: idSchema,
  /** The deal of the conversation, in a negotiation its first round: one of the two is null. */
  exchangeId: idSchema.nullable(),
  bidId: idSchema.nullable(),
  senderId: idSchema,
  senderUsername: z.string(),
  /** Null in a ring: it goes to everybody else in it. */
  receiverId: idSchema.nullable(),
  content: z.string(),
  /** Whether the viewer has read it or, of the viewer's own, everybody. */
  isRead: z.boolean(),
  /** The sender's key, for the sender only; null for the receiver. */
  clientKey: z.string().nullable(),
  createdAt: instantSchema,
});
messageSchema.register(z.globalRegistry, { id: 'Message' });
export type Message = z.infer<typeof messageSchema>;

/** The conversation of a deal, as one of its parties sees it in the list. */
export const conversationSchema = dealRefSchema.extend({
  status: dealStatusSchema,
  otherId: idSchema,
  otherUsername: z.string(),
  /** Everybody but the viewer; several people in a ring. `otherId` is the person who gives to the viewer. */
  others: z.array(z.object({ id: idSchema, username: z.string() })),
  /** Whether the viewer has blocked the other one. */
  isBlocked: z.boolean(),
  /** Whether a claim about the deal is open: then suspended people may write, too. */
  hasOpenClaim: z.boolean(),
  otherProfileImageUrl: z.string().nullable(),
  requestedCoupon: couponSummarySchema,
  /** Null for a bid. */
  offeredCoupon: couponSummarySchema.nullable(),
  /** The amount of the bid; null for an exchange. */
  amount: amountSchema.nullable(),
  /** The message of the proposal or bid, and its author. */
  initialMessage: z.string().nullable(),
  initiatorId: idSchema,
  lastMessage: z.object({ content: z.string(), senderId: idSchema, createdAt: instantSchema }).nullable(),
  /** How many messages of the other side are unread. */
  unread: z.int(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
conversationSchema.register(z.globalRegistry, { id: 'Conversation' });
export type Conversation = z.infer<typeof conversationSchema>;

export const listConversationsInputSchema = pagingSchema.extend({ search: searchSchema });
export type ListConversationsInput = z.output<typeof listConversationsInputSchema>;

/** Whether people can write messages about a deal in this state (decisions 3.10). */
export function takesMessages(status: Conversation['status']): boolean {
  return status !== 'rejected' && status !== 'cancelled';
}
