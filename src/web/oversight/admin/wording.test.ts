import { describe, expect, it } from 'vitest';
import { PAYMENT_STATUSES } from '#contract/money/payments.ts';
import { feesSentence } from './summary.tsx';
import { durationWords, feeTone, niceTop, plainWords } from './wording.ts';

describe('the words of the dashboard', () => {
  it('show a completed fee in the success style and every other one in the secondary style [spec/3 2.79]', () => {
    for (const status of PAYMENT_STATUSES) {
      expect(feeTone(status), status).toBe(status === 'completed' ? 'success' : 'neutral');
    }
  });

  it('are not names from the program', () => {
    expect(plainWords('charged_back')).toBe('Charged back');
    expect(plainWords('clean-up')).toBe('Clean up');
  });

  it('show a duration in a suitable unit', () => {
    expect([850, 2_400, 180_000].map(durationWords)).toEqual(['850 ms', '2.4 s', '3 min']);
  });

  it('end the chart’s scale at a round amount that no bar exceeds', () => {
    expect([0, 326, 1_000, 1_001, 4_500, 99_900].map(niceTop)).toEqual([
      1_000, 1_000, 1_000, 2_000, 6_000, 100_000,
    ]);
  });

  it('sum the bars up in a sentence, to the cent', () => {
    const week = (day: string, fees: string) => ({ week: day, fees, sales: 1 });
    expect(feesSentence([week('2026-11-09', '3.26'), week('2026-11-16', '0.10')])).toBe(
      '$3.36 CAD in the last 2 weeks; the best week, from Nov 9, 2026, brought $3.26 CAD.',
    );
    expect(feesSentence([week('2026-11-09', '0.00')])).toBe('No fees in the last 1 weeks.');
  });
});
