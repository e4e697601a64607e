import { openValidators } from '#server/providers/validators/open-validators.ts';
import type { Validators } from '#server/providers/validators/validators.ts';
import { toVerdict } from '#server/providers/validators/verdicts.ts';
import { MERCHANTS } from './content.ts';

/** Every second merchant of the demo has a voucher programme, which knows all codes that it has issued. */
const WITH_PROGRAMME = new Set(MERCHANTS.filter((_, index) => index % 2 === 0).map(({ name }) => name));

const PROGRAMME = { source: 'voucherify', isMerchantBound: true, isAboutMerchant: true } as const;
const KNOWN = { kind: 'valid', worth: null, expiryDate: null } as const;

const withoutProgramme = openValidators({ adapters: [] });

/** Confirms the codes of merchants with a programme; they are as invented as the merchants. */
export const demoValidators: Validators = {
  ...withoutProgramme,
  hasOwn: async (merchant) => WITH_PROGRAMME.has(merchant),
  async check(question) {
    const { merchant } = question;
    const verdict = WITH_PROGRAMME.has(merchant) ? toVerdict(PROGRAMME, KNOWN, merchant) : null;
    return verdict ?? withoutProgramme.check(question);
  },
};
