import { Link } from 'react-router-dom';
import { APPEAL_DAYS } from '#contract/moderation.ts';
import { PAGES, paths } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { Document, type Section } from '#web/features/legal/document.tsx';
import { ANSWER_HOURS, MINIMUM_AGE } from '#web/features/legal/facts.ts';
import { Support } from '#web/features/legal/support.tsx';

const SECTIONS: readonly Section[] = [
  {
    id: 'overview',
    title: 'Overview',
    body: (
      <p>
        People trade with strangers here. That works as long as everyone can rely on a few rules. They apply
        to everything on ClipSwap: listings, deals, messages, ratings and profiles. They are part of the{' '}
        <Link to={paths.terms}>Terms and Conditions</Link>.
      </p>
    ),
  },
  {
    id: 'permitted',
    title: 'Permitted uses',
    body: (
      <ul>
        <li>Listing coupons that are yours and that you may give away.</li>
        <li>Swapping them, bidding on them, and selling them.</li>
        <li>Checking codes that you own, or that are offered to you here.</li>
        <li>Writing to the other side of a deal about that deal, and rating each other after it.</li>
        <li>Using public codes that you discover here for your own purchases.</li>
      </ul>
    ),
  },
  {
    id: 'prohibited',
    title: 'Prohibited activities',
    body: (
      <ul>
        <li>Listing codes that are made up, used, expired, stolen, or not yours.</li>
        <li>
          Using a code yourself, or giving it to someone else, while it is listed or after it has changed
          owners.
        </li>
        <li>Guessing codes, or trying many of them, with our validation or at a merchant.</li>
        <li>Claiming that a code does not work when it does.</li>
        <li>Agreeing on a deal here and paying for it elsewhere to avoid fees or protection.</li>
        <li>
          Dealing with yourself or with friends to gain ratings or points; more than one account a person.
        </li>
        <li>Harassing, threatening or deceiving people; asking for passwords or card numbers.</li>
        <li>Spam, advertising, and collecting other people’s data.</li>
        <li>
          Getting around limits and security, or putting a load on the site that keeps others from using it.
          If you find a weakness, tell us instead of using it.
        </li>
        <li>Reporting people in bad faith.</li>
      </ul>
    ),
  },
  {
    id: 'content',
    title: 'Content standards',
    body: (
      <>
        <p>
          Describe a coupon so that no one is surprised: merchant, value, conditions and expiry date as they
          are. Put no code into a title, a description, a picture or a message.
        </p>
        <p>
          Nothing hateful, sexual, violent or unlawful, no private details of others, and no text or picture
          that you have no right to use. People should respond to messages within {ANSWER_HOURS} hours.
        </p>
      </>
    ),
  },
  {
    id: 'compliance',
    title: 'Legal compliance',
    body: (
      <p>
        You must be at least {MINIMUM_AGE} years old. Keep to the law where you live, to the merchant’s terms
        for the coupon, and pay any taxes you owe. Do not list coupons that are not transferable.
      </p>
    ),
  },
  {
    id: 'enforcement',
    title: 'Enforcement',
    body: (
      <>
        <p>Depending on how serious it is and whether it happened before, breaking these rules can lead to</p>
        <ul>
          <li>a warning;</li>
          <li>suspension: you can sign in and browse, but not make deals;</li>
          <li>
            termination: the account is banned, its listings are hidden and its pending deals cancelled;
          </li>
          <li>removal of a listing;</li>
          <li>reporting to the authorities, or legal action.</li>
        </ul>
        <p>
          A person makes every decision, and we record it. You may appeal to support within {APPEAL_DAYS}{' '}
          days; if possible, someone who was not part of the decision then reviews it.
        </p>
      </>
    ),
  },
  {
    id: 'reporting',
    title: 'Reporting',
    body: (
      <p>
        The Report button on a coupon tells the moderators. Say what happened in a few sentences, and add any
        evidence. The person does not learn who reported them. If a code that you bought does not work, open a
        claim on the sale instead: only that can bring your money back.
      </p>
    ),
  },
  {
    id: 'updates',
    title: 'Updates',
    body: (
      <p>
        When this policy changes, the date above changes with it. What you did before is judged by the old
        one.
      </p>
    ),
  },
  { id: 'contact', title: 'Contact', body: <Support /> },
];

/** The Acceptable Use Policy, with the sections of spec/3 section 2. */
export function Component() {
  return (
    <PageShell title={PAGES.acceptableUsePolicy.title()}>
      <Document
        summary={
          <>
            Trade coupons that are yours and that work, be honest about them, answer within {ANSWER_HOURS}{' '}
            hours, and treat people as you would face to face.
          </>
        }
        sections={SECTIONS}
      />
    </PageShell>
  );
}
