import type { Outcome } from './objects.ts';

interface TestCard {
  readonly outcome: Outcome;
  readonly brand: 'visa' | 'mastercard';
}

const visa = (outcome: Outcome): TestCard => ({ outcome, brand: 'visa' });

/** Stripe's own test numbers. 3006 is ours: no card of Stripe's stays 'processing' for a while. */
const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  '4242424242424242': visa('success'),
  '4000000000000077': visa('success'),
  '5555555555554444': { outcome: 'success', brand: 'mastercard' },
  '4000000000000002': visa('declined'),
  '4000000000009995': visa('insufficient_funds'),
  '4000000000000069': visa('expired'),
  '4000000000000127': visa('wrong_cvc'),
  '4000000000000119': visa('processing_error'),
  '4000002500003155': visa('challenge'),
  '4000000000003220': visa('challenge'),
  '4000000000000259': visa('disputed'),
  '4000000000001976': visa('inquiry'),
  '4000000000007726': visa('refund_pending'),
  '4000000000005126': visa('refund_fails'),
  '4000000000003006': visa('processing'),
};

export interface CardError {
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
  readonly param?: string;
}

/** The errors of the cards that are declined, in Stripe's words. */
export const DECLINES: Readonly<Partial<Record<Outcome, CardError>>> = {
  declined: {
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  },
  insufficient_funds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  expired: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  wrong_cvc: {
    code: 'incorrect_cvc',
    decline_code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  },
  processing_error: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
};

export interface GivenCard {
  readonly number: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly cvc: string;
}

/** Finds a test card, or says what is wrong with it. A real card is always declined. */
export function readCard(card: GivenCard): TestCard | CardError {
  const number = card.number.replace(/[\s-]/g, '');
  const error = numberError(number) ?? expiryError(card) ?? cvcError(card);
  if (error) return error;
  return (
    TEST_CARDS[number] ?? {
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message:
        'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
    }
  );
}

export function isTestCard(card: TestCard | CardError): card is TestCard {
  return 'outcome' in card;
}

function numberError(number: string): CardError | null {
  if (!/^\d{12,19}$/.test(number)) {
    const message = 'The card number is not a valid credit card number.';
    return { code: 'invalid_number', param: 'number', message };
  }
  if (hasCheckDigit(number)) return null;
  return { code: 'incorrect_number', param: 'number', message: 'Your card number is incorrect.' };
}

function expiryError({ exp_month: month, exp_year: year }: GivenCard): CardError | null {
  const today = new Date();
  if (year < today.getFullYear() || year > today.getFullYear() + 50) {
    const message = "Your card's expiration year is invalid.";
    return { code: 'invalid_expiry_year', param: 'exp_year', message };
  }
  const isPast = year === today.getFullYear() && month < today.getMonth() + 1;
  if (month >= 1 && month <= 12 && !isPast) return null;
  const message = "Your card's expiration month is invalid.";
  return { code: 'invalid_expiry_month', param: 'exp_month', message };
}

function cvcError({ cvc }: GivenCard): CardError | null {
  if (/^\d{3,4}$/.test(cvc)) return null;
  return { code: 'invalid_cvc', param: 'cvc', message: "Your card's security code is invalid." };
}

/** Whether a card number's last digit is right by Luhn's algorithm. */
export function hasCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
