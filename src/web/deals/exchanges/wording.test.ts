import { describe, expect, it } from 'vitest';
import { anExchange, aRing } from '#tests/support/web/builders.ts';
import { actWords, endedBecause, nextStep } from './wording.ts';

describe('how an exchange ended', () => {
  it('has no text while it is open', () => {
    expect(endedBecause(anExchange(), 2)).toBeNull();
  });
});

describe('what happens next', () => {
  it('differs for each side', () => {
    expect(nextStep(anExchange(), 1)).toContain('olga decides next');
    expect(nextStep(anExchange(), 2)).toContain('rob would like your “Cake” for their “Tea”');
    expect(nextStep(anExchange({ status: 'completed' }), 1)).toBe(
      'The exchange is complete: you got “Cake”, and olga got “Tea”.',
    );
  });
});

describe('the dialog that confirms', () => {
  it('an acceptance names the reservation of the coupons', () => {
    expect(actWords('accept', anExchange(), 2).paragraphs.join(' ')).toMatch(/The coupons are then reserved/);
  });
});

describe('a ring', () => {
  it('says who still has to agree', () => {
    expect(nextStep(aRing(), 2)).toBe(
      'rob proposes this ring. You give “Cake” and get “Pie”. Agree or decline.',
    );
    expect(nextStep(aRing({ agreed: [1, 2] }), 2)).toBe('You have agreed. Still to agree: bo.');
  });

  it('says who declined', () => {
    const declined = aRing({ status: 'rejected', reason: 'by_party', endedById: 3 });
    expect(endedBecause(declined, 2)).toBe('bo declined it.');
    expect(endedBecause(declined, 3)).toBe('You declined it.');
  });
});
