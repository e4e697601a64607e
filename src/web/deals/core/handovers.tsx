import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { CouponTicket, type TicketCoupon } from '#web/components/coupon-ticket.tsx';
import classes from './handovers.module.css';

/** A coupon that goes from one person to another. Null stands for the viewer. */
export interface Handover {
  readonly coupon: TicketCoupon;
  readonly giver: string | null;
  readonly receiver: string | null;
}

/** Whether the coupons change hands, have changed hands, or would have. */
export type HandoverTense = 'now' | 'done' | 'ended';

interface HandoverWords {
  readonly own: (receiver: string) => string;
  readonly toYou: (giver: string) => string;
  readonly others: (giver: string, receiver: string) => string;
}

const WORDS: Record<HandoverTense, HandoverWords> = {
  now: {
    own: (receiver) => t`You give ${receiver}`,
    toYou: (giver) => t`${giver} gives you`,
    others: (giver, receiver) => t`${giver} gives ${receiver}`,
  },
  done: {
    own: (receiver) => t`You gave ${receiver}`,
    toYou: (giver) => t`${giver} gave you`,
    others: (giver, receiver) => t`${giver} gave ${receiver}`,
  },
  ended: {
    own: (receiver) => t`You would have given ${receiver}`,
    toYou: (giver) => t`${giver} would have given you`,
    others: (giver, receiver) => t`${giver} would have given ${receiver}`,
  },
};

/** 'You give Ana', 'Ana gives Bo', 'Bo gives you'. */
function handoverText({ giver, receiver }: Handover, tense: HandoverTense): string {
  const words = WORDS[tense];
  if (giver === null) return words.own(receiver ?? '');
  return receiver === null ? words.toYou(giver) : words.others(giver, receiver);
}

interface HandoversProps {
  /** In the order of the ring: who receives a coupon gives the next. */
  readonly handovers: readonly Handover[];
  readonly tense?: HandoverTense;
}

/** Who gives what to whom, with links to the coupons: 'You give Ana: “Tea”. Ana gives you: “Cake”.' */
export function HandoverSentences({ handovers, tense = 'now' }: HandoversProps) {
  return handovers.map((handover, index) => (
    <Fragment key={handover.coupon.id}>
      {index > 0 && ' '}
      <Trans>
        {handoverText(handover, tense)}: “
        <Anchor component={Link} to={paths.coupon(handover.coupon.id)} inherit underline="always">
          <bdi>{handover.coupon.title}</bdi>
        </Anchor>
        ”.
      </Trans>
    </Fragment>
  ));
}

/** The tickets of three to six people in a circle. It repeats the sentence: screen readers skip it. */
export function HandoverCircle({ handovers, tense = 'now' }: HandoversProps) {
  return (
    <div className={classes.circle} data-count={handovers.length} aria-hidden="true">
      {handovers.map((handover) => (
        <Fragment key={handover.coupon.id}>
          <div>
            <div className={classes.label}>{handoverText(handover, tense)}</div>
            <CouponTicket coupon={handover.coupon} size="small" isLinked={false} />
          </div>
          <span className={classes.arrow}>
            <IconArrowRight size={22} />
          </span>
        </Fragment>
      ))}
    </div>
  );
}
