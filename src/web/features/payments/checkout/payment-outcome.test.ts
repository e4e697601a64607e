import { describe, expect, it } from 'vitest';
import { PAYMENT_STATUSES } from '#contract/payments.ts';
import { TEXTS } from '#contract/texts.ts';
import { outcomeOfBoth, outcomeOfIntent, outcomeOfProtection } from './payment-outcome.ts';

const { successfulText, processing, notSuccessful, otherStatus } = TEXTS.paymentResult;

describe('what Stripe says', () => {
  it.each([
    ['succeeded', { kind: 'success', text: successfulText }],
    ['processing', { kind: 'success', text: processing }],
    ['requires_payment_method', { kind: 'failed', text: notSuccessful, isUncharged: true }],
    ['canceled', { kind: 'failed', text: otherStatus('canceled'), isUncharged: true }],
    ['requires_action', { kind: 'failed', text: otherStatus('requires_action'), isUncharged: false }],
  ])('%s', (status, outcome) => {
    expect(outcomeOfIntent(status)).toEqual(outcome);
  });
});

describe('what our server says', () => {
  it('is success where the money has come or is coming', () => {
    const successes = PAYMENT_STATUSES.filter((status) => outcomeOfProtection({ status }).kind === 'success');
    expect(successes).toEqual(['processing', 'held', 'releasing', 'completed']);
  });

  it('promises that nothing was charged only where nothing was', () => {
    const uncharged = PAYMENT_STATUSES.filter((status) => {
      const outcome = outcomeOfProtection({ status });
      return outcome.kind === 'failed' && outcome.isUncharged;
    });
    expect(uncharged).toEqual(['cancelled', 'failed']);
  });
});

describe('where both have spoken', () => {
  const succeeded = outcomeOfIntent('succeeded');

  it('Stripe is believed until the server knows better', () => {
    expect(outcomeOfBoth(succeeded, undefined)).toBe(succeeded);
    expect(outcomeOfBoth(succeeded, { status: 'open' })).toBe(succeeded);
    expect(outcomeOfBoth({ kind: 'loading' }, { status: 'held' })).toEqual({ kind: 'loading' });
  });

  it('a payment that the server has is one, whatever the browser could find out', () => {
    const unknown = { kind: 'failed', text: 'No answer', isUncharged: false } as const;
    expect(outcomeOfBoth(unknown, { status: 'held' })).toEqual(succeeded);
    expect(outcomeOfBoth(unknown, { status: 'open' })).toBe(unknown);
  });

  it('money that goes back is not celebrated', () => {
    expect(outcomeOfBoth(succeeded, { status: 'refunding' })).toEqual({
      kind: 'failed',
      text: otherStatus('refunding'),
      isUncharged: false,
    });
  });
});
