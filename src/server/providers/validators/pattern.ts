import type { ValidationDetails } from '#contract/validation.ts';
import type { Verdict } from './validators.ts';
import { NOTHING } from './verdicts.ts';

/** A reason to refuse a text as a code. All are tried in this order; the first that applies is told. */
interface Rule {
  readonly name: string;
  /** What is true of a text that this rule lets pass. */
  readonly passed: string;
  /** Why the text is no code, without the text itself; null if it may be one. */
  refuse(text: string, merchant: string): string | null;
}

const refuseIf = (pattern: RegExp, reason: string) => (text: string) => (pattern.test(text) ? reason : null);

/** What people and shops write where there is no code, in lower case, `_` and `-` being spaces. */
const PLACEHOLDER = new RegExp(
  `^(?:${[
    'n ?[/.]? ?a\\.?|nan|none|no|nil|null|undefined|unknown|empty|blank|void|tb[adc]',
    // XXXX-XXXX as much as xxx.
    'x{2,}(?: x+)*|0{3,}(?: 0+)*',
    'test(?:ing)?|(?:a )?test (?:code|coupon|voucher)|testcode|example|sample|placeholder|dummy|foo|foo ?bar|asdf+|qwerty|lorem(?: ipsum)?',
    '(?:(?:your|my|the|insert|enter|add|paste|type) )*(?:(?:promo|coupon|discount|voucher|offer) ?)?code(?: here)?',
    'yourcode(?:here)?|codehere',
  ].join('|')})$`,
);

/** Saying in words that none is needed. */
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
const MAIL_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Platforms that say what their codes look like, known by the merchant's name. */
const PLATFORMS = [
  {
    name: 'eBay',
    merchant: /\bebay\b/i,
    isLegal: (code: string) =>
      /^[A-Za-z0-9-]+$/.test(code) &&
      /^.{8,15}$/.test(code.replaceAll('-', '')) &&
      code.split('-').length <= 3,
    rule: 'codes of eBay have 8 to 15 letters and digits and at most two dashes',
  },
];

const RULES: readonly Rule[] = [
  {
    name: 'present',
    passed: 'There is a code.',
    refuse: refuseIf(/^$/, 'There is no code.'),
  },
  {
    name: 'characters',
    passed: 'It is made of characters that can be seen.',
    // Control characters, halves of characters, and those without a shape: such as a zero-width space.
    refuse: refuseIf(/[\p{Cc}\p{Cs}\p{Cf}]/u, 'It holds characters that cannot be seen.'),
  },
  {
    name: 'letters',
    passed: 'It has letters or digits.',
    refuse: refuseIf(/^[^\p{L}\p{N}]*$/u, 'It has neither a letter nor a digit.'),
  },
  {
    name: 'address',
    passed: 'It is not an address.',
    refuse: (text) => {
      if (MAIL_ADDRESS.test(text)) return 'That is a mail address, not a code.';
      return WEB_ADDRESS.test(text) || HOST.test(text) ? 'That is a web address, not a code.' : null;
    },
  },
  {
    name: 'placeholder',
    passed: 'It is not a placeholder.',
    refuse: (text) => {
      const words = plain(text);
      if (PLACEHOLDER.test(words)) return 'That is a placeholder, not a code.';
      return NO_CODE.test(words) ? 'That says that there is no code.' : null;
    },
  },
  {
    name: 'sentence',
    passed: 'It is not a sentence.',
    refuse: (text) => (isSentence(text) ? 'That is a sentence, not a code.' : null),
  },
  {
    name: 'platform',
    passed: 'It breaks no rule of the merchant’s that is known.',
    refuse: (text, merchant) => {
      const platform = PLATFORMS.find((one) => one.merchant.test(merchant));
      return platform && !platform.isLegal(text) ? `That cannot be one: ${platform.rule}.` : null;
    },
  },
];

/**
 * Looks at the form of a code alone: refuses what cannot be one, and calls the rest plausible. That a code is real
 * cannot be seen from its form: nothing is ever confirmed.
 */
export function judgeByPattern(given: { readonly merchant: string; readonly code: string }): Verdict {
  const text = given.code.trim();
  const checks: ValidationDetails['checks'] = [];
  for (const { name, passed, refuse } of RULES) {
    const reason = refuse(text, given.merchant);
    checks.push({ name, passed: reason === null, text: reason ?? passed });
    if (reason !== null) return verdict(false, reason, checks);
  }
  return verdict(true, `Format looks right; not confirmed with ${given.merchant}.`, checks);
}

/** For comparing with words: one case, one kind of space, without quotes and brackets around it. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .replaceAll(/^[\s"'`´“”‘’<([{*.!?:]+|[\s"'`´“”‘’>)\]}*.!?:]+$/g, '');
}

/** Groups of equal length are how long codes are printed; words are of any. */
function isSentence(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /^[\p{L}\p{M}’']{2,}[.,;:!?]*$/u.test(word));
  const hasGroups = new Set(words.map((word) => word.length)).size <= 1;
  return (words.length >= 4 && !hasGroups) || (words.length >= 3 && /[.!?]$/.test(text));
}

function verdict(valid: boolean, message: string, checks: ValidationDetails['checks']): Verdict {
  return {
    ...NOTHING,
    valid,
    message,
    validatedWith: 'pattern',
    confidence: 'format-only',
    checks,
  };
}
