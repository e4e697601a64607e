import { z } from 'zod';
import { LANGUAGE_CODES } from '#contract/base/i18n.ts';
import { currencySchema, givenCountrySchema } from '#contract/base/primitives.ts';
import { CATEGORIES } from '#contract/coupons/choices.ts';
import { REPORT_REASONS } from '#contract/oversight/moderation.ts';
import { userRoleSchema } from '#contract/people/accounts.ts';
import { PAYMENT_PROVIDERS } from '#contract/people/sellers.ts';
import bids from './bids.json' with { type: 'json' };
import comments from './comments.json' with { type: 'json' };
import { FACE_DRAWINGS, OFFER_DRAWINGS } from './drawings.ts';
import marketDays from './market-days.json' with { type: 'json' };
import merchants from './merchants.json' with { type: 'json' };
import people from './people.json' with { type: 'json' };
import reports from './reports.json' with { type: 'json' };
import swaps from './swaps.json' with { type: 'json' };
import talks from './talks.json' with { type: 'json' };
import wants from './wants.json' with { type: 'json' };

/**
 * The content of the demo. People are named by their username, coupons by their title. Times are days before the
 * present, with fractions. All people and merchants are invented.
 */

function namesOf<Name extends string>(drawings: Readonly<Record<Name, string>>): Name[] {
  return Object.keys(drawings) as Name[];
}

const personSchema = z.strictObject({
  username: z.string(),
  country: givenCountrySchema(),
  preferredCurrency: currencySchema,
  bio: z.string().nullable(),
  language: z.enum(LANGUAGE_CODES).default('en'),
  joined: z.number(),
  /** How many coupons they list. */
  shelf: z.int(),
  picture: z.enum(namesOf(FACE_DRAWINGS)).optional(),
  role: userRoleSchema.optional(),
  sellsThrough: z.array(z.enum(PAYMENT_PROVIDERS)).default([]),
  /** Whether they left the provider's pages before the end. */
  leftOnboarding: z.literal(true).optional(),
});
export type DemoPerson = z.output<typeof personSchema>;

/** In the currency of the market: see amounts.ts. */
const amountSchema = z.templateLiteral(['$', z.number()]);

const offerSchema = z.strictObject({
  title: z.string(),
  /** '$12.50' off or '20%' off. */
  worth: z.string().regex(/^(\$\d+(\.\d\d)?|\d+%)$/),
  description: z.string(),
  /** Its asking price. */
  asks: amountSchema.optional(),
  /** The lowest price that its owner takes. */
  takes: amountSchema.optional(),
  terms: z.string().optional(),
  /** Days from today to its last day, if the text mentions it; null: it never ends. Drawn if missing. */
  expires: z.int().nullable().optional(),
  /** A voucher without a code. */
  hasNoCode: z.literal(true).optional(),
  picture: z.enum(namesOf(OFFER_DRAWINGS)).optional(),
});
export type DemoOffer = z.output<typeof offerSchema>;

const merchantSchema = z.strictObject({
  name: z.string(),
  category: z.enum(CATEGORIES),
  /** The pattern of its codes: # is a digit, @ a letter, anything else stands for itself. */
  codes: z.string(),
  offers: z.array(offerSchema),
});
export type DemoMerchant = z.output<typeof merchantSchema>;

const swapSchema = z.strictObject({
  ending: z.enum([
    'pending',
    // The owner has answered with another proposal.
    'countered',
    'accepted',
    'completed',
    'rejected',
    'withdrawn',
    // Accepted, then cancelled by one of the two.
    'dropped by requester',
    'dropped by owner',
    // Nobody answered in time; nobody completed in time.
    'unanswered',
    'forgotten',
    // The owner removed the coupon, or corrected its last day; the coupon expired.
    'coupon removed',
    'coupon changed',
    'coupon expired',
  ]),
  proposed: z.number(),
  by: z.string(),
  to: z.string(),
  /** The two coupons, if the message mentions them; else any that fit. */
  wants: z.string().optional(),
  gives: z.string().optional(),
  /** What `by` offers besides. */
  alsoGives: z.array(z.string()).default([]),
  message: z.string().optional(),
  /** What `to` proposes instead, if it was countered. */
  counter: z
    .strictObject({
      wants: z.string(),
      alsoWants: z.array(z.string()).default([]),
      gives: z.string(),
      alsoGives: z.array(z.string()).default([]),
      message: z.string(),
    })
    .optional(),
  /** That the code that `by` got does not work; with an answer and a note it is upheld. */
  claim: z
    .strictObject({
      by: z.string(),
      reason: z.string(),
      answer: z.string().optional(),
      note: z.string().optional(),
    })
    .optional(),
  /** The new text of the message, if it was changed before the answer. */
  revised: z.string().optional(),
  /** Other people who ask for the same coupon before it is decided. */
  rivals: z
    .array(z.strictObject({ by: z.string(), gives: z.string().optional(), message: z.string().optional() }))
    .default([]),
});
export type DemoSwap = z.output<typeof swapSchema>;

const bidSchema = z.strictObject({
  ending: z.enum([
    'pending',
    // The seller has answered with another amount.
    'countered',
    // Accepted, to be paid.
    'accepted',
    'rejected',
    'withdrawn',
    // Nobody answered in time; nobody paid in time.
    'unanswered',
    'unpaid',
    // The owner removed the coupon, corrected its last day, or swapped it; the coupon expired.
    'coupon removed',
    'coupon changed',
    'coupon swapped',
    'coupon expired',
    // Paid: the money is held; the buyer has confirmed the code; the hold has passed.
    'held',
    'confirmed',
    'released',
    // Paid, and the buyer says that the code does not work.
    'claimed',
    'claim withdrawn',
    'claim granted',
    'claim refused',
  ]),
  placed: z.number(),
  by: z.string(),
  to: z.string(),
  on: z.string(),
  amount: amountSchema,
  /** What the seller asks instead, if it was countered. */
  counter: amountSchema.optional(),
  message: z.string().optional(),
  /** Other people who bid on the same coupon before it is decided. */
  rivals: z
    .array(z.strictObject({ by: z.string(), amount: amountSchema, message: z.string().optional() }))
    .default([]),
  /** How the buyer pays if the seller accepts both; by card if missing. */
  through: z.literal('paypal').optional(),
  keepsCard: z.literal(true).optional(),
  /** The buyer's complaint about the code, the seller's answer, and the moderator's. */
  claim: z.string().optional(),
  answer: z.string().optional(),
  note: z.string().optional(),
});
export type DemoBid = z.output<typeof bidSchema>;

const talkSchema = z.strictObject({
  by: z.string(),
  to: z.string(),
  /** The coupon of `to` that `by` wants. */
  about: z.string(),
  lines: z.array(z.tuple([z.enum(['by', 'to']), z.string()])),
  isRead: z.boolean().default(true),
});
export type DemoTalk = z.output<typeof talkSchema>;

const reportSchema = z.strictObject({
  daysAgo: z.number(),
  by: z.string(),
  on: z.string(),
  reason: z.enum(REPORT_REASONS),
  description: z.string(),
  evidence: z.string().optional(),
});

/** The busiest first. The last one is the moderator, who does not trade. */
export const PEOPLE = z.array(personSchema).parse(people);
export const MERCHANTS = z.array(merchantSchema).parse(merchants);

const wantSchema = z.strictObject({ by: z.string(), daysAgo: z.number(), merchant: z.string() });

export const SWAPS = z.array(swapSchema).parse(swaps);
export const BIDS = z.array(bidSchema).parse(bids);
export const TALKS = z.array(talkSchema).parse(talks);
/** What people look for: from it come a match of two and a ring of three for the first person. */
export const WANTS = z.array(wantSchema).parse(wants);
/** Who agrees to give what for a coupon of a merchant on the last market day, or on the next. */
export const CONSENTS = z
  .array(
    z.strictObject({ on: z.enum(['last', 'next']), by: z.string(), looksFor: z.string(), gives: z.string() }),
  )
  .parse(marketDays);
/** Reports that no moderator has reviewed yet. */
export const REPORTS = z.array(reportSchema).parse(reports);
/** Comments after a good deal, and after a poor one. */
export const COMMENTS = z
  .strictObject({ good: z.array(z.string()), mixed: z.array(z.string()) })
  .parse(comments);
