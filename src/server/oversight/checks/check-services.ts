import { randomUUID, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { plural, t } from '@lingui/core/macro';
import { type PaymentProviderName, PROVIDER_NAMES } from '#contract/people/sellers.ts';
import { isPublic } from '#server/core/unsafe-settings.ts';
import { lookAtVault } from '#server/database/vault.ts';
import { ProviderRefusal, type WebhookTarget } from '#server/providers/payments.ts';
import {
  attention,
  broken,
  type CheckOf,
  type Examined,
  type Finding,
  good,
  notSetUp,
  reasonOf,
} from './findings.ts';

/** Signs in at the mail server, and sends a mail where somebody is named. */
export const mail: CheckOf = {
  id: 'mail',
  name: () => t`Mail`,
  async look({ providers, config, mailTo }) {
    const mailer = providers.mail;
    if (!mailer) return mailMissing(config.isProduction);
    if (mailer.transport === 'outbox')
      return notSetUp(
        t`Emails are shown only on the page for developers, /sandbox/mail.`,
        t`Set SMTP_URL and MAIL_FROM before real people join.`,
      );
    try {
      if (mailTo === null) {
        await mailer.check();
        return good(t`The mail server accepts us. No test email was asked for.`);
      }
      await mailer.send(testMail(mailTo));
      return good(
        t`A test email is on its way to ${mailTo}. Check that it arrives, and that it is not in the spam folder.`,
      );
    } catch (error) {
      const reason = reasonOf(error);
      return broken(
        t`The mail server refuses our emails: ${reason}`,
        t`Check SMTP_URL (user, password, port) and MAIL_FROM, which the mail server must allow as a sender.`,
      );
    }
  },
};

function mailMissing(isProduction: boolean): Finding {
  if (!isProduction) return notSetUp(t`Email is not set up: emails are on hold.`);
  return broken(
    t`Email is not set up: no one can confirm an email address, and all emails are on hold.`,
    t`Set SMTP_URL and MAIL_FROM.`,
  );
}

function testMail(to: string) {
  const text = t`This is the test email that you asked for. Mail works.`;
  return {
    to,
    subject: t`Test email`,
    text,
    html: `<p>${text}</p>`,
    unsubscribeUrl: null,
    messageId: `<${randomUUID()}@checks>`,
  };
}

/** Asks a payment provider where it sends its events. */
function webhooksOf(name: PaymentProviderName): CheckOf {
  const provider = PROVIDER_NAMES[name];
  return {
    id: name,
    name: () => t`Webhooks of ${provider}`,
    async look({ providers, config }) {
      const asked = providers.payments[name];
      if (!asked) return notSetUp(t`${provider} is not set up.`);
      const address = `${config.publicUrl}/api/webhooks/${name}`;
      try {
        const targets = await asked.listWebhooks();
        return judgeTargets(provider, address, asked.neededEvents, targets);
      } catch (error) {
        if (error instanceof ProviderRefusal) return refused(provider, error);
        const reason = reasonOf(error);
        return broken(
          t`${provider} does not answer: ${reason}`,
          t`Allow this server to reach ${provider} over HTTPS (port 443), and check its status page.`,
        );
      }
    },
  };
}

function refused(provider: string, error: ProviderRefusal): Finding {
  const reason = reasonOf(new Error(error.message));
  return broken(
    t`${provider} refuses to list its webhooks: ${reason}`,
    t`Check the keys of ${provider}. A restricted key needs permission to read webhook endpoints.`,
  );
}

function judgeTargets(
  provider: string,
  address: string,
  needed: readonly string[],
  targets: readonly WebhookTarget[],
): Finding {
  const ours = targets.filter(({ url }) => url === address);
  if (ours.length === 0) {
    const others = targets.map(({ url }) => url).join(', ');
    return broken(
      others === ''
        ? t`${provider} does not send its events anywhere.`
        : t`${provider} sends its events to another address: ${others}`,
      t`Add a webhook to ${address} there, with the events of docs/payments.md, and its secret or id to the settings.`,
    );
  }
  const enabled = ours.filter(({ isEnabled }) => isEnabled);
  const events = new Set(enabled.flatMap((target) => target.events));
  const missing = events.has('*') ? [] : needed.filter((event) => !events.has(event));
  if (enabled.length === 0)
    return broken(
      t`${provider} has disabled our webhook.`,
      t`Find out there why deliveries failed, then enable it again.`,
    );
  if (missing.length > 0) {
    const list = missing.join(', ');
    return broken(
      t`${provider} does not send us all the events we need: ${list}`,
      t`Add these events to the webhook of ${address}.`,
    );
  }
  return good(t`${provider} sends all events to ${address}.`);
}

export const stripe = webhooksOf('stripe');
export const paypal = webhooksOf('paypal');

/** Writes, reads and deletes a file. */
export const storage: CheckOf = {
  id: 'storage',
  name: () => t`Storage of pictures`,
  async look({ providers, config }) {
    const name = `check-${randomUUID()}`;
    const bytes = Buffer.from(name);
    const advice =
      config.storage.kind === 's3'
        ? t`Check the S3 settings. The key must be allowed to list the bucket, and to get, put and delete its objects.`
        : t`Make the user who runs this program the owner of the folder FILES_DIR.`;
    try {
      await providers.storage.put(name, bytes);
      const read = await providers.storage.get(name);
      await providers.storage.remove(name);
      const left = await providers.storage.get(name);
      if (!read?.equals(bytes))
        return broken(t`A file that was just written could not be read again.`, advice);
      if (left !== null) return broken(t`A file could not be deleted.`, advice);
      return good(t`A file was written, read and deleted.`);
    } catch (error) {
      const reason = reasonOf(error);
      return broken(t`Storage is not working: ${reason}`, advice);
    }
  },
};

/** How long Redis may take to be connected to and to answer. */
const REDIS_MS = 5_000;

/** Asks Redis by a connection of its own. */
export const redis: CheckOf = {
  id: 'redis',
  name: () => t`Redis`,
  async look({ config }) {
    if (config.redis === null) return notSetUp(t`Live events and limits are kept in the database.`);
    const { createClient } = await import('@redis/client');
    const client = createClient({
      url: config.redis.url,
      disableOfflineQueue: true,
      socket: { connectTimeout: REDIS_MS, reconnectStrategy: false },
    });
    // Without a listener, the event would end the process; the same error rejects the call.
    client.on('error', () => {});
    const key = `${config.redis.prefix}check`;
    try {
      await client.connect();
      const began = performance.now();
      await client.set(key, '1', { expiration: { type: 'EX', value: 10 } });
      const ms = Math.round(performance.now() - began);
      await client.del(key);
      return good(t`Redis has stored and deleted a value; it answered within ${ms} ms.`);
    } catch (error) {
      const reason = reasonOf(error);
      return broken(
        t`Redis cannot be used: ${reason}`,
        t`Check REDIS_URL, its user’s permissions and the server’s memory. Until then, the database takes over.`,
      );
    } finally {
      client.destroy();
    }
  },
};

const DAY_MS = 86_400_000;
/** A certificate that ends sooner is to be renewed. In days. */
export const RENEW_DAYS = { wallet: 30, tls: 14 } as const;

/** When Apple's certificate for passes ends. */
export const wallets: CheckOf = {
  id: 'wallets',
  name: () => t`Wallets of phones`,
  async look({ config: { wallets: settings }, clock }) {
    if (settings.apple === null)
      return settings.google === null
        ? notSetUp(t`Codes cannot be added to the wallets of phones.`)
        : good(t`Google Wallet is set up.`);
    const { validTo } = new X509Certificate(await readFile(settings.apple.certificateFile));
    const days = Math.floor((Date.parse(validTo) - clock().getTime()) / DAY_MS);
    const advice = t`Renew it for the same pass type: docs/operations.md says how.`;
    if (days < 0)
      return broken(t`Apple’s certificate for passes has expired: we cannot make passes.`, advice);
    const ends = plural(days, {
      0: 'Apple’s certificate for passes ends today.',
      one: 'Apple’s certificate for passes ends in # day.',
      other: 'Apple’s certificate for passes ends in # days.',
    });
    return days < RENEW_DAYS.wallet ? attention(ends, advice) : good(ends);
  },
};

/** The key pair by which push services know us, and whether they can reach people from here. */
export const push: CheckOf = {
  id: 'push',
  name: () => t`Push notifications`,
  async look({ db, config }: Examined) {
    const { hasPushKeys } = await lookAtVault(db, config.secretKeys);
    if (!hasPushKeys)
      return attention(
        t`SECRET_KEY cannot decrypt the key pair for push services.`,
        t`Start the server once with the right SECRET_KEY: it makes the key pair.`,
      );
    const { protocol, hostname } = new URL(config.publicUrl);
    if (protocol !== 'https:' && isPublic(hostname))
      return attention(
        t`The key pair is in place, but browsers accept push notifications only from an https: address.`,
        t`Set up TLS in front of the server, and set PUBLIC_URL to the https: address.`,
      );
    return good(t`The key pair for push services is in place.`);
  },
};
