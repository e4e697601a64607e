import { describe, expect, it } from 'vitest';
import { anExchange, aRing } from '#tests/support/web/builders.ts';
import { depositSentence, dueDeposit, waitingForDeposits } from './deposit.ts';
import { actsFor } from './sides.ts';
import { actWords, endedBecause, nextStep } from './wording.ts';

const AT = '2026-11-02T12:00:00.000Z';
const [ROB, OLGA] = [1, 2];

/** A swap of rob and olga with a deposit, that these people have put up. */
function withDeposit(there: readonly number[], given: Parameters<typeof anExchange>[0] = {}) {
  const exchange = anExchange({ status: 'accepted', acceptedAt: AT, deposit: '10.00', ...given });
  const parties = exchange.parties.map((party) => ({
    ...party,
    depositAt: there.includes(party.id) ? AT : null,
  }));
  return { ...exchange, parties };
}

describe('a deposit', () => {
  it('is said in one sentence', () => {
    expect(depositSentence(anExchange())).toBe('');
    expect(depositSentence(withDeposit([]))).toBe(
      'With a deposit of $10.00 CAD each: who gave a code that fails loses it to the other.',
    );
    expect(depositSentence(aRing({ deposit: '10.00' }))).toContain('to the person who got the code.');
  });

  it('is to be put up by whoever has not, and the exchange is completed after that', () => {
    const waiting = withDeposit([ROB]);
    expect(dueDeposit(waiting, OLGA)).toBe('10.00');
    expect(dueDeposit(waiting, ROB)).toBeNull();
    expect(waitingForDeposits(waiting, ROB)).toBe('Waiting for the deposit of olga.');
    expect(nextStep(waiting, OLGA)).toContain('Put up your deposit of $10.00 CAD within 48 hours');
    expect(actsFor(waiting, ROB)).toEqual(['cancel']);
    const ready = withDeposit([ROB, OLGA]);
    expect(waitingForDeposits(ready, ROB)).toBe('');
    expect(actsFor(ready, ROB)).toEqual(['complete', 'cancel']);
  });

  it('has its rule where somebody agrees to it', () => {
    const words = actWords('accept', withDeposit([], { status: 'pending', acceptedAt: null }), OLGA);
    expect(words.paragraphs.join(' ')).toContain('Complete the exchange within 4 days of the first deposit');
    expect(actWords('accept', anExchange(), OLGA).paragraphs.join(' ')).not.toContain('deposit');
  });

  it('says why the exchange has ended', () => {
    const ended = { status: 'cancelled', reason: 'deadline' } as const;
    expect(endedBecause(withDeposit([ROB], ended), ROB)).toBe(
      'Not everyone put up the deposit within 48 hours.',
    );
    expect(endedBecause(withDeposit([ROB, OLGA], ended), ROB)).toBe(
      'It was not completed within 4 days of the first deposit.',
    );
  });
});
