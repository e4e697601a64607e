import { faultsIn, type PlantedFault } from './fault.ts';

/** Kinds of faults that outsiders have found, for most of which another test than the simulation is there. */
export const FOUND_OUTSIDE: readonly PlantedFault[] = [
  ...faultsIn('money/payments/decide.ts', {
    'a coupon may be passed on after a claim was withdrawn': [
      "when(!isHeld && saleOf(payment.status) !== 'undone',",
      "when(saleOf(payment.status) !== 'undone',",
    ],
  }),
  ...faultsIn('money/payments/decide-movement.ts', {
    'a refund that fails later is made again and again': [
      "changes.push({ do: 'give_up', operation: 'refund', why });",
      "changes.push({ do: 'open', operation: 'refund' });",
      'src/server/money/payments/outside.test.ts',
    ],
    'nobody is asked about a refund of a part that fails later': [
      '      ask(why);\n',
      '',
      'src/server/money/payments/refunding.test.ts',
    ],
  }),
  ...faultsIn('money/claims/sale-stop.ts', {
    'somebody whose codes fail goes on selling': [
      'if (!isSaleToStop(facts)) return;',
      'if (facts) return;',
      'src/server/money/claims/sale-stop.test.ts',
    ],
  }),
  ...faultsIn('money/claims/records-store.ts', {
    'claims of one person count like those of several': [
      'pair.lower_id = other.id and pair.higher_id = claimants.id',
      'pair.lower_id = other.id and false',
      'src/server/money/claims/sale-stop.test.ts',
    ],
  }),
  ...faultsIn('money/deposits/decide.ts', {
    'a deposit is captured without a claim': [
      "claim === 'open' || claim === 'upheld');",
      'claim !== undefined);',
      'src/server/money/deposits/decide.test.ts',
    ],
    'a granted claim gives a deposit back to whoever put it up': [
      "if (claimantOf(given) !== null) return 'payOut';",
      '',
      'src/server/money/deposits/decide.test.ts',
    ],
  }),
  ...faultsIn('deals/exchanges/decide-deposits.ts', {
    'an exchange is completed while a deposit is missing': [
      'if (missing.length === 0) return null;',
      'if (missing.length >= 0) return null;',
      'src/server/money/deposits/deposits.test.ts',
    ],
  }),
  ...faultsIn('money/claims/deadlines.ts', {
    'a claim that nobody decides stays open': [
      "step === 'end' ? end(ctx, id)",
      "step === 'end' ? false",
      'src/server/money/claims/claim-deadlines.test.ts',
    ],
    'records decide a claim against what the merchant says': [
      'claim.findingFor ?? (await winnerByRecords(trx, claim, at))',
      'await winnerByRecords(trx, claim, at)',
      'src/server/money/claims/findings.test.ts',
    ],
  }),
  ...faultsIn('money/claims/redemptions.ts', {
    'a use in the minute of the deal decides a claim': [
      'const ALLOWANCE_HOURS = 1;',
      'const ALLOWANCE_HOURS = 0;',
      'src/server/money/claims/redemptions.test.ts',
    ],
  }),
  ...faultsIn('money/claims/findings.ts', {
    'the place of a use shows the code to moderators': [
      'place.includes(code) ? null',
      'code === place ? null',
      'src/server/money/claims/findings.test.ts',
    ],
    'another code than the one that came decides a claim': [
      'if (exposed === null) return false;\n      return apply(trx, id, findingOf(told(uses), uses.isValid, exposed)',
      'const any = exposed ?? { handedOverAt: ctx.clock(), shownAt: null };\n      return apply(trx, id, findingOf(told(uses), uses.isValid, any)',
      'src/server/money/claims/findings.test.ts',
    ],
  }),
  ...faultsIn('money/claims/defaults.ts', {
    'a claim ends by itself although an admin was asked': [
      'if (defaultAt !== null && appealedAt === null)',
      'if (defaultAt !== null)',
      'src/server/money/claims/defaults.test.ts',
    ],
    'a claim ends against somebody who has answered as if they had not': [
      'isAnswered ? better >= MARGIN : better > -MARGIN',
      'better > -MARGIN',
      'src/server/money/claims/defaults.test.ts',
    ],
  }),
  ...faultsIn('deals/bids/service.ts', {
    'a fee is raised between the page and the acceptance': [
      'shownFees == null || shownFees === JSON',
      'feeRates !== null || shownFees === JSON',
      'tests/api/settings.test.ts',
    ],
  }),
  ...faultsIn('core/shares.ts', {
    'one address uses up the places of all': [
      'Math.min(most, free * PART)',
      'Math.min(most, free)',
      'src/server/core/shares.test.ts',
    ],
  }),
  ...faultsIn('core/rate-limit.ts', {
    'limits count each address of one network by itself': [
      'return networksOf(ip)[0];',
      'return ip;',
      'src/server/core/rate-limit.test.ts',
    ],
  }),
  ...faultsIn('rest/caller.ts', {
    'a body is read before it is known who asks': [
      'getRawInput: () => read(ctx) });',
      'getRawInput: ((input) => async () => input)(await read(ctx)) });',
      'tests/api/doors.test.ts',
    ],
  }),
  ...faultsIn('oversight/seo/service.ts', {
    'the parts of the sitemap are not those of its index': [
      'size = SITEMAP_MAX_URLS): Promise<SitemapPart[]>',
      'size = 2 * SITEMAP_MAX_URLS): Promise<SitemapPart[]>',
      'src/server/oversight/seo/flatness.test.ts',
    ],
  }),
];
