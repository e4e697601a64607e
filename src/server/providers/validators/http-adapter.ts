import { decimalToCents } from '#contract/base/money.ts';
import { CODE_MAX } from '#contract/coupons/limits.ts';
import { canonicalMerchant } from '#server/core/fold.ts';
import {
  type Adapter,
  type Answer,
  CONDITIONS,
  type Condition,
  NotReached,
  type Refusal,
  type Reissuing,
  type Replacement,
  type Worth,
} from './adapter.ts';
import { askHttp, createGuard, createReissueGuard, type HttpAnswer, type HttpRequest } from './http.ts';
import { inOurTime, instantOf, toRedemptions } from './http-redemptions.ts';
import type { HttpCall, HttpRedemptionsCall, HttpSetting } from './settings.ts';
import { addressOf, type Filling, fillForm, fillJson, readPointer } from './templates.ts';

type Outcome = HttpSetting['reasons'][string];

/** An account with a provider that publishes no API for this: the settings describe request and answer. */
export function createHttpAdapter(setting: HttpSetting): Adapter {
  const guard = createGuard(setting);
  const merchants = setting.merchants.map(canonicalMerchant);
  const isMerchantBound = merchants.length > 0;
  const namesMerchant = `${setting.path}${JSON.stringify(setting.body ?? '')}`.includes('{merchant}');
  return {
    source: setting.source,
    isMerchantBound,
    isAboutMerchant: isMerchantBound || namesMerchant,
    serves: (merchant) => !isMerchantBound || merchants.includes(canonicalMerchant(merchant)),
    async ask(filling) {
      const request = requestOf(setting, filling);
      if (!request) return { kind: 'unknown' };
      return guard(async (signal) => toAnswer(await askHttp(request, signal), setting));
    },
    reissuing:
      setting.reissue && setting.restore ? reissuingOf(setting, setting.reissue, setting.restore) : null,
    redemptionsOf: setting.redemptions ? askRedemptions(setting, setting.redemptions) : null,
  };
}

function askRedemptions(setting: HttpSetting, call: HttpRedemptionsCall): Adapter['redemptionsOf'] {
  // A guard of its own: an account that does not tell this can still be asked whether a code is valid.
  const guard = createGuard(setting);
  const { method, path, body } = call;
  return async (filling) => {
    const request = requestOf({ ...setting, method, path, body }, filling);
    if (!request) throw new NotReached('a code that is no part of an address');
    return guard(async (signal) => toRedemptions(await askHttp(request, signal), call));
  };
}

/** Statuses that say something of the account or the moment, and nothing of the code. */
const NO_WORD = [401, 402, 403, 408];

function reissuingOf(setting: HttpSetting, reissue: HttpCall, restore: HttpCall): Reissuing {
  const guard = createReissueGuard(setting);
  const call = ({ method, path, body }: HttpCall, given: Replacement): Promise<HttpAnswer | null> => {
    const request = requestOf({ ...setting, method, path, body }, given);
    if (!request) return Promise.resolve(null);
    return guard(async (signal) => {
      const answer = await askHttp(request, signal);
      if (NO_WORD.includes(answer.status)) throw new NotReached(`status ${answer.status}`);
      return answer.status < 300 ? answer : null;
    });
  };
  return {
    async reissue(given) {
      const answer = await call(reissue, given);
      if (answer === null) return { kind: 'refused' };
      if (reissue.code === undefined) return { kind: 'reissued', code: given.newCode };
      const minted = readPointer(answer.json, reissue.code);
      // It has happened, and nobody knows the code: asked again, the programme says it again.
      if (typeof minted !== 'string' || minted.trim() === '' || minted.length > CODE_MAX)
        throw new NotReached('an answer without the new code');
      return { kind: 'reissued', code: minted.trim() };
    },
    restore: async (given) => ((await call(restore, given)) === null ? 'refused' : 'restored'),
  };
}

/** Null if the code cannot be a part of the address. */
function requestOf(setting: HttpSetting, filling: Filling): HttpRequest | null {
  const { baseUrl, path, method, body, bodyFormat } = setting;
  const url = addressOf(baseUrl, path, filling);
  if (!url) return null;
  if (!body) return { url, method, headers: { accept: 'application/json', ...setting.headers }, body: null };
  const isForm = bodyFormat === 'form';
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    url,
    method,
    headers: { accept: 'application/json', 'content-type': type, ...setting.headers },
    body: isForm ? fillForm(body, filling) : fillJson(body, filling),
  };
}

function toAnswer({ status, json }: HttpAnswer, setting: HttpSetting): Answer {
  const { read, statuses } = setting;
  const byStatus = statuses[status] ?? (status < 300 ? 'read' : null);
  if (byStatus === null) throw new NotReached(`status ${status}`);
  if (byStatus !== 'read') return answerOf(byStatus, json, setting);
  if (!read || typeof json !== 'object') throw new NotReached('an answer that does not read');
  if (read.exists !== undefined && !isFound(readPointer(json, read.exists))) {
    return answerOf('not_found', json, setting);
  }
  const valid = textOf(readPointer(json, read.valid));
  if (valid === null) throw new NotReached('an answer that does not read');
  if (setting.validTexts.includes(valid)) return answerOf('valid', json, setting);
  const reason = read.reason === undefined ? null : textOf(readPointer(json, read.reason));
  const known = Object.entries(setting.reasons).find(([text]) => text.toLowerCase() === reason);
  return answerOf(known?.[1] ?? 'refused', json, setting);
}

function answerOf(outcome: Outcome, json: unknown, setting: HttpSetting): Answer {
  if (outcome === 'unknown') return { kind: 'unknown' };
  if (outcome === 'valid') {
    return { kind: 'valid', worth: worthOf(json, setting), expiryDate: expiryOf(json, setting) };
  }
  if (isCondition(outcome)) return { kind: 'conditional', condition: outcome };
  return { kind: 'invalid', refusal: outcome };
}

function isCondition(outcome: Refusal | Condition): outcome is Condition {
  return CONDITIONS.some((condition) => condition === outcome);
}

/** Whether something was found: an empty list, 0 and 'false' count as nothing. */
function isFound(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return Boolean(value) && value !== 'false' && value !== '0';
}

function textOf(value: unknown): string | null {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  return isScalar ? String(value).trim().toLowerCase() : null;
}

function worthOf(json: unknown, { read, valueUnit, valueType, currency }: HttpSetting): Worth | null {
  const text = read?.value === undefined ? null : textOf(readPointer(json, read.value));
  if (text === null) return null;
  try {
    const hundredths = valueUnit === 'units' ? decimalToCents(text) : Number(text);
    return { hundredths, discountType: valueType, currency };
  } catch {
    // It is no amount, and we do not guess one.
    return null;
  }
}

/** The day of an ISO date or instant, or of a Unix time in seconds or milliseconds; null for anything else. */
function expiryOf(json: unknown, { read }: HttpSetting): string | null {
  const value = read?.expiry === undefined ? undefined : readPointer(json, read.expiry);
  const isDay = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
  return (isDay ? inOurTime(new Date(value)) : instantOf(value))?.toISOString().slice(0, 10) ?? null;
}
