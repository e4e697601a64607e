import type Stripe from 'stripe';
import type { OnboardingRequest, SellerAccount } from '../payments.ts';
import { asking, makingAfresh, orNull } from './errors.ts';
import { requirementsOf } from './requirements.ts';

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
  return account && sellerAccount(account);
}

/** An account that only receives money: ClipSwap charges the buyers, and bears fees and losses. */
async function createAccount(stripe: Stripe, request: OnboardingRequest): Promise<string> {
  const account = await makingAfresh(`${request.idempotencyKey}:account`, (idempotencyKey) =>
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
  };
}

const RESTRICTED: ReadonlySet<string> = new Set(['restricted', 'rejected', 'unsupported']);
