import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowsExchange,
  IconInfoCircle,
  IconMessages,
  IconPencil,
  IconX,
} from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Deal, NextAct } from '#contract/deals/deal-list.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import type { Action } from '#web/components/action-button.tsx';
import { focusAfterAct } from '#web/deals/core/deal-buttons.tsx';
import { DealRow } from '#web/deals/core/deal-row.tsx';
import { TicketPair } from '#web/deals/core/ticket-pair.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useNow } from '#web/lib/time-ago.ts';
import { useMayAct, useMember } from '#web/lib/viewer.tsx';
import { dueDeposit, putUpLabel } from './deposit.ts';
import { payableLeg, payLabel } from './money.ts';
import { dealNote, dealSentence } from './row-wording.ts';
import { actsFor, couponsOf, type ExchangeAct, isAgreement, titlesOf } from './sides.ts';
import { actLabel, pairLabels } from './wording.ts';

interface ExchangeRowProps {
  readonly deal: Extract<Deal, { dealType: 'exchange' }>;
}

/** An exchange in the list of all deals. */
export function ExchangeRow({ deal }: ExchangeRowProps) {
  const { exchange } = deal;
  const viewerId = useMember().id;
  const { gives, gets } = couponsOf(exchange, viewerId);
  const [give, get] = pairLabels(exchange.status);
  const { nextAct, rarer } = useActs(deal);
  return (
    <DealRow
      tickets={
        <TicketPair
          size="mini"
          isColumn
          sides={[
            { label: give, coupons: gives },
            { label: get, coupons: gets },
          ]}
        />
      }
      about={`${get} ${titlesOf(exchange, viewerId).gets}`}
      sentence={dealSentence(deal, viewerId)}
      to={paths.exchange(exchange.id)}
      note={dealNote(deal, viewerId, useNow())}
      nextAct={nextAct}
      actions={rarer}
    />
  );
}

const ICONS = {
  reject: IconX,
  cancel: IconArrowBackUp,
  revise: IconPencil,
  counter: IconArrowsExchange,
} as const;

/** The page of the next act, where it is not a dialog. */
function linkTo(exchange: Exchange, nextAct: NextAct | null, viewerId: number) {
  if (nextAct === 'answer_claim') {
    const [given, second] = couponsOf(exchange, viewerId).gives;
    const isKnown = given && !second;
    const to = isKnown ? paths.answerClaim('exchange', exchange.id, given.id) : paths.exchange(exchange.id);
    return { to, label: t`Answer claim` };
  }
  if (nextAct === 'set_up_payments') return { to: paths.sellerOnboarding, label: t`Set up payments` };
  const due = payableLeg(exchange, viewerId);
  return due && { to: paths.checkout(due.bidId), label: payLabel(due) };
}

/** The one filled button of the row, and what else the viewer can do. */
function useActs({ exchange, nextAct }: ExchangeRowProps['deal']) {
  const { id } = exchange;
  const viewerId = useMember().id;
  const mayAct = useMayAct();
  const navigate = useNavigate();
  const focusAfter = focusAfterAct(id);
  const start = (act: ExchangeAct) => {
    if (act === 'revise' || act === 'counter') {
      openDialog('changeOffer', { exchange, act, onCountered: () => {} }, { focusAfter });
      return;
    }
    // The details offer the next step, or show what the viewer got.
    const onDone = ({ status }: Exchange) => {
      if (status === 'completed') void navigate(paths.exchange(id));
    };
    openDialog('actOnExchange', { exchange, act, onDone }, { focusAfter });
  };
  const acts = mayAct ? actsFor(exchange, viewerId) : [];
  const main = acts.find((act) => isAgreement(act));
  const rarer: Action[] = [];
  for (const act of acts) {
    if (act === 'accept' || act === 'complete') continue;
    const label = actLabel(act, exchange);
    rarer.push({
      icon: ICONS[act],
      label,
      name: label,
      'aria-haspopup': 'dialog',
      onClick: () => start(act),
    });
  }
  rarer.push(
    {
      icon: IconMessages,
      label: t`Messages`,
      name: t`Messages`,
      'aria-haspopup': 'dialog',
      onClick: () => openDialog('messages', { deal: { dealType: 'exchange', dealId: id } }),
    },
    {
      icon: IconInfoCircle,
      label: t`Details`,
      name: t`Details`,
      onClick: () => void navigate(paths.exchange(id)),
    },
  );
  const link = linkTo(exchange, nextAct, viewerId);
  const deposit = dueDeposit(exchange, viewerId);
  const button = link ? (
    <Button component={Link} to={link.to} aria-label={t`${link.label}: exchange #${id}`}>
      {link.label}
    </Button>
  ) : deposit !== null ? (
    <Button
      aria-haspopup="dialog"
      aria-label={t`${putUpLabel(deposit)}: exchange #${id}`}
      onClick={() => openDialog('putUpDeposit', { exchangeId: id, amount: deposit }, { focusAfter })}
    >
      {putUpLabel(deposit)}
    </Button>
  ) : (
    main && (
      <Button
        aria-haspopup="dialog"
        aria-label={t`${actLabel(main, exchange)} exchange #${id}`}
        onClick={() => start(main)}
      >
        {actLabel(main, exchange)}
      </Button>
    )
  );
  return { nextAct: button, rarer };
}
