import { beforeAll, beforeEach } from 'vitest';
import type { Draft } from '#contract/coupons/drafts.ts';
import { rawMail, type SentMail } from '#sandbox/inbound/deliveries.ts';
import type { Actor } from '#server/context/context.ts';
import { readWaitingMail } from '#server/coupons/drafts/reading.ts';
import { receiveMail } from '#server/coupons/drafts/receiving.ts';
import { renewMailAddress } from '#server/coupons/drafts/service.ts';
import { openDrafts } from '#server/coupons/drafts/viewing.ts';
import { openInboundMail } from '#server/providers/inbound-mail/open-inbound-mail.ts';
import { actingAs, createTestClock, createTestContext, createUser, type TestContext } from './builders.ts';
import { setUpDatabase } from './database.ts';

const SECRET = 'a secret of sixteen or more';
const inboundMail = openInboundMail({ provider: 'postmark', domain: 'in.clipswap.example', secret: SECRET });

/** Mail to ClipSwap for one test file: before each test, `owner` is a new person with the address `to`, and the clock begins `at`. */
export function setUpForwarding(at?: Date) {
  const database = setUpDatabase();
  const ctx = {} as TestContext;
  const owner = {} as Actor;
  const address = { to: '' };

  beforeAll(() => {
    Object.assign(
      ctx,
      createTestContext(database, { clock: createTestClock(at), providers: { inboundMail } }),
    );
  });
  beforeEach(async () => {
    Object.assign(owner, await createUser(ctx));
    address.to = (await renewMailAddress(actingAs(ctx, owner))).address ?? '';
  });

  /** Takes a mail to `owner` from the provider, as it is sent or from its bytes. */
  async function receive(mail: Partial<SentMail>, raw?: string): Promise<void> {
    const whole = {
      from: 'Corner Coffee <news@corner.example>',
      subject: 'Your voucher',
      ...mail,
      ...address,
    };
    const authorization = `Basic ${Buffer.from(`clipswap:${SECRET}`).toString('base64')}`;
    const fields = { OriginalRecipient: address.to, RawEmail: raw ?? (await rawMail(whole)) };
    await receiveMail(ctx, { provider: 'postmark', authorization, read: async () => fields });
  }

  const drafts = (): Promise<Draft[]> => openDrafts(actingAs(ctx, owner));

  /** The drafts of a mail that is read at once. */
  async function draftsOf(mail: Partial<SentMail>): Promise<Draft[]> {
    await receive(mail);
    await readWaitingMail(ctx);
    return drafts();
  }

  return { ctx, owner, address, receive, drafts, draftsOf };
}
