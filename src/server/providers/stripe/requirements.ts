import type Stripe from 'stripe';

/** Stripe's requirement names in the seller's words. The name itself is spelled out for an unknown one. */
const WORDS: Readonly<Record<string, string>> = {
  given_name: 'Legal name',
  surname: 'Legal name',
  date_of_birth: 'Date of birth',
  day: 'Date of birth',
  month: 'Date of birth',
  year: 'Date of birth',
  line1: 'Home address',
  city: 'Home address',
  state: 'Home address',
  postal_code: 'Home address',
  id_numbers: 'Identity number',
  primary_verification: 'Identity document',
  secondary_verification: 'Proof of address',
  default_outbound_destination: 'Bank account for payouts',
  terms_of_service: "Stripe's terms of service",
  entity_type: 'Person or company',
};

/** Why an account is rejected for good. */
const REASONS: readonly (readonly [prefix: string, text: string])[] = [
  ['unsupported_', 'Stripe cannot pay an account of this kind or country'],
  ['rejected_', 'Stripe has rejected this account: write to Stripe'],
  ['restricted_', 'Stripe has restricted this account: write to Stripe'],
  ['requirements_pending_verification', 'Stripe is checking what you sent'],
  ['determining_status', 'Stripe is checking the account'],
];

/** What the seller still has to do, in words and without duplicates. */
export function requirementsOf({ requirements, configuration }: Stripe.V2.Core.Account): readonly string[] {
  const wanted = (requirements?.entries ?? [])
    .filter((entry) => entry.awaiting_action_from === 'user')
    .map((entry) => inWords(entry.description));
  if (wanted.length > 0) return [...new Set(wanted)];
  const transfers = configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers;
  const codes = transfers?.status === 'active' ? [] : (transfers?.status_details ?? []);
  const reasons = codes.flatMap(({ code }) => REASONS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? []);
  return [...new Set(reasons)];
}

/** 'identity.individual.documents.primary_verification' → 'Identity document'. */
function inWords(description: string): string {
  const parts = description.split('.').reverse();
  const known = parts.find((part) => Object.hasOwn(WORDS, part));
  if (known !== undefined) return WORDS[known] ?? known;
  const text = (parts[0] ?? description).replaceAll('_', ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
