import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { currencyName } from '#contract/base/base-currency.ts';
import { paths } from '#contract/base/pages.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { feeFacts } from './facts.ts';
import classes from './guide.module.css';
import { GuideSection } from './guide-section.tsx';

const QUESTIONS: readonly { question: string; answer: ReactNode }[] = [
  {
    question: t`Can anyone see my code before the deal is done?`,
    answer: t`No. Lists, searches, messages and pictures never show it. The new owner sees it when the exchange is completed or the payment is confirmed, and not a moment earlier.`,
  },
  {
    question: t`What if the code does not work?`,
    answer: t`If you bought it, open the sale in your bids within ${HOLD_HOURS} hours of paying and say that the code does not work. A moderator decides, and can give you everything back. If you got it in an exchange, open it within ${CLAIM_HOURS} hours and claim that the code does not work. A moderator decides, and an upheld claim shows on the other person’s profile. The coupons do not change back: a code that was seen cannot be unseen.`,
  },
  {
    question: t`Can I take a bid back?`,
    answer: t`While it is pending, yes. Once the owner has accepted it, a bid is binding. If you do not pay in time the sale is cancelled.`,
  },
  {
    question: t`How do I get my money?`,
    answer: (
      <>
        <Trans>
          <Link to={paths.sellerOnboarding}>Set up a payment account</Link> with Stripe or PayPal. When the
          hold is over, or the buyer has confirmed that the code works, your money is sent there: the bid less{' '}
          <SellerRate />.
        </Trans>
      </>
    ),
  },
  {
    question: t`Why can I not exchange the codes from Discover?`,
    answer: t`They are public: anyone can get them. Use them for your own purchases; they are worth nothing in an exchange.`,
  },
  {
    question: t`In which currency do I pay?`,
    answer: t`Always in ${{ currency: currencyName() }}. We also show prices in the currency you prefer.`,
  },
  {
    question: t`What happens to people who cheat?`,
    answer: (
      <Trans>
        Moderators read every report. Anyone who breaks the{' '}
        <Link to={paths.acceptableUsePolicy}>Acceptable Use Policy</Link> is warned, suspended or banned.
      </Trans>
    ),
  },
];

function SellerRate() {
  return feeFacts().sellerRate;
}

/** Frequent questions with their answers. */
export function GuideQuestions() {
  return (
    <GuideSection id="questions" title={t`Questions and answers`}>
      <div className={classes.questions}>
        {QUESTIONS.map(({ question, answer }) => (
          <details key={question}>
            <summary>
              <span>{question}</span>
              <IconChevronDown size={20} aria-hidden="true" />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </GuideSection>
  );
}
