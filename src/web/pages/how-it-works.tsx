import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { PAGES, paths } from '#contract/base/pages.ts';
import { DEADLINE_DAYS, RING_PEOPLE } from '#contract/deals/deals.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { countedPeople, POINTS } from '#contract/oversight/leaderboard.ts';
import { useNamedPart, usePageTitle } from '#web/components/page-shell.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Surface } from '#web/components/surface.tsx';
import { scoreText } from '#web/lib/format.ts';
import { guaranteeDaysNow } from '#web/lib/guarantee-days.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { feeFacts, SMALLEST_BID } from '#web/oversight/legal/facts.ts';
import classes from '#web/oversight/legal/guide.module.css';
import {
  BidGuideDrawing,
  CheckGuideDrawing,
  HoldGuideDrawing,
  RingGuideDrawing,
  SealedGuideDrawing,
  SwapGuideDrawing,
  TicketHeroDrawing,
} from '#web/oversight/legal/guide-drawings.tsx';
import { GuideQuestions } from '#web/oversight/legal/guide-questions.tsx';
import { GuideRows, GuideSection } from '#web/oversight/legal/guide-section.tsx';

const WAYS: readonly {
  title: string;
  drawing: ReactNode;
  steps: readonly string[];
  to: string;
  link: string;
}[] = [
  {
    title: t({ context: 'button', message: 'Exchange' }),
    drawing: <SwapGuideDrawing />,
    steps: [
      t`List a coupon you won’t use.`,
      t`Find one you like, press Exchange, and choose yours.`,
      t`When you both agree, both coupons change owners at the same moment. It is free. If one is worth more, you can settle the difference with money, at the fees of a sale.`,
    ],
    to: paths.home,
    link: t`Browse Coupons`,
  },
  {
    title: t`Buy or bid`,
    drawing: <BidGuideDrawing />,
    steps: [
      t`Press Buy now where the owner asks a price. Or press Bid and say what the coupon is worth to you, from ${SMALLEST_BID}.`,
      t`If its owner accepts your bid, you have ${DEADLINE_DAYS.bidAccepted * 24} hours to pay by card or PayPal.`,
      t`The coupon is yours at once. We hold the seller’s money for ${HOLD_HOURS} hours.`,
    ],
    to: paths.myBids,
    link: t`My Bids`,
  },
  {
    title: t`Get matched`,
    drawing: <RingGuideDrawing />,
    steps: [
      t`List your coupons and add what you are looking for to your wish list.`,
      t`We find exchanges for you, and rings of ${RING_PEOPLE.min} or more in which each gives to the next.`,
      t`When all have agreed, all coupons change owners at the same moment. It is free.`,
    ],
    to: paths.matches,
    link: t`My Matches`,
  },
  {
    title: t`Validate and discover`,
    drawing: <CheckGuideDrawing />,
    steps: [
      t`Type a code, or take a photo of its QR code or barcode.`,
      t`See whether it works before you list it or ask for it.`,
      t`Discover public codes from many merchants for your own purchases.`,
    ],
    to: paths.validateCoupon,
    link: t`Validate a Coupon`,
  },
];

const DEADLINES = [
  { name: t`A pending exchange`, days: DEADLINE_DAYS.exchangePending, end: t`after that it is withdrawn` },
  {
    name: t`An accepted exchange`,
    days: DEADLINE_DAYS.exchangeAccepted,
    end: t`to be completed by either side`,
  },
  { name: t`A pending bid`, days: DEADLINE_DAYS.bidPending, end: t`after that it is withdrawn` },
  { name: t`An accepted bid`, days: DEADLINE_DAYS.bidAccepted, end: t`to be paid` },
  { name: t`An accepted exchange with money`, days: DEADLINE_DAYS.bidAccepted, end: t`to be paid` },
] as const;

const POINT_RULES = [
  { name: t`For each coupon whose code was verified`, value: scoreText(POINTS.verifiedCoupon) },
  { name: t`For each completed exchange`, value: scoreText(POINTS.completedExchange) },
  { name: t`For each completed sale, on both sides`, value: scoreText(POINTS.completedSale) },
] as const;

/** The guide: what people can do here, what it costs, and how they are protected. Its figures come from the contract. */
export function Component() {
  usePageTitle(PAGES.howItWorks.title());
  useNamedPart();
  return (
    <>
      <GuideHero />
      <Container size="lg" className={classes.body}>
        <Ways />
        <Protection />
        <Costs />
        <div className={classes.pair}>
          <Deadlines />
          <Points />
        </div>
        <GuideQuestions />
        <NextStep />
      </Container>
    </>
  );
}

/** The path of the dialog that adds a coupon; a visitor signs in first. */
function useAddPath(): string {
  const { user } = useViewer();
  return user ? paths.addCoupon : paths.authFrom(paths.addCoupon);
}

function GuideHero() {
  return (
    <section className={classes.hero} aria-labelledby="guide-title">
      <Container size="lg" className={classes.heroInner}>
        <div>
          <Title order={1} id="guide-title" className={classes.title}>
            <Trans>How It Works</Trans>
          </Title>
          <Text maw="46ch" mt={14} fz="lead">
            <Trans>
              A coupon you won’t use is worth something to someone else. List it, agree on a deal, and it
              changes owners, code and all. Until then, only you can see the code.
            </Trans>
          </Text>
        </div>
        <div className={classes.heroArt}>
          <TicketHeroDrawing />
        </div>
      </Container>
    </section>
  );
}

function Ways() {
  return (
    <GuideSection id="ways" title={t`Four ways to use it`}>
      <PlainList gap={16} className={classes.ways}>
        {WAYS.map(({ title, drawing, steps, to, link }) => (
          <Surface component="li" key={title} isSunken p={20} className={classes.card}>
            {drawing}
            <Title order={3} size="h4">
              {title}
            </Title>
            <ol>
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <Button component={Link} to={to} variant="default" mt="auto" style={{ alignSelf: 'flex-start' }}>
              {link}
            </Button>
          </Surface>
        ))}
      </PlainList>
    </GuideSection>
  );
}

function Protection() {
  return (
    <GuideSection id="protection" title={t`What protects you`}>
      <div className={classes.pair}>
        <Stack align="flex-start" gap={12}>
          <SealedGuideDrawing />
          <div>
            <Title order={3} size="h4">
              <Trans>Your code</Trans>
            </Title>
            <Text>
              <Trans>
                We encrypt it when you list it. Only the coupon’s owner can see it, and we record every view.
                When a deal is completed, the new owner can see it and the old owner no longer can. No one can
                list the same code twice.
              </Trans>
            </Text>
            <Text mt="sm">
              <Trans>
                The owner of a coupon can download a signed statement of who was shown its code, which anyone
                can{' '}
                <Anchor component={Link} to={paths.proofs} inherit underline="always">
                  check
                </Anchor>
                . What nobody can promise is under{' '}
                <Anchor component={Link} to={paths.risks} inherit underline="always">
                  Risks
                </Anchor>
                .
              </Trans>
            </Text>
          </div>
        </Stack>
        <Stack align="flex-start" gap={12}>
          <HoldGuideDrawing />
          <div>
            <Title order={3} size="h4">
              <Trans>Your deals</Trans>
            </Title>
            <Text>
              <Trans>
                After you pay, we hold the seller’s money for {HOLD_HOURS} hours. If the code does not work,
                tell us in that time: a moderator decides and can give you everything back, including your
                fee. After an exchange you have {CLAIM_HOURS} hours to claim that a code does not work: a
                moderator decides, and an upheld claim shows on the other person’s profile. You can ask for a
                deposit: each of you puts it up by card, and who gave a code that fails loses it to the other.
              </Trans>{' '}
              {guaranteeDaysNow() > 0 && (
                <Trans>
                  For {guaranteeDaysNow()} days after a sale’s {HOLD_HOURS} hours, you can still claim under
                  the guarantee: the seller refunds you. What they cannot pay, our reserve pays while it has
                  money, at most a quarter of it for one buyer or one seller. We fill the reserve from our
                  fees. Exchanges have no guarantee.
                </Trans>
              )}
            </Text>
          </div>
        </Stack>
      </div>
    </GuideSection>
  );
}

function Costs() {
  const { fromEach, bid, buyerTotal, netAmount } = feeFacts();
  const rows = [
    { name: t`Listing, exchanging, validating`, value: t({ context: 'price', message: 'Free' }) },
    { name: t`A sale`, value: fromEach },
    { name: t`With a bid of ${bid} the buyer pays`, value: buyerTotal },
    { name: t`and the seller receives`, value: netAmount },
  ];
  return (
    <GuideSection id="costs" title={t`What it costs`}>
      <GuideRows rows={rows} />
    </GuideSection>
  );
}

function Deadlines() {
  return (
    <GuideSection id="deadlines" title={t`Nothing waits forever`}>
      <GuideRows
        rows={DEADLINES.map(({ name, days, end }) => ({
          name,
          value: (
            <>
              <Trans>
                {days} days <span>{end}</span>
              </Trans>
            </>
          ),
        }))}
      />
      <p>
        <Trans>
          If you set yourself as away, these deadlines pause until you are back. The deadline to pay does not.
        </Trans>
      </p>
    </GuideSection>
  );
}

function Points() {
  return (
    <GuideSection id="points" title={t`Points`}>
      <GuideRows rows={POINT_RULES} />
      <Text mt="sm">
        <Trans>
          Good ratings add points too. {countedPeople()} A coupon that comes back to you earns none. The
          leaderboard shows who has the most.
        </Trans>
      </Text>
    </GuideSection>
  );
}

function NextStep() {
  const add = useAddPath();
  return (
    <Stack
      component="section"
      align="center"
      gap={12}
      px={20}
      py={32}
      bg="var(--surface-sunken)"
      bdrs="lg"
      ta="center"
      aria-labelledby="next"
    >
      <Title order={2} id="next" size="h3" m={0}>
        <Trans>Ready?</Trans>
      </Title>
      <Text>
        <Trans>List a coupon, or see what others have listed.</Trans>
      </Text>
      <Group gap="sm" justify="center">
        <Button component={Link} to={add} size="md">
          <Trans>Add a Coupon</Trans>
        </Button>
        <Button component={Link} to={paths.home} size="md" variant="default">
          <Trans>Browse Coupons</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
