import { isOffline } from '#contract/coupons/validation.ts';
import type {
  OwnValidator,
  PutValidatorInput,
  RemoveSourceInput,
  StoredValidator,
  TriedValidator,
  TryValidatorInput,
  ValidatorList,
} from '#contract/oversight/sources.ts';
import type { MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { changeSettingFrom, latestChange } from '#server/people/settings/service.ts';
import { openValidators } from '#server/providers/validators/open-validators.ts';
import { checking, keepTyped, keyFor, put, without } from './changing.ts';
import { SourceProblem, validatorBinding, validatorSettingOf } from './composing.ts';
import { limitTrials } from './feeds.ts';
import { checkAllowed, openOwnValidator } from './opening.ts';
import * as store from './store.ts';

/** Days over which answers are counted. */
const COUNTED_DAYS = 7;

/** The validators that are set up, by admins or in the operator's file. */
export async function listValidators(ctx: MemberContext): Promise<ValidatorList> {
  const { lockedBy, changeId } = await latestChange(ctx, 'validators');
  const own = lockedBy === null ? ctx.settings.current().validators : [];
  const validators = await Promise.all(own.map((validator) => toRow(ctx, validator)));
  return { lockedBy, changeId, allowed: ctx.config.validatorOrigins, validators };
}

async function toRow(
  ctx: MemberContext,
  stored: StoredValidator,
): Promise<ValidatorList['validators'][number]> {
  const { keyId, ...validator } = stored;
  const { name, source, merchants } = validator;
  const now = ctx.clock();
  const [coupons, { lastAnswerAt, ...answers }] = await Promise.all([
    store.countCoupons(ctx.db, { merchants, now }),
    store.countAnswers(ctx.db, source, addDays(now, -COUNTED_DAYS)),
  ]);
  return {
    name,
    source,
    merchants,
    validator,
    hasKey: keyId !== null,
    coupons,
    ...answers,
    lastAnswerAt: lastAnswerAt?.toISOString() ?? null,
    problem: problemOf(ctx, stored),
  };
}

function problemOf(ctx: MemberContext, stored: StoredValidator): string | null {
  try {
    openOwnValidator(stored, { ...ctx, origins: ctx.config.validatorOrigins });
    return null;
  } catch (error) {
    if (error instanceof SourceProblem) return error.message;
    throw error;
  }
}

/** @throws AppError bad_input */
function settingOf(ctx: MemberContext, validator: OwnValidator, key: string | null) {
  return checking('validator', () => {
    checkAllowed(validator.baseUrl, ctx.config.validatorOrigins);
    return validatorSettingOf(validator, key);
  });
}

/**
 * Adds a validator, or changes one. It is asked from the next question on.
 * @throws AppError bad_input, not_found, and as `changeSetting`
 */
export async function putValidator(ctx: MemberContext, input: PutValidatorInput): Promise<void> {
  const { validator, key, isNew, follows } = input;
  await changeSettingFrom(ctx, { name: 'validators', follows }, async (trx, own) => {
    const before = isNew ? undefined : own.find(({ name }) => name === validator.name);
    const typed = { key, before, boundTo: validatorBinding(validator) };
    settingOf(ctx, validator, keyFor(ctx, typed));
    const keyId = await keepTyped(trx, ctx, typed);
    return put(own, { ...validator, keyId }, { form: 'validator', isNew });
  });
}

/**
 * Removes a validator: its merchants' codes are judged by their form alone from the next question on.
 * @throws AppError not_found, and as `changeSetting`
 */
export async function removeValidator(
  ctx: MemberContext,
  { name, follows }: RemoveSourceInput,
): Promise<void> {
  await changeSettingFrom(ctx, { name: 'validators', follows }, async (_trx, own) => without(own, name));
}

/**
 * Asks an account about a code that the admin has typed, and stores nothing.
 * @throws AppError bad_input, rate_limited
 */
export async function tryValidator(ctx: MemberContext, input: TryValidatorInput): Promise<TriedValidator> {
  await limitTrials(ctx);
  const { validator, key, merchant, code } = input;
  const before = ctx.settings.current().validators.find(({ name }) => name === validator.name);
  const typed = { key, before, boundTo: validatorBinding(validator) };
  const setting = settingOf(ctx, validator, keyFor(ctx, typed));
  const { source } = setting;
  const validators = openValidators({ adapters: [setting] }, ctx.log);
  const verdict = await validators.check({ merchant, code, source, now: ctx.clock() });
  const isAnswered = !isOffline(verdict.validatedWith) && verdict.validatedWith === source;
  return { isValid: isAnswered ? verdict.valid : null, text: verdict.message };
}
