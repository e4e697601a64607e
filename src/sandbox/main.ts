import { addInboundPage } from './inbound/page.ts';
import { addOpenId, OPENID_PREFIX, type OpenIdSandbox } from './openid/server.ts';
import { addOutbox } from './outbox.ts';
import { addOutsidePage } from './outside-page.ts';
import { addPageStyles } from './page.ts';
import { addPaypal, PAYPAL_PREFIX, type PaypalSandbox } from './paypal/server.ts';
import { addPush, type PushSandbox } from './push/server.ts';
import { createApp, type SandboxOptions } from './server.ts';
import type { SandboxStore } from './store.ts';
import { addStripe, type StripeSandbox } from './stripe/server.ts';

/** Keys that work with the stand-ins only. */
const STRIPE = { secretKey: 'sk_test_clipswap_sandbox', webhookSecret: 'whsec_clipswap_sandbox' };
const PAYPAL = {
  clientId: 'clipswap-sandbox-client',
  clientSecret: 'clipswap-sandbox-secret',
  partnerId: 'CLSWPPARTNER2',
  webhookId: '0CL1PSWAPSANDB0X1',
};

/** Takes mail as Mailgun does. */
const INBOUND_MAIL = { domain: 'in.clipswap.example', secret: 'clipswap-sandbox-signing-key' };

/** The settings by which the marketplace uses a sandbox at this address, as for a real account. */
export function sandboxSettings(url: string) {
  return {
    SANDBOX_URL: url,
    STRIPE_SECRET_KEY: STRIPE.secretKey,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_clipswap_sandbox',
    STRIPE_WEBHOOK_SECRETS: STRIPE.webhookSecret,
    STRIPE_API_BASE: url,
    PAYPAL_CLIENT_ID: PAYPAL.clientId,
    PAYPAL_CLIENT_SECRET: PAYPAL.clientSecret,
    PAYPAL_PARTNER_ID: PAYPAL.partnerId,
    PAYPAL_WEBHOOK_ID: PAYPAL.webhookId,
    PAYPAL_API_BASE: `${url}${PAYPAL_PREFIX}`,
    INBOUND_MAIL_DOMAIN: INBOUND_MAIL.domain,
    INBOUND_MAIL_PROVIDER: 'mailgun',
    INBOUND_MAIL_SECRET: INBOUND_MAIL.secret,
  } as const;
}

/** A provider of OpenID. A stranger who tries the market out needs none, so it is set up for tests alone. */
const OPENID = { clientId: 'clipswap-sandbox', clientSecret: 'clipswap-sandbox-openid-secret' };

/** The settings by which people sign in with the sandbox's provider of OpenID. */
export function openIdSettings(url: string) {
  return {
    OPENID_ISSUER: `${url}${OPENID_PREFIX}`,
    OPENID_CLIENT_ID: OPENID.clientId,
    OPENID_CLIENT_SECRET: OPENID.clientSecret,
    OPENID_NAME: 'Sandbox ID',
  } as const;
}

/** The stand-ins of Stripe, PayPal, a provider of OpenID, mail servers both ways, and a push service. People and banks act through `stripe` and `paypal`. */
export interface Sandbox {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  readonly stripe: StripeSandbox;
  readonly paypal: PaypalSandbox;
  readonly push: PushSandbox;
  readonly openId: OpenIdSandbox;
  /** Stops listening and delivering. */
  close(): Promise<void>;
}

interface Options extends Partial<Pick<SandboxOptions, 'webhooks' | 'fault' | 'later'>> {
  readonly store: SandboxStore;
  /** Where the marketplace listens, null before it does: webhooks are sent there. */
  readonly marketplace: () => string | null;
  /** Where browsers reach the marketplace, which passes /sandbox/ on to here. */
  readonly publicUrl: string;
  readonly reportLimit?: number;
}

/** Starts the stand-ins on a free port of the loopback. */
export async function openSandbox(options: Options): Promise<Sandbox> {
  const { store, marketplace, publicUrl, webhooks = 'auto', fault, later, reportLimit } = options;
  const app = createApp();
  let url = '';
  const optionsOf = (provider: 'stripe' | 'paypal') => ({
    ...{ store, webhooks, fault, later },
    webhookUrl: () => {
      const address = marketplace();
      return address === null ? null : `${address}/api/webhooks/${provider}`;
    },
    webhookAddress: `${publicUrl}/api/webhooks/${provider}`,
    browserUrl: `${publicUrl}/sandbox/${provider}`,
  });
  const paypalUrl = () => `${url}${PAYPAL_PREFIX}`;
  const stripe = await addStripe(app, { ...optionsOf('stripe'), ...STRIPE });
  const paypal = await addPaypal(app, { ...optionsOf('paypal'), ...PAYPAL, url: paypalUrl, reportLimit });
  addPageStyles(app);
  addOutsidePage(app, { stripe, paypal });
  addOutbox(app, store);
  addInboundPage(app, { marketplace, secret: INBOUND_MAIL.secret });
  const push = addPush(app, { store, url: () => url });
  const openId = addOpenId(app, { ...OPENID, url: () => url, publicUrl });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, stripe, paypal, push, openId, close: () => app.close() };
}
