import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { marketName } from '#contract/base/market.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { APPEAL_DAYS } from '#contract/oversight/moderation.ts';
import { Document, type Section } from '#web/oversight/legal/document.tsx';
import { MINIMUM_AGE, REPLY_HOURS } from '#web/oversight/legal/facts.ts';
import { LegalPage } from '#web/oversight/legal/legal-page.tsx';
import { Support } from '#web/oversight/legal/support.tsx';

const SECTIONS: readonly Section[] = [
  {
    id: 'overview',
    title: t`Overview`,
    body: (
      <p>
        <Trans>
          People trade with strangers here. That works as long as everyone follows a few rules. They apply to
          everything on {ph({ market: marketName() })}: listings, deals, messages, ratings and profiles. They
          are part of the <Link to={paths.terms}>Terms and Conditions</Link>.
        </Trans>
      </p>
    ),
  },
  {
    id: 'permitted',
    title: t`Permitted uses`,
    body: (
      <ul>
        <li>
          <Trans>Listing coupons that are yours and that you may give away.</Trans>
        </li>
        <li>
          <Trans>Swapping them, bidding on them, and selling them.</Trans>
        </li>
        <li>
          <Trans>Checking codes that you own, or that are offered to you here.</Trans>
        </li>
        <li>
          <Trans>Writing to the other side of a deal about that deal, and rating each other after it.</Trans>
        </li>
        <li>
          <Trans>Using public codes that you discover here for your own purchases.</Trans>
        </li>
      </ul>
    ),
  },
  {
    id: 'prohibited',
    title: t`Prohibited activities`,
    body: (
      <ul>
        <li>
          <Trans>Listing codes that are made up, used, expired, stolen, or not yours.</Trans>
        </li>
        <li>
          <Trans>
            Using a code yourself, or giving it to someone else, while it is listed or after it has changed
            owners.
          </Trans>
        </li>
        <li>
          <Trans>Guessing codes, or trying many of them, with our validation or at a merchant.</Trans>
        </li>
        <li>
          <Trans>Claiming that a code does not work when it does.</Trans>
        </li>
        <li>
          <Trans>Agreeing on a deal here and paying for it elsewhere to avoid fees or protection.</Trans>
        </li>
        <li>
          <Trans>
            Dealing with yourself or with friends to gain ratings or points; having more than one account.
          </Trans>
        </li>
        <li>
          <Trans>Harassing, threatening or deceiving people; asking for passwords or card numbers.</Trans>
        </li>
        <li>
          <Trans>Spam, advertising, and collecting other people’s data.</Trans>
        </li>
        <li>
          <Trans>
            Getting around limits and security, or overloading the site so that others cannot use it. If you
            find a weakness, report it to us instead of using it.
          </Trans>
        </li>
        <li>
          <Trans>Reporting people in bad faith.</Trans>
        </li>
      </ul>
    ),
  },
  {
    id: 'content',
    title: t`Content standards`,
    body: (
      <>
        <p>
          <Trans>
            Describe a coupon exactly as it is: merchant, value, conditions and expiry date. Never put a code
            in a title, a description, a picture or a message.
          </Trans>
        </p>
        <p>
          <Trans>
            Nothing hateful, sexual, violent or unlawful, no private details of others, and no text or picture
            that you have no right to use. People should respond to messages within {REPLY_HOURS} hours.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'compliance',
    title: t`Legal compliance`,
    body: (
      <p>
        <Trans>
          You must be at least {MINIMUM_AGE} years old. Follow the law where you live and the merchant’s terms
          for the coupon, and pay any taxes you owe. Do not list coupons that are not transferable.
        </Trans>
      </p>
    ),
  },
  {
    id: 'enforcement',
    title: t`Enforcement`,
    body: (
      <>
        <p>
          <Trans>
            Depending on how serious it is and whether it happened before, breaking these rules can lead to
          </Trans>
        </p>
        <ul>
          <li>
            <Trans>a warning;</Trans>
          </li>
          <li>
            <Trans>suspension: you can sign in and browse, but not make deals;</Trans>
          </li>
          <li>
            <Trans>
              termination: the account is banned, its listings are hidden and its pending deals cancelled;
            </Trans>
          </li>
          <li>
            <Trans>removal of a listing;</Trans>
          </li>
          <li>
            <Trans>reporting to the authorities, or legal action.</Trans>
          </li>
        </ul>
        <p>
          <Trans>
            A person makes every decision, and we record it. You may appeal to support within {APPEAL_DAYS}{' '}
            days; if possible, someone who was not part of the decision then reviews it.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'reporting',
    title: t`Reporting`,
    body: (
      <p>
        <Trans>
          The Report button on a coupon tells the moderators. Say what happened in a few sentences, and add
          any evidence. The person does not learn who reported them. If a code that you bought does not work,
          make a claim on the sale instead: that is the only way to get your money back.
        </Trans>
      </p>
    ),
  },
  {
    id: 'updates',
    title: t`Updates`,
    body: (
      <p>
        <Trans>
          When this policy changes, the date above changes with it. We judge what you did before by the old
          version.
        </Trans>
      </p>
    ),
  },
  { id: 'contact', title: t`Contact`, body: <Support /> },
];

/** The Acceptable Use Policy, with the sections of spec/3 section 2. */
export function Component() {
  return (
    <LegalPage page="acceptable-use-policy" title={PAGES.acceptableUsePolicy.title()}>
      <Document
        summary={
          <Trans>
            Trade coupons that are yours and that work, be honest about them, answer within {REPLY_HOURS}{' '}
            hours, and treat people as you would face to face.
          </Trans>
        }
        sections={SECTIONS}
      />
    </LegalPage>
  );
}
