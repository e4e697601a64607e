import { t } from '@lingui/core/macro';
import { marketName } from '#contract/base/market.ts';

/** What providers may need of a seller. */
const TEXTS = {
  legal_name: () => t`Legal name`,
  date_of_birth: () => t`Date of birth`,
  home_address: () => t`Home address`,
  identity_number: () => t`Identity number`,
  identity_document: () => t`Identity document`,
  proof_of_address: () => t`Proof of address`,
  bank_account: () => t`Bank account for payouts`,
  terms_of_service: () => t`Stripe’s terms of service`,
  person_or_company: () => t`Person or company`,
  unsupported: () => t`Stripe cannot pay an account of this kind or country`,
  rejected: () => t`Stripe has rejected this account: write to Stripe`,
  restricted: () => t`Stripe has restricted this account: write to Stripe`,
  checking_proofs: () => t`Stripe is checking what you sent`,
  checking_account: () => t`Stripe is checking the account`,
  paypal_limit: () => t`Lift the limit on your PayPal account`,
  paypal_email: () => t`Confirm the email address of your PayPal account`,
  paypal_consent: () => t`Allow ${{ market: marketName() }} to take payments for you`,
} as const;

export type Requirement = keyof typeof TEXTS;

/** A stored requirement in words. One that we do not know has come in the provider's words, or from an earlier release. */
export function requirementText(stored: string): string {
  return Object.hasOwn(TEXTS, stored) ? TEXTS[stored as Requirement]() : stored;
}
