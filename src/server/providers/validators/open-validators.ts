import { isDeepStrictEqual } from 'node:util';
import type { ValidationSource } from '#contract/coupons/validation.ts';
import { sha256 } from '#server/core/crypto.ts';
import { canonicalMerchant } from '#server/core/fold.ts';
import type { Logger } from '#server/core/log.ts';
import { type Adapter, type ApiSource, NotReached } from './adapter.ts';
import { createHttpAdapter } from './http-adapter.ts';
import { judgeByLibrary } from './library/judge.ts';
import { judgeByPattern } from './pattern.ts';
import type { ValidatorSetting, ValidatorSettings } from './settings.ts';
import type { AskedAccount, Validators, Verdict } from './validators.ts';
import { noStandardCode, notConfigured, toVerdict, unknownTo, withoutProvider } from './verdicts.ts';
import { createVoucherify } from './voucherify.ts';

export { loadValidatorSettings } from './settings.ts';

interface Question {
  readonly merchant: string;
  readonly code: string;
  readonly now: Date;
}

/**
 * The validators of settings that change while the program runs: changed ones are opened at the next question, and one that
 * is under way ends with those that it has begun with.
 * @param now the settings of the moment; the same object until something changes
 * @param settingsOf what of them is about validators
 */
export function followValidators<Now extends object>(
  now: () => Now,
  settingsOf: (now: Now) => ValidatorSettings,
  log?: Pick<Logger, 'warn'>,
): Validators {
  const open = (settings: ValidatorSettings) => ({ settings, validators: openValidators(settings, log) });
  let seen = now();
  let opened = open(settingsOf(seen));
  const current = (): Validators => {
    const latest = now();
    if (latest !== seen) {
      const settings = settingsOf(latest);
      // What is known of an account, such as that it does not answer, is kept until its settings change.
      if (!isDeepStrictEqual(settings, opened.settings)) opened = open(settings);
      seen = latest;
    }
    return opened.validators;
  };
  return {
    hasOwn: (merchant) => current().hasOwn(merchant),
    accounts: () => current().accounts(),
    check: (given) => current().check(given),
    canReissue: (merchant) => current().canReissue(merchant),
    reissue: (given) => current().reissue(given),
    restore: (given) => current().restore(given),
    tellsRedemptions: (merchant) => current().tellsRedemptions(merchant),
    redemptionsOf: (given) => current().redemptionsOf(given),
  };
}

/** Opens the providers of the settings and the local sources. Writes the failures of providers to `log`. */
export function openValidators(settings: ValidatorSettings, log?: Pick<Logger, 'warn'>): Validators {
  const adapters = settings.adapters.map((setting) =>
    setting.source === 'voucherify' ? createVoucherify(setting) : createHttpAdapter(setting),
  );
  // Accounts of the merchant itself come first; accounts that hold codes of any merchant come after them.
  const inOrder = [...adapters].sort((a, b) => Number(b.isMerchantBound) - Number(a.isMerchantBound));

  const checks: Record<ValidationSource, (question: Question) => Promise<Verdict>> = {
    auto: (question) => askAll(inOrder, question, judgeLocally),
    voucherify: (question) => askNamed('voucherify', question),
    coupontools: (question) => askNamed('coupontools', question),
    aklamio: (question) => askNamed('aklamio', question),
    library: async (question) => judgeByLibrary(question) ?? noStandardCode(),
    pattern: async (question) => judgeByPattern(question),
    offline: async (question) => ({ ...judgeLocally(question), validatedWith: 'offline' }),
  };

  async function askNamed(source: ApiSource, question: Question): Promise<Verdict> {
    const named = inOrder.filter((adapter) => adapter.source === source);
    if (!named.some((adapter) => adapter.serves(question.merchant))) {
      return notConfigured(source, question.merchant, named.length > 0);
    }
    return askAll(named, question, () => unknownTo(source));
  }

  /**
   * Asks one after the other until one knows the code. Returns `otherwise` if none does and all could be reached.
   */
  async function askAll(
    candidates: readonly Adapter[],
    question: Question,
    otherwise: (question: Question) => Verdict,
  ): Promise<Verdict> {
    const { merchant, code } = question;
    let missed: ApiSource | null = null;
    for (const adapter of candidates.filter(({ serves }) => serves(merchant))) {
      try {
        const verdict = toVerdict(adapter, await adapter.ask({ merchant, code }), merchant);
        if (verdict) return verdict;
      } catch (error) {
        if (!(error instanceof NotReached)) throw error;
        log?.warn({ source: adapter.source, reason: error.message }, 'a validator was not reached');
        missed ??= adapter.source;
      }
    }
    return missed === null ? otherwise(question) : withoutProvider(judgeLocally(question), missed);
  }

  /** The account of the merchant's own that can do this. */
  const ownWith = <Ability extends 'reissuing' | 'redemptionsOf'>(merchant: string, ability: Ability) =>
    inOrder.find((adapter) => adapter[ability] && adapter.isMerchantBound && adapter.serves(merchant));

  /** Calls the account of the merchant's own; one that fails, or is gone from the settings, is not reached. */
  async function callOwn<Ability extends 'reissuing' | 'redemptionsOf', Result>(
    merchant: string,
    ability: Ability,
    call: (able: NonNullable<Adapter[Ability]>) => Promise<Result>,
  ): Promise<Result | null> {
    const adapter = ownWith(merchant, ability);
    const able = adapter?.[ability];
    if (!adapter || !able) return null;
    try {
      return await call(able);
    } catch (error) {
      if (!(error instanceof NotReached)) throw error;
      const about = { source: adapter.source, ability, reason: error.message };
      log?.warn(about, 'an account of a merchant’s own did not answer');
      return null;
    }
  }

  return {
    canReissue: (merchant) => ownWith(merchant, 'reissuing') !== undefined,
    reissue: async (given) =>
      (await callOwn(given.merchant, 'reissuing', (own) => own.reissue(given))) ?? { kind: 'unreached' },
    restore: async (given) =>
      (await callOwn(given.merchant, 'reissuing', (own) => own.restore(given))) ?? 'unreached',
    tellsRedemptions: (merchant) => ownWith(merchant, 'redemptionsOf') !== undefined,
    redemptionsOf: async (given) =>
      (await callOwn(given.merchant, 'redemptionsOf', (ask) => ask(given))) ?? 'unreached',
    accounts: () => settings.adapters.filter(({ merchants }) => merchants.length > 0).map(toAccount),
    hasOwn: async (merchant) =>
      adapters.some((adapter) => adapter.isAboutMerchant && adapter.serves(merchant)),
    check: ({ source, ...question }) => checks[source](question),
  };
}

function toAccount(setting: ValidatorSetting): AskedAccount {
  const { source, baseUrl, merchants, checksPerDay } = setting;
  const key = setting.source === 'voucherify' ? setting.appId : setting.path;
  const names = merchants.map(canonicalMerchant).sort();
  return { id: sha256(JSON.stringify([source, baseUrl, key, names])), merchants, checksPerDay };
}

/** Validates without a provider, so it confirms nothing. */
function judgeLocally(question: Question): Verdict {
  return { ...(judgeByLibrary(question) ?? judgeByPattern(question)), confirmed: false };
}
