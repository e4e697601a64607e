import { t } from '@lingui/core/macro';
import type { ValidationDetails } from '#contract/coupons/validation.ts';
import { withoutEnd } from '#server/core/text.ts';
import type { Verdict } from './validators.ts';
import { NO_DETAILS } from './verdicts.ts';

/** A reason why a text is no code. The rules apply in this order; the first that refuses gives the answer. */
interface Rule {
  readonly name: string;
  /** What is true of a text that passes this rule. */
  readonly passed: () => string;
  /** Why the text is no code, without the text itself; null if it may be one. */
  refuse(text: string, merchant: string): string | null;
}

const refuseIf = (pattern: RegExp, reason: () => string) => (text: string) =>
  pattern.test(text) ? reason() : null;

/** What people and shops write when there is no code; in lower case, with spaces for `_` and `-`. */
const PLACEHOLDER = new RegExp(
  `^(?:${[
    'n ?[/.]? ?a\\.?|nan|none|no|nil|null|undefined|unknown|empty|blank|void|tb[adc]',
    // XXXX-XXXX as well as xxx.
    'x{2,}(?: x+)*|0{3,}(?: 0+)*',
    'test(?:ing)?|(?:a )?test (?:code|coupon|voucher)|testcode|example|sample|placeholder|dummy|foo|foo ?bar|asdf+|qwerty|lorem(?: ipsum)?',
    '(?:(?:your|my|the|insert|enter|add|paste|type) )*(?:(?:promo|coupon|discount|voucher|offer) ?)?code(?: here)?',
    'yourcode(?:here)?|codehere',
  ].join('|')})$`,
);

/** Texts that say that no code is needed. */
const NO_CODE = new RegExp(
  [
    '^(?:no|without)(?: ?(?:a|any|promo|coupon|discount|voucher))* ?(?:code|coupon|voucher)s?\\b',
    '^no ?code ?(?:needed|required|necessary)',
    '\\bnot? ?(?:needed|required|necessary|applicable|available)\\b',
    '^(?:see|visit|check|click|tap|follow|open|scan|use) (?:the |this |our |their |on |in |your |for )*(?:web ?site|site|link|page|shop|store|app|mail|e ?mail|description|details|terms|image|picture|photo|qr|barcode|here|below|above|button|banner)\\b',
    '^(?:get|activate|reveal|show|grab|unlock|view) (?:the |this )?(?:deal|offer|code|coupon|discount)s?$',
    '\\bauto(?:matic(?:ally)?)? ?appl(?:y|ied|ies)\\b|\\bapplied (?:automatically|at (?:the )?checkout)\\b|^automatic(?:ally)?$',
  ].join('|'),
);

const WEB_ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.)|^(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#:]\S*)$/i;
const HOST =
  /^(?:[a-z0-9-]+\.)+(?:com|net|org|info|biz|io|co|app|shop|store|uk|ca|us|eu|de|fr|es|it|nl|au)$/i;
const MAIL_ADDRESS = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/;

/** Platforms that publish the form of their codes, recognized by the merchant's name. */
const PLATFORMS = [
  {
    name: 'eBay',
    merchant: /\bebay\b/i,
    isLegal: (code: string) =>
      /^[A-Za-z0-9-]+$/.test(code) &&
      /^.{8,15}$/.test(code.replaceAll('-', '')) &&
      code.split('-').length <= 3,
    rule: () => t`That cannot be one: codes of eBay have 8 to 15 letters and digits and at most two dashes.`,
  },
];

const RULES: readonly Rule[] = [
  {
    name: 'present',
    passed: () => t`There is a code.`,
    refuse: refuseIf(/^$/, () => t`There is no code.`),
  },
  {
    name: 'characters',
    passed: () => t`All its characters are visible.`,
    // Control characters, lone surrogates, and format characters such as a zero-width space.
    refuse: refuseIf(/[\p{Cc}\p{Cs}\p{Cf}]/u, () => t`It has invisible characters.`),
  },
  {
    name: 'letters',
    passed: () => t`It has letters or digits.`,
    refuse: refuseIf(/^[^\p{L}\p{N}]*$/u, () => t`It has neither a letter nor a digit.`),
  },
  {
    name: 'address',
    passed: () => t`It is not an address.`,
    refuse: (text) => {
      if (MAIL_ADDRESS.test(text)) return t`That is an email address, not a code.`;
      return WEB_ADDRESS.test(text) || HOST.test(text) ? t`That is a web address, not a code.` : null;
    },
  },
  {
    name: 'placeholder',
    passed: () => t`It is not a placeholder.`,
    refuse: (text) => {
      const words = plain(text);
      if (PLACEHOLDER.test(words)) return t`That is a placeholder, not a code.`;
      return NO_CODE.test(words) ? t`That says there is no code.` : null;
    },
  },
  {
    name: 'sentence',
    passed: () => t`It is not a sentence.`,
    refuse: (text) => (isSentence(text) ? t`That is a sentence, not a code.` : null),
  },
  {
    name: 'platform',
    passed: () => t`It breaks no known rule of the merchant.`,
    refuse: (text, merchant) => {
      const platform = PLATFORMS.find((one) => one.merchant.test(merchant));
      return platform && !platform.isLegal(text) ? platform.rule() : null;
    },
  },
];

/**
 * Checks the form of a code only: refuses a text that cannot be a code, and calls any other plausible. The form
 * does not show whether a code is real, so nothing is ever confirmed.
 */
export function judgeByPattern(given: { readonly merchant: string; readonly code: string }): Verdict {
  const text = given.code.trim();
  const checks: ValidationDetails['checks'] = [];
  for (const { name, passed, refuse } of RULES) {
    const reason = refuse(text, given.merchant);
    checks.push({ name, passed: reason === null, text: reason ?? passed() });
    if (reason !== null) return verdict(false, reason, checks);
  }
  return verdict(true, t`The format looks right, but ${given.merchant} has not confirmed it.`, checks);
}

/**
 * Normalises a text to compare it with words: lower case, single spaces, no quotes, brackets or punctuation around
 * it.
 */
function plain(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .replace(/^[\s"'`´“”‘’<([{*.!?:]+/, '');
  return withoutEnd(words, ' "\'`´“”‘’>)]}*.!?:');
}

/** Printed codes have groups of equal length; words have different lengths. */
function isSentence(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /^[\p{L}\p{M}’']{2,}[.,;:!?]*$/u.test(word));
  const hasGroups = new Set(words.map((word) => word.length)).size <= 1;
  return (words.length >= 4 && !hasGroups) || (words.length >= 3 && /[.!?]$/.test(text));
}

function verdict(valid: boolean, message: string, checks: ValidationDetails['checks']): Verdict {
  return {
    ...NO_DETAILS,
    valid,
    message,
    validatedWith: 'pattern',
    confidence: 'format-only',
    checks,
  };
}
