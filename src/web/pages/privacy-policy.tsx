import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { LANGUAGE_COOKIE } from '#contract/base/i18n.ts';
import { DEVICE_DAYS, SESSION_IDLE_DAYS, SESSION_MAX_DAYS } from '#contract/base/limits.ts';
import { marketName } from '#contract/base/market.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { VIEW_ORIGINS_KEPT_DAYS } from '#contract/coupons/limits.ts';
import { CLAIM_PICTURE_DAYS } from '#contract/money/claims.ts';
import { DENIED_REQUESTS_KEPT_DAYS } from '#contract/oversight/moderation.ts';
import { SIGN_INS_KEPT_DAYS } from '#contract/people/accounts.ts';
import { Document, type Section } from '#web/oversight/legal/document.tsx';
import { feeFacts, MINIMUM_AGE } from '#web/oversight/legal/facts.ts';
import { LegalPage } from '#web/oversight/legal/legal-page.tsx';
import { Support } from '#web/oversight/legal/support.tsx';

function Basics() {
  return (
    <ul>
      <li>
        <Trans>You must be at least {MINIMUM_AGE} years old to have an account.</Trans>
      </li>
      <li>
        <Trans>
          Bids are binding offers. Each successful bid transaction costs a platform fee of{' '}
          {feeFacts().fromEach}.
        </Trans>
      </li>
      <li>
        <Trans>Card payments are handled by a third-party payment provider.</Trans>
      </li>
    </ul>
  );
}

const SECTIONS: readonly Section[] = [
  { id: 'basics', title: t`Who this is for, and what it costs`, body: <Basics /> },
  {
    id: 'what',
    title: t`What we store, and why`,
    body: (
      <ul>
        <li>
          <Trans>
            <strong>Your account:</strong> username, email address, country, preferred currency, the language
            in which we write to you, and the few lines about yourself if you write any. The password is
            stored only as a hash from which it cannot be read. We also store when you accepted the terms and
            said that you are of age.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Your coupons:</strong> what you enter about them. Codes and their pictures are encrypted;
            only the coupon’s owner can see them, not even an admin, and we record every view and show it to
            the owner.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Your deals:</strong> exchanges, bids, sales and how they ended, your messages, your
            ratings, and the notifications that tell you of all this.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Your sessions:</strong> for each browser that is signed in, a hash of its key, what the
            browser says about itself (such as “Firefox on Linux”), and when it was last seen, so that you can
            sign it out from elsewhere.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Signs that one person has two accounts:</strong> a hash of the internet address at each
            sign-in, and which accounts were used in the same browser. Deals and ratings between such accounts
            earn no points. No one else sees this.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Reports and decisions:</strong> what you report about others, what others report about
            you, and what moderators decide. A reported person does not learn who reported them.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Your internet address,</strong> for as long as it takes to limit abuse: how often somebody
            may try a password, look up a code, or send a report. These counters expire on their own. The
            server’s log records requests so that we can keep it running. When we refuse a request, such as a
            sign-in with a wrong password, we store the address, the account and what was asked for, so that
            admins can see abuse.
          </Trans>
        </li>
      </ul>
    ),
  },
  {
    id: 'who',
    title: t`Who sees what`,
    body: (
      <ul>
        <li>
          <Trans>
            <strong>Everyone:</strong> your username, your listings without their codes, your public profile,
            your ratings, your place on the leaderboard, how fast you usually answer, and the hour when you
            were last here.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>The other side of a deal:</strong> your messages in it. The new owner of a coupon sees its
            code.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Anyone who has your calendar address,</strong> if you make one: the titles, merchants and
            last days of your coupons. You can end it in your settings.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Emails that you forward to us,</strong> if you make an address for them: nobody but you.
            We read the vouchers in them and keep only these, encrypted, until you list or discard them, at
            most 30 days. The service that takes these emails for us passes them on.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Moderators:</strong> reports and claims, and what is needed to decide them.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Admins:</strong> also your email address, to help you and to stop abuse. No other member
            ever sees it.
          </Trans>
        </li>
      </ul>
    ),
  },
  {
    id: 'others',
    title: t`Others who take part`,
    body: (
      <>
        <p>
          <Trans>We never sell your data. Some services work for us:</Trans>
        </p>
        <ul>
          <li>
            <Trans>
              <strong>Payment providers</strong> (Stripe, PayPal) take payments and pay sellers. Card numbers
              go to them from your browser; we keep the brand, the last four digits and the expiry date of a
              card that you choose to keep. Their scripts are loaded only at checkout.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Validation services</strong> check a code when you, or someone about to make a deal, ask
              for it. They get the code and the merchant, and nothing about you.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Apple or Google</strong> get the code of a coupon, with its title, merchant and terms,
              when you add it to their wallet, and are told when it is no longer yours. Of an Apple device we
              keep a number for that.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Mail servers</strong> deliver our emails to you.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Push services</strong> of your browser’s maker (Google, Mozilla, Microsoft or Apple)
              deliver push notifications if you have turned them on. They are encrypted: the service knows
              when one arrives, but not what it says.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Search engines</strong> are told which public pages exist.
            </Trans>
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'not',
    title: t`What we do not do`,
    body: (
      <p>
        <Trans>
          There are no trackers, no advertising and no statistics services on {ph({ market: marketName() })}.
          Fonts and avatars come from this site itself: no one else learns that you read a page here.
        </Trans>
      </p>
    ),
  },
  {
    id: 'cookies',
    title: t`Cookies and your browser’s storage`,
    body: (
      <p>
        <Trans>
          One cookie keeps you signed in. A second one, which lasts for {DEVICE_DAYS} days after a sign-in,
          lets you sign in again while someone else is guessing at your password, and tells us which accounts
          were used in your browser. A third one may last for a minute after you change something, so that you
          see your change at once. If you choose a country without having an account, a cookie keeps it for a
          year. If you choose a language, the cookie “{LANGUAGE_COOKIE}” keeps it for a year. They are used
          for nothing else. Your browser also remembers whether you prefer light or dark, and which hints you
          have dismissed. That never leaves your browser. If you ask for it, it keeps the codes of your
          coupons, encrypted, until you sign out; we record that it got them, and when it showed one.
        </Trans>
      </p>
    ),
  },
  {
    id: 'retention',
    title: t`How long we keep it`,
    body: (
      <ul>
        <li>
          <Trans>
            Sessions end after {SESSION_IDLE_DAYS} days without a visit, and after {SESSION_MAX_DAYS} days in
            any case. Links in our emails work for a limited time, and once.
          </Trans>
        </li>
        <li>
          <Trans>
            Your sign-ins, with the name of the browser and the hash of the internet address:{' '}
            {SIGN_INS_KEPT_DAYS} days. That two accounts shared a browser, or an address during a deal:
            permanently, so that points stay correct.
          </Trans>
        </li>
        <li>
          <Trans>Refused requests, with the internet address: {DENIED_REQUESTS_KEPT_DAYS} days.</Trans>
        </li>
        <li>
          <Trans>
            With each view of a code, the internet address and the browser it came from:{' '}
            {VIEW_ORIGINS_KEPT_DAYS} days. If the buyer’s bank questions the payment, we can show it that the
            code was opened.
          </Trans>
        </li>
        <li>
          <Trans>
            When each code was listed, shown and handed over, and by which of its owners, as a number:
            permanently, so that no one can change it. Statements and daily roots contain these numbers and
            times, but no names.
          </Trans>
        </li>
        <li>
          <Trans>
            Pictures that you add to a claim that a code does not work: {CLAIM_PICTURE_DAYS} days after it
            ends. The other side can see them until the decision, and moderators at any time.
          </Trans>
        </li>
        <li>
          <Trans>A copy of your data that you ask for: 24 hours. After that, ask for a new one.</Trans>
        </li>
        <li>
          <Trans>Your account and what you have listed: until you delete them.</Trans>
        </li>
        <li>
          <Trans>
            Records of payments, and of moderators’ and admins’ decisions: for as long as accounting and the
            law require, six years or more, even after you have left. They then hold a number, not your name.
          </Trans>
        </li>
      </ul>
    ),
  },
  {
    id: 'deletion',
    title: t`Deleting your account`,
    body: (
      <p>
        <Trans>
          You can delete it yourself in your <Link to={paths.settings('danger-zone')}>profile settings</Link>.
          Your name, your email address, what you wrote about yourself and your password are then erased, your
          sessions end and your listings are taken down. What also concerns other people stays, without your
          name: finished deals, the messages in them, and payments. While a deal is in progress or we hold
          money, you cannot delete your account yet. We keep a keyed hash of your username and your email
          address, from which neither can be read, so that no one else can ever register them.
        </Trans>
      </p>
    ),
  },
  {
    id: 'rights',
    title: t`Your rights`,
    body: (
      <p>
        <Trans>
          You have the right to know what we store about you, to have it corrected, to get a copy, to have it
          deleted, and to object to how we use it. You can get a copy in your{' '}
          <Link to={paths.settings('your-data')}>profile settings</Link>, as files that other programs can
          read, and do most of the rest there yourself; for anything else, write to support. If you think that
          we mishandle your data, you may complain to the data protection authority where you live.
        </Trans>
      </p>
    ),
  },
  {
    id: 'security',
    title: t`How it is protected`,
    body: (
      <p>
        <Trans>
          Connections are encrypted. Codes are encrypted with AES-256, passwords are hashed with Argon2id,
          session keys and emailed links are stored as hashes only. If something goes wrong with your data
          anyway, we tell you, and the authorities where the law requires it.
        </Trans>
      </p>
    ),
  },
  {
    id: 'changes',
    title: t`Changes`,
    body: (
      <p>
        <Trans>When we change this policy, the date above changes with it.</Trans>
      </p>
    ),
  },
  { id: 'contact', title: t`Contact`, body: <Support /> },
];

/** The Privacy Policy (spec/3 section 2): what this program stores. */
export function Component() {
  return (
    <LegalPage page="privacy-policy" title={PAGES.privacyPolicy.title()}>
      <Document
        summary={
          <Trans>
            We store what the marketplace needs to work and nothing else. Your codes are encrypted, no other
            member sees your email address, and no tracker, font service or avatar service learns that you
            were here.
          </Trans>
        }
        sections={SECTIONS}
      />
    </LegalPage>
  );
}
