import { z } from 'zod';
import { baseCurrency } from '#contract/base/money.ts';
import { currencySchema } from '#contract/base/primitives.ts';
import { discountTypeSchema } from '#contract/coupons/choice-schemas.ts';
import { MERCHANT_MAX } from '#contract/coupons/limits.ts';
import { type Environment, readSettingsFile } from '#server/core/settings-file.ts';
import { CONDITIONS, REFUSALS } from './adapter.ts';
import { isPointer } from './templates.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Codes must be sent encrypted, except to this machine. */
function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname));
}

const baseUrlSchema = z
  .string()
  .refine(isSafeAddress, 'must begin with https:// and have neither user, query nor fragment');
const pointerSchema = z.string().refine(isPointer, 'is not a JSON pointer like /data/valid');
const headerValueSchema = z
  .string()
  .min(1)
  .regex(/^[\x20-\x7e]*$/, 'has characters that no header can have');
const OUTCOMES = ['valid', 'unknown', ...REFUSALS, ...CONDITIONS] as const;

const commonShape = {
  /**
   * The merchants whose codes this account has. None: it is asked about every merchant, and a code that it does not
   * know may belong to another one.
   */
  merchants: z.array(z.string().trim().min(1).max(MERCHANT_MAX)).default([]),
  /** For an answer, including the retry. */
  timeoutMs: z.int().min(50).max(15_000).default(4_000),
  concurrency: z.int().min(1).max(200).default(20),
  failuresToOpen: z.int().min(1).max(100).default(5),
  openMs: z.int().min(50).max(600_000).default(30_000),
  /** How many codes on offer a job asks about again on a day, in UTC; 0: none. Only for an account with merchants. */
  checksPerDay: z.int().min(0).max(1_000_000).default(100),
};

const voucherifySchema = z.strictObject({
  ...commonShape,
  source: z.literal('voucherify'),
  baseUrl: baseUrlSchema.default('https://api.voucherify.io'),
  appId: headerValueSchema,
  appToken: headerValueSchema,
  /** The currency of the account's amounts. */
  currency: currencySchema.default(baseCurrency),
  /** Whether codes are replaced when coupons change hands; the keys need a role that may create and disable vouchers. */
  reissue: z.boolean().default(false),
});

const callShape = {
  method: z.enum(['POST', 'PUT']).default('POST'),
  /** {code}, {merchant}, {newCode} and {key} are replaced by their encoded values. */
  path: z.string().startsWith('/', 'must begin with /'),
  /** Its texts are templates, too. */
  body: z.record(z.string(), z.json()).optional(),
};

/** A call that may be repeated names the replacement by its key. */
const namesKey = ({ path, body }: { path: string; body?: unknown }) => {
  const words = `${path}${JSON.stringify(body ?? '')}`;
  return words.includes('{code}') && words.includes('{key}');
};
const KEY_NEEDED = { path: ['body'], message: 'needs {code} and {key}, here or in the path' };

const reissueSchema = z
  .strictObject({
    ...callShape,
    /** Where the answer has the new code; without it, the programme takes {newCode}. */
    code: pointerSchema.optional(),
  })
  .refine(namesKey, KEY_NEEDED)
  .refine(
    ({ path, body, code }) =>
      code !== undefined || `${path}${JSON.stringify(body ?? '')}`.includes('{newCode}'),
    { path: ['code'], message: 'is needed where the call has no {newCode}' },
  );

const redemptionsSchema = z
  .strictObject({
    ...callShape,
    method: z.enum(['GET', 'POST', 'PUT']).default('GET'),
    /** Where the answer has the list of uses. */
    list: pointerSchema.optional(),
    /** Where each of them has its time, with its zone, and perhaps its place. */
    at: pointerSchema.optional(),
    place: pointerSchema.optional(),
    /** Where the answer says how often the code was used. */
    count: pointerSchema.optional(),
  })
  .refine(({ path, body }) => `${path}${JSON.stringify(body ?? '')}`.includes('{code}'), {
    path: ['path'],
    message: 'needs {code}, here or in the body',
  })
  .refine(({ method, body }) => method !== 'GET' || body === undefined, {
    path: ['body'],
    message: 'needs "method": "POST" or "PUT"',
  })
  .refine(
    ({ list, at, count }) =>
      list === undefined ? count !== undefined && at === undefined : at !== undefined,
    {
      path: ['list'],
      message: 'goes with "at"; without both, "count" is needed',
    },
  );

const httpSchema = z
  .strictObject({
    ...commonShape,
    source: z.enum(['coupontools', 'aklamio']),
    baseUrl: baseUrlSchema,
    method: z.enum(['GET', 'POST', 'PUT']).default('GET'),
    /** With the query; {code} and {merchant} are replaced by their encoded values. */
    path: z.string().startsWith('/', 'must begin with /'),
    headers: z
      .record(z.string().regex(/^[\w-]+$/, 'is not the name of a header'), headerValueSchema)
      .default({}),
    /** Its texts are templates, too. */
    body: z.record(z.string(), z.json()).optional(),
    bodyFormat: z.enum(['json', 'form']).default('json'),
    /** Where the answer has each value, as JSON pointers. */
    read: z
      .strictObject({
        exists: pointerSchema.optional(),
        valid: pointerSchema,
        reason: pointerSchema.optional(),
        value: pointerSchema.optional(),
        expiry: pointerSchema.optional(),
      })
      .optional(),
    /** The texts that mean yes at `read.valid`; case does not matter. */
    validTexts: z
      .array(z.string().toLowerCase())
      .min(1)
      .default(['true', '1', 'yes', 'ok', 'valid', 'active']),
    /** What the texts at `read.reason` mean; case does not matter. */
    reasons: z.record(z.string(), z.enum(OUTCOMES)).default({}),
    /**
     * What a status means by itself; `read`: use `read`. By default 2xx is read, and any other status is no answer.
     */
    statuses: z
      .record(
        z.string().regex(/^(2\d\d|4(?!29)\d\d)$/, 'is not a status that can be read (2xx, 4xx without 429)'),
        z.enum(['read', ...OUTCOMES]),
      )
      .default({}),
    valueUnit: z.enum(['hundredths', 'units']).default('units'),
    valueType: discountTypeSchema.default('fixed'),
    currency: currencySchema.default(baseCurrency),
    /** Retires a code and makes another one valid, in one call that may be repeated. */
    reissue: reissueSchema.optional(),
    /** Undoes it. */
    restore: z.strictObject(callShape).refine(namesKey, KEY_NEEDED).optional(),
    /** Tells how a code was used; of an account with merchants. */
    redemptions: redemptionsSchema.optional(),
  })
  .refine(({ reissue, restore }) => (reissue === undefined) === (restore === undefined), {
    path: ['restore'],
    message: 'goes with "reissue": both or none',
  })
  .refine(({ method, body }) => method !== 'GET' || body === undefined, {
    path: ['body'],
    message: 'needs "method": "POST" or "PUT"',
  })
  .refine(({ path, body }) => `${path}${JSON.stringify(body ?? '')}`.includes('{code}'), {
    path: ['path'],
    message: 'needs {code}, here or in the body',
  })
  .refine(
    ({ read, statuses }) =>
      read !== undefined || Object.values(statuses).every((outcome) => outcome !== 'read'),
    { path: ['read'], message: 'is needed by a status that says "read"' },
  );

/** One account of the operator's file, after its variables are filled in. */
export const validatorSettingSchema = z
  .discriminatedUnion('source', [voucherifySchema, httpSchema])
  // Another merchant's code must never be retired.
  .refine(({ reissue, merchants }) => !reissue || merchants.length > 0, {
    path: ['merchants'],
    message: 'are needed where codes are reissued',
  })
  .refine((setting) => !('redemptions' in setting && setting.redemptions) || setting.merchants.length > 0, {
    path: ['merchants'],
    message: 'are needed where uses of codes are told',
  });

const settingsSchema = z.strictObject({ adapters: z.array(validatorSettingSchema) });

export type VoucherifySetting = z.output<typeof voucherifySchema>;
export type HttpSetting = z.output<typeof httpSchema>;
export type ValidatorSetting = z.output<typeof validatorSettingSchema>;
/** A described call about new codes. */
export type HttpCall = z.output<typeof reissueSchema>;
/** A described call about the uses of a code. */
export type HttpRedemptionsCall = z.output<typeof redemptionsSchema>;
/** The accounts with providers. */
export type ValidatorSettings = z.output<typeof settingsSchema>;

/**
 * Reads the JSON file of the validators (`readSettingsFile`).
 * @param file null: no provider is set up
 */
export function loadValidatorSettings(file: string | null, env: Environment): ValidatorSettings {
  if (file === null) return { adapters: [] };
  return readSettingsFile({ what: 'validators', file, schema: settingsSchema, env, literal: ['merchants'] });
}
