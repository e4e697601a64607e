import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { currencyName } from '#contract/base/base-currency.ts';
import { BEGIN_MINUTES } from '#contract/base/limits.ts';
import { marketName } from '#contract/base/market.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { DEADLINE_DAYS } from '#contract/deals/deals.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import { DEPOSIT_LAPSE_DAYS } from '#contract/money/deposits.ts';
import { firstCover, LATE_CLAIM_DAYS, LATE_CLAIMS_MAX } from '#contract/money/guarantee.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { APPEAL_DAYS } from '#contract/oversight/moderation.ts';
import { guaranteeDaysNow } from '#web/lib/guarantee-days.ts';
import { Document, type Section } from '#web/oversight/legal/document.tsx';
import {
  DEFAULT_EXAMPLE,
  feeFacts,
  LARGEST_BID,
  MINIMUM_AGE,
  money,
  SMALLEST_BID,
} from '#web/oversight/legal/facts.ts';
import { LegalPage } from '#web/oversight/legal/legal-page.tsx';
import { Support } from '#web/oversight/legal/support.tsx';

const HOURS_TO_PAY = DEADLINE_DAYS.bidAccepted * 24;

function FeeExample() {
  const facts = feeFacts();
  return (
    <table>
      <caption>
        <Trans>An example: a bid of {facts.bid}</Trans>
      </caption>
      <tbody>
        <tr>
          <th scope="row">
            <Trans>The buyer’s fee ({facts.buyerRate})</Trans>
          </th>
          <td>{facts.buyerFee}</td>
        </tr>
        <tr>
          <th scope="row">
            <Trans>The buyer pays</Trans>
          </th>
          <td>{facts.buyerTotal}</td>
        </tr>
        <tr>
          <th scope="row">
            <Trans>The seller’s fee ({facts.sellerRate})</Trans>
          </th>
          <td>{facts.sellerFee}</td>
        </tr>
        <tr>
          <th scope="row">
            <Trans>The seller receives</Trans>
          </th>
          <td>{facts.netAmount}</td>
        </tr>
        <tr>
          <th scope="row">
            <Trans>{ph({ market: marketName() })} keeps</Trans>
          </th>
          <td>{facts.platformFee}</td>
        </tr>
      </tbody>
    </table>
  );
}

function FeeRule() {
  const { fromEach, buyerRate, sellerRate } = feeFacts();
  return (
    <p>
      <Trans>
        Listing and exchanging cost nothing. Each successful bid transaction costs a platform fee of{' '}
        {fromEach}: the buyer pays the bid and {buyerRate}, the seller receives the bid less {sellerRate}.
        Each fee is rounded to the cent. A bid that is never paid costs no one anything.
      </Trans>
    </p>
  );
}

function GuaranteeTerms() {
  const days = guaranteeDaysNow();
  if (days === 0) return null;
  return (
    <>
      <p>
        <Trans>
          For {days} days after these {HOLD_HOURS} hours, but no longer than until the coupon expires, the
          buyer can still claim that the code no longer works. This right ends when the buyer marks the coupon
          as used or passes it on. The claim must include what the merchant said, or a picture of it. Each
          sale can have one claim, and each person can have at most {LATE_CLAIMS_MAX} open or upheld claims of
          this kind in {LATE_CLAIM_DAYS} days. The seller can answer, and a moderator decides.
        </Trans>
      </p>
      <p>
        <Trans>
          If the claim is upheld, the sale is cancelled and the seller owes what they were paid: their payment
          provider takes it back, or we withhold it from later payouts. Our reserve, which we fill from our
          fees, pays what the seller cannot, while it has money: for one buyer, and for the codes of one
          seller, at most a quarter of it, and at most {money(firstCover())} for someone who has no other
          completed purchase. It pays nothing for a code that you have said works before the {HOLD_HOURS}{' '}
          hours were over. What neither can pay now follows as soon as one of them can pay it. The guarantee
          is not insurance, and it does not cover swaps.
        </Trans>
      </p>
    </>
  );
}

const SECTIONS: readonly Section[] = [
  {
    id: 'agreement',
    title: t`What you agree to`,
    body: (
      <>
        <p>
          <Trans>
            {ph({ market: marketName() })} is a marketplace on which people list, swap and sell coupons that
            they will not use. By making an account you agree to these terms, to the{' '}
            <Link to={paths.privacyPolicy}>Privacy Policy</Link> and to the{' '}
            <Link to={paths.acceptableUsePolicy}>Acceptable Use Policy</Link>.
          </Trans>
        </p>
        <p>
          <Trans>
            Deals on {ph({ market: marketName() })} are made between its members.{' '}
            {ph({ market: marketName() })} runs the marketplace, carries out what both sides have agreed, and
            holds the money of a sale for a while. It is never the buyer or the seller of a coupon, and it is
            not connected with the merchants whose coupons are listed.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'account',
    title: t`Your account`,
    body: (
      <ul>
        <li>
          <Trans>You must be at least {MINIMUM_AGE} years old.</Trans>
        </li>
        <li>
          <Trans>
            You may have one account, and only you may use it. We must be able to reach you at your email
            address.
          </Trans>
        </li>
        <li>
          <Trans>
            Keep your password to yourself. Anything done from your account counts as done by you, unless you
            have told us that someone else got in.
          </Trans>
        </li>
        <li>
          <Trans>
            You can delete your account in your profile settings at any time, except while a deal of yours is
            in progress or we hold money of yours.
          </Trans>
        </li>
      </ul>
    ),
  },
  {
    id: 'listing',
    title: t`Listing coupons`,
    body: (
      <>
        <p>
          <Trans>When you list a coupon you promise that</Trans>
        </p>
        <ul>
          <li>
            <Trans>it is yours, and you may give it away;</Trans>
          </li>
          <li>
            <Trans>
              the code is real, unused, and as you describe it: value, merchant, terms and expiry date;
            </Trans>
          </li>
          <li>
            <Trans>
              you will not use it, or give it to someone else, while it is listed here or after it has changed
              owners.
            </Trans>
          </li>
        </ul>
        <p>
          <Trans>
            The code of a coupon is kept encrypted and shown only to its owner. When a deal is completed, the
            coupon and its code belong to the new owner; the old owner’s access ends at that moment. The same
            code cannot be listed twice.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'exchanges',
    title: t`Exchanges`,
    body: (
      <p>
        <Trans>
          Exchanges are free. A proposal that is not answered ends after {DEADLINE_DAYS.exchangePending} days.
          Once it is accepted both coupons are reserved, and either side can complete the exchange: both
          coupons then change owners at the same moment. Until then either side can still cancel. An accepted
          exchange that nobody completes ends after {DEADLINE_DAYS.exchangeAccepted} days. Both deadlines
          pause for people who have set themselves as away. If you have agreed to settle a difference in value
          with money, the person who pays has {DEADLINE_DAYS.bidAccepted * 24} hours, the fees of a sale
          apply, and the coupons change owners as soon as everything is paid. If the exchange ends before
          that, we refund all of the money.
        </Trans>
      </p>
    ),
  },
  {
    id: 'bids',
    title: t`Bids are binding`,
    body: (
      <>
        <p>
          <Trans>
            A bid is a binding offer to buy the coupon at that price. You can take it back while it is
            pending; once the owner has accepted it, you cannot. Bids are made in{' '}
            {ph({ currency: currencyName() })}, from {SMALLEST_BID} to {LARGEST_BID}.
          </Trans>
        </p>
        <p>
          <Trans>
            A pending bid ends after {DEADLINE_DAYS.bidPending} days. When a bid is accepted, all other bids
            on that coupon are rejected, and the bidder has {HOURS_TO_PAY} hours to pay. New members whose bid
            meets an asking price have to begin to pay within {BEGIN_MINUTES} minutes. After that the sale is
            cancelled and the coupon is available again.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'fees',
    title: t`Fees`,
    body: (
      <>
        <FeeRule />
        <FeeExample />
        <p>
          <Trans>
            The fee is not refundable, except where buyer protection gives everything back. At the default
            rate of {DEFAULT_EXAMPLE.rate} the fee on a bid of {DEFAULT_EXAMPLE.bid} is {DEFAULT_EXAMPLE.fee}{' '}
            for each side.
          </Trans>
        </p>
        <p>
          <Trans>
            Each bid keeps the rate that applies when it is accepted. If we change the rate, the new one
            applies to bids accepted after that.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'payments',
    title: t`Payments`,
    body: (
      <>
        <p>
          <Trans>
            Card payments and PayPal payments are handled by third-party payment providers, under their own
            terms. Card numbers go from your browser to the provider; {ph({ market: marketName() })} never
            sees or stores them. To be paid, sellers set up an account with one of the providers, which may
            ask them to prove who they are.
          </Trans>
        </p>
        <p>
          <Trans>
            What is charged is always in {ph({ currency: currencyName() })}. Amounts in other currencies are
            shown for convenience, at fixed rates; your bank decides what it converts and at what price.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'protection',
    title: t`Buyer protection and refunds`,
    body: (
      <>
        <p>
          <Trans>
            After a sale is paid, the seller’s money is held for {HOLD_HOURS} hours. In that time the buyer
            can confirm that the code works, which pays the seller at once, or claim that it does not. A
            moderator then decides: either the buyer gets everything back, the buyer’s fee included, and the
            coupon returns to the seller, no longer listed; or the seller is paid.
          </Trans>
        </p>
        <GuaranteeTerms />
        <p>
          <Trans>
            Apart from this protection and your rights under the law of your country, payments and fees are
            not refundable: a code can be read and used the moment it is yours.
          </Trans>
        </p>
        <p>
          <Trans>
            After a swap, we can refund only money that you paid in it. If a code that you got in a swap does
            not work, you can make a claim within {CLAIM_HOURS} hours. The other side can answer, and a
            moderator decides. An upheld claim shows on the other person’s profile, and you get back what you
            paid for that coupon in addition to your own. The coupons do not change back: a code that was seen
            cannot be unseen.
          </Trans>
        </p>
        <p>
          <Trans>
            If you agree on a deposit, each of you puts it up by card before the swap can be completed. It is
            reserved for at most {DEPOSIT_LAPSE_DAYS} days, and not taken. A claim takes the deposit of the
            person who gave the code. If the claim is upheld, the deposit goes to the person who made it;
            otherwise it goes back. Without a claim it is released after {CLAIM_HOURS} hours, or when everyone
            has said that the code they got works. There is no fee.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'conduct',
    title: t`Conduct, and what follows from breaking the rules`,
    body: (
      <p>
        <Trans>
          The <Link to={paths.acceptableUsePolicy}>Acceptable Use Policy</Link> says what is allowed. Anyone
          who breaks it can be warned, suspended or banned, and we can remove their listings. A ban hides all
          of a person’s coupons and cancels their pending deals. You can appeal to support within{' '}
          {APPEAL_DAYS} days.
        </Trans>
      </p>
    ),
  },
  {
    id: 'content',
    title: t`What you write and upload`,
    body: (
      <p>
        <Trans>
          Your texts and pictures stay yours. You allow us to store them and to show them on{' '}
          {ph({ market: marketName() })} to those they are meant for: listings and ratings to everyone,
          messages to the two people who exchange them, and codes to the owner of the coupon.
        </Trans>
      </p>
    ),
  },
  {
    id: 'liability',
    title: t`What we answer for`,
    body: (
      <>
        <p>
          <Trans>
            A code that is marked as verified was accepted at that moment by the source we asked. A merchant
            may still refuse it later. We do not promise that every coupon works, or that{' '}
            {ph({ market: marketName() })} is always reachable and free of faults.
          </Trans>
        </p>
        <p>
          <Trans>
            As far as the law allows, what we owe you in connection with a deal is limited to what you have
            paid for it. Nothing in these terms limits what the law does not let us limit, such as liability
            for intent and gross negligence, or your rights as a consumer.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: t`Changes`,
    body: (
      <p>
        <Trans>
          We may change these terms. The date above says when we last did. Changes do not affect deals that
          were agreed before. If you do not agree with the new terms, you can delete your account.
        </Trans>
      </p>
    ),
  },
  { id: 'contact', title: t`Contact`, body: <Support /> },
];

/** The Terms and Conditions (spec/3 section 2). Their figures come from the contract. */
export function Component() {
  return (
    <LegalPage page="terms" title={PAGES.terms.title()}>
      <Document
        summary={
          <Trans>
            You must be {MINIMUM_AGE} or older. Exchanges are free; a sale costs {feeFacts().fromEach}. Bids
            are binding offers. After a sale the money is held for {HOLD_HOURS} hours, in which the buyer can
            say that the code does not work.
          </Trans>
        }
        sections={SECTIONS}
      />
    </LegalPage>
  );
}
