import type Stripe from 'stripe';
import { z } from 'zod';
import { baseCurrency } from '#contract/base/money.ts';
import type { Api } from './http.ts';
import { newId, type OnboardingState, randomLetters, type StripeContext } from './objects.ts';
import { invalid, readParams } from './params.ts';

/** A link older than this redirects to its refresh_url. */
const LINK_MINUTES = 30;

const createParams = z.strictObject({
  contact_email: z.email(),
  display_name: z.string().optional(),
  dashboard: z.enum(['express', 'full', 'none']),
  identity: z.strictObject({ country: z.string().regex(/^[a-z]{2}$/), entity_type: z.string().optional() }),
  defaults: z.strictObject({
    currency: z.string().optional(),
    responsibilities: z.strictObject({
      fees_collector: z.literal('application'),
      losses_collector: z.literal('application'),
    }),
  }),
  configuration: z.strictObject({
    recipient: z.strictObject({
      capabilities: z.strictObject({
        stripe_balance: z.strictObject({ stripe_transfers: z.strictObject({ requested: z.literal(true) }) }),
      }),
    }),
  }),
  metadata: z.record(z.string(), z.coerce.string()).default({}),
  include: z.array(z.string()).default([]),
});
const readParamsSchema = z.strictObject({ include: z.array(z.string()).default([]) });

const page = z.strictObject({
  return_url: z.url(),
  refresh_url: z.url(),
  collection_options: z.strictObject({ fields: z.enum(['currently_due', 'eventually_due']) }).optional(),
});
const linkParams = z.strictObject({
  account: z.string(),
  use_case: z.strictObject({ type: z.literal('account_onboarding'), account_onboarding: page }),
});

export function addAccounts(api: Api, ctx: StripeContext): void {
  const { stored } = ctx;

  api.post('/v2/core/accounts', async ({ input }) => {
    const { include, ...params } = readParams(input, createParams);
    const account = await stored.accounts.put(accountOf(params));
    await stored.onboarding.put({ id: account.id, state: 'started' });
    ctx.emitThin('v2.core.account.created', account.id);
    return withIncluded(account, include);
  });

  api.get('/v2/core/accounts/:id', async ({ id, input }) => {
    const { include } = readParams(input, readParamsSchema);
    return withIncluded(await ctx.stored.accounts.find(id), include);
  });

  api.post('/v2/core/account_links', async ({ input }) => {
    const { account, use_case } = readParams(input, linkParams);
    await stored.accounts.find(account);
    const token = randomLetters(32);
    const created = new Date();
    const expiresAt = new Date(created.getTime() + LINK_MINUTES * 60_000).toISOString();
    const { return_url: returnUrl, refresh_url: refreshUrl } = use_case.account_onboarding;
    await stored.links.put({ id: token, account, returnUrl, refreshUrl, expiresAt, isUsed: false });
    const link: Stripe.V2.Core.AccountLink = {
      object: 'v2.core.account_link',
      account,
      created: created.toISOString(),
      expires_at: expiresAt,
      livemode: false,
      url: `${ctx.browserUrl}/browser/onboarding/${token}`,
      use_case,
    };
    return link;
  });
}

/** Whether money can be transferred to the account. */
export function isActive({ configuration }: Stripe.V2.Core.Account): boolean {
  return configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status === 'active';
}

/** The seller leaves Stripe's pages. */
export async function leaveOnboarding(ctx: StripeContext, id: string, state: OnboardingState): Promise<void> {
  const { stored } = ctx;
  await stored.accounts.find(id);
  const before = await stored.onboarding.get(id);
  ctx.emitThin('v2.core.account_link.returned', id);
  // Opening the pages again and leaving changes nothing.
  if (state === 'started' || before?.state === 'done') return;
  await setAccountState(ctx, id, state);
}

/** Stripe restricts an account until a document is there, rejects it for good, or lets it be paid again. */
export async function setAccountState(ctx: StripeContext, id: string, state: OnboardingState): Promise<void> {
  const account = await ctx.stored.accounts.find(id);
  await ctx.stored.onboarding.put({ id, state });
  await ctx.stored.accounts.put({ ...account, ...onboardingFields(state) });
  ctx.emitThin('v2.core.account[requirements].updated', id);
  ctx.emitThin('v2.core.account[configuration.recipient].capability_status_updated', id);
}

type NewAccount = Omit<z.infer<typeof createParams>, 'include'>;

function accountOf({ display_name, ...given }: NewAccount): Stripe.V2.Core.Account {
  const { identity, defaults, dashboard, contact_email, metadata } = given;
  if (identity.entity_type !== undefined) throw invalid('Unknown here: identity[entity_type]');
  return {
    id: newId('acct').slice(0, 21),
    object: 'v2.core.account',
    applied_configurations: ['recipient'],
    closed: false,
    ...onboardingFields('started'),
    contact_email,
    created: new Date().toISOString(),
    dashboard,
    defaults: {
      currency: defaults.currency ?? baseCurrency().toLowerCase(),
      locales: [],
      responsibilities: { ...defaults.responsibilities, requirements_collector: 'stripe' },
    },
    ...(display_name !== undefined && { display_name }),
    identity: { country: identity.country },
    livemode: false,
    metadata,
  };
}

/** The parts of an account that depend on its set-up: whether it can be paid, and what is still missing. */
function onboardingFields(
  state: OnboardingState,
): Pick<Stripe.V2.Core.Account, 'configuration' | 'requirements'> {
  const { status, details, entries, deadline } = ONBOARDING[state];
  return {
    configuration: {
      recipient: {
        applied: true,
        capabilities: { stripe_balance: { stripe_transfers: { status, status_details: details } } },
      },
    },
    requirements: {
      entries: entries.map((description) => entryOf(description, deadline)),
      summary: entries.length > 0 ? { minimum_deadline: { status: deadline } } : {},
    },
  };
}

type Transfers = Stripe.V2.Core.Account.Configuration.Recipient.Capabilities.StripeBalance.StripeTransfers;
type Deadline = 'currently_due' | 'past_due';

const ONBOARDING: Readonly<
  Record<
    OnboardingState,
    {
      readonly status: Transfers['status'];
      readonly details: Transfers['status_details'];
      readonly entries: readonly string[];
      readonly deadline: Deadline;
    }
  >
> = {
  started: {
    status: 'pending',
    details: [{ code: 'determining_status', resolution: 'provide_info' }],
    entries: [
      'identity.individual.given_name',
      'identity.individual.date_of_birth.day',
      'identity.individual.address.line1',
      'identity.individual.documents.primary_verification',
      'configuration.recipient.default_outbound_destination',
      'identity.attestations.terms_of_service.account',
    ],
    deadline: 'currently_due',
  },
  incomplete: {
    status: 'restricted',
    details: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
    entries: ['identity.individual.documents.primary_verification'],
    deadline: 'past_due',
  },
  rejected: {
    status: 'rejected',
    details: [{ code: 'rejected_other', resolution: 'contact_stripe' }],
    entries: [],
    deadline: 'currently_due',
  },
  done: { status: 'active', details: [], entries: [], deadline: 'currently_due' },
};

function entryOf(description: string, status: Deadline): Stripe.V2.Core.Account.Requirements.Entry {
  return {
    awaiting_action_from: 'user',
    description,
    errors: [],
    impact: {
      restricts_capabilities: [
        {
          capability: 'stripe_balance.stripe_transfers',
          configuration: 'recipient',
          deadline: { status },
        },
      ],
    },
    minimum_deadline: { status },
    requested_reasons: [{ code: 'routine_onboarding' }],
  };
}

/** Stripe leaves these parts of an account out unless they are asked for. */
function withIncluded(account: Stripe.V2.Core.Account, include: readonly string[]): Stripe.V2.Core.Account {
  const { configuration, requirements, identity, defaults, ...plain } = account;
  return {
    ...plain,
    ...(include.includes('configuration.recipient') && configuration && { configuration }),
    ...(include.includes('requirements') && requirements && { requirements }),
    ...(include.includes('identity') && identity && { identity }),
    ...(include.includes('defaults') && defaults && { defaults }),
  };
}
