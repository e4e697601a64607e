import type Stripe from 'stripe';
import type { FailedPayout, OnboardingRequest, SellerAccount } from '../payments.ts';
import type { Requirement } from '../requirements.ts';
import { asking, createWithFreshKey, orNull } from './client.ts';

const INCLUDE: Stripe.V2.Core.AccountRetrieveParams['include'] = ['configuration.recipient', 'requirements'];

/**
 * Creates the seller's account if there is none, and a link to Stripe's onboarding pages that works once.
 * @throws ProviderRefusal, ProviderUnreachable
 */
export function startOnboarding(stripe: Stripe, request: OnboardingRequest) {
  return asking(async () => {
    const account = request.accountRef ?? (await createAccount(stripe, request));
    // No idempotency key: a second link does no harm, but a replayed one is already used up.
    const link = await stripe.v2.core.accountLinks.create({
      account,
      use_case: {
        type: 'account_onboarding',
        account_onboarding: {
          return_url: request.returnUrl,
          refresh_url: request.refreshUrl,
          collection_options: { fields: 'eventually_due' },
        },
      },
    });
    return { accountRef: account, url: link.url };
  });
}

/**
 * The current state of the seller's account; null when Stripe has none with this id.
 * @throws ProviderRefusal, ProviderUnreachable
 */
export async function readAccount(
  stripe: Stripe,
  { accountRef }: { accountRef: string | null },
): Promise<SellerAccount | null> {
  if (accountRef === null) return null;
  const account = await orNull(
    asking(() => stripe.v2.core.accounts.retrieve(accountRef, { include: INCLUDE })),
  );
  if (account === null) return null;
  const plain = sellerAccount(account);
  return plain.isReady ? { ...plain, failedPayout: await readFailedPayout(stripe, accountRef) } : plain;
}

/** The seller's latest payout to the bank, if it failed. */
async function readFailedPayout(stripe: Stripe, account: string): Promise<FailedPayout | null> {
  const { data } = await asking(() => stripe.payouts.list({ limit: 1 }, { stripeAccount: account }));
  const [latest] = data;
  if (latest?.status !== 'failed') return null;
  const reason = latest.failure_message ?? 'The bank gives no reason.';
  return { ref: latest.id, amount: latest.amount, reason };
}

/** An account that only receives money: ClipSwap charges the buyers, and bears fees and losses. */
async function createAccount(stripe: Stripe, request: OnboardingRequest): Promise<string> {
  const account = await createWithFreshKey(`${request.idempotencyKey}:account`, (idempotencyKey) =>
    stripe.v2.core.accounts.create(
      {
        contact_email: request.email,
        display_name: request.displayName,
        dashboard: 'express',
        identity: { country: request.country.toLowerCase() },
        defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
        configuration: {
          recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
        },
        metadata: { seller_id: request.userId },
        include: INCLUDE,
      },
      { idempotencyKey },
    ),
  );
  return account.id;
}

function sellerAccount(account: Stripe.V2.Core.Account): SellerAccount {
  const transfers = account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers;
  const isReady = transfers?.status === 'active' && account.closed !== true;
  return {
    accountRef: account.id,
    isReady,
    paymentsReceivable: isReady,
    // Stripe has no separate condition for this: it is part of the requirements.
    primaryEmailConfirmed: true,
    isRestricted: account.closed === true || RESTRICTED.has(transfers?.status ?? ''),
    requirements: requirementsOf(account),
    failedPayout: null,
  };
}

const RESTRICTED: ReadonlySet<string> = new Set(['restricted', 'rejected', 'unsupported']);

/** Ours by Stripe's requirement names. The name itself is spelled out for an unknown one. */
const WANTED: Readonly<Record<string, Requirement>> = {
  given_name: 'legal_name',
  surname: 'legal_name',
  date_of_birth: 'date_of_birth',
  day: 'date_of_birth',
  month: 'date_of_birth',
  year: 'date_of_birth',
  line1: 'home_address',
  city: 'home_address',
  state: 'home_address',
  postal_code: 'home_address',
  id_numbers: 'identity_number',
  primary_verification: 'identity_document',
  secondary_verification: 'proof_of_address',
  default_outbound_destination: 'bank_account',
  terms_of_service: 'terms_of_service',
  entity_type: 'person_or_company',
};

/** Why an account is rejected for good. */
const REASONS: readonly (readonly [prefix: string, requirement: Requirement])[] = [
  ['unsupported_', 'unsupported'],
  ['rejected_', 'rejected'],
  ['restricted_', 'restricted'],
  ['requirements_pending_verification', 'checking_proofs'],
  ['determining_status', 'checking_account'],
];

/** What the seller still has to do, without duplicates. */
function requirementsOf({ requirements, configuration }: Stripe.V2.Core.Account): readonly string[] {
  const wanted = (requirements?.entries ?? [])
    .filter((entry) => entry.awaiting_action_from === 'user')
    .map((entry) => requirementIn(entry.description));
  if (wanted.length > 0) return [...new Set(wanted)];
  const transfers = configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers;
  const codes = transfers?.status === 'active' ? [] : (transfers?.status_details ?? []);
  const reasons = codes.flatMap(({ code }) => REASONS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? []);
  return [...new Set(reasons)];
}

/** 'identity.individual.documents.primary_verification' → 'identity_document'. */
function requirementIn(description: string): string {
  const parts = description.split('.').reverse();
  const known = parts.find((part) => Object.hasOwn(WANTED, part));
  if (known !== undefined) return WANTED[known] ?? known;
  const text = (parts[0] ?? description).replaceAll('_', ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
