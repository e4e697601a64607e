import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import type { CouponSummary } from '#contract/coupons/coupons.ts';
import { type Exchange, setExchangeStatusInputSchema } from '#contract/deals/exchanges.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { NoCodeNote, NotTransferableNote } from '#web/components/deal-notes.tsx';
import { NewCodeNote } from '#web/coupons/codes/new-code.tsx';
import { useUncheckedCodes } from '#web/coupons/codes/unchecked-codes.ts';
import { ActDialog } from '#web/deals/core/deal-dialogs.tsx';
import { Standing } from '#web/deals/core/standing.tsx';
import { hasCode, isConflict } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { depositSentence } from './deposit.ts';
import { moneySentences, seenPrices } from './money.ts';
import { updateErrorText, useExchange } from './queries.ts';
import { ACT_STATUS, isAgreement, type StatusAct } from './sides.ts';
import { actWords, nothingFor, nothingFromOwner } from './wording.ts';

interface ExchangeActDialogProps {
  readonly exchange: Exchange;
  readonly act: StatusAct;
  /** Called when the exchange has changed its status. */
  readonly onDone: (exchange: Exchange) => void;
}

/** Asks for confirmation, then accepts, rejects, completes or cancels an exchange. */
export function Component({ exchange: listed, act, onDone }: ExchangeActDialogProps) {
  const { id } = listed;
  const unchecked = useUncheckedCodes();
  // The offer may have changed since the list was loaded.
  const { data: exchange = listed } = useExchange(id, [listed]);
  const { send, isPending } = useSendForm({
    schema: setExchangeStatusInputSchema,
    initial: {},
    mutation: trpc.exchanges.setStatus.useMutation(),
    done: () => [TEXTS.exchanges.updated()],
    onDone,
    failed: (error) => {
      unchecked.note(error, id);
      return [t`Error`, updateErrorText(error)];
    },
    // The text says that the same button goes on without a check.
    closesOn: (error) => isConflict(error) && !hasCode(error, 'code_unchecked'),
  });
  const confirm = () =>
    send({
      id,
      status: ACT_STATUS[act],
      ...unchecked.acknowledged(id),
      couponIds: exchange.legs.map(({ coupon }) => coupon.id),
      prices: seenPrices(exchange),
      deposit: exchange.deposit ?? undefined,
    });
  return (
    <ActDialog
      words={actWords(act, exchange, useMember().id)}
      isDangerous={!isAgreement(act)}
      isPending={isPending}
      onConfirm={confirm}
    >
      {isAgreement(act) && <Terms exchange={exchange} />}
    </ActDialog>
  );
}

/** What the viewer gives and gets, who pays besides, and the deposit. */
function Terms({ exchange }: { exchange: Exchange }) {
  const { legs, parties } = exchange;
  const viewerId = useMember().id;
  const money = [moneySentences(exchange, viewerId), depositSentence(exchange)].filter(Boolean).join(' ');
  const gives = legs.filter(({ giverId }) => giverId === viewerId);
  const gets = legs.filter(({ receiverId }) => receiverId === viewerId);
  return (
    <Stack gap="xs">
      {parties.map((party) => party.id !== viewerId && <Standing key={party.id} person={party} />)}
      {gives.map(({ coupon, receiverUsername }, index) => (
        <Fragment key={coupon.id}>
          <Mention label={index === 0 && t`You give`} coupon={coupon} />
          {!coupon.hasCode && <NoCodeNote>{nothingFor(receiverUsername)}</NoCodeNote>}
        </Fragment>
      ))}
      {gets.map(({ coupon, giverUsername }, index) => (
        <Fragment key={coupon.id}>
          <Mention label={index === 0 && t`You get`} coupon={coupon} />
          {coupon.transferable === 'no' && <NotTransferableNote />}
          {!coupon.hasCode && <NoCodeNote>{nothingFromOwner(giverUsername)}</NoCodeNote>}
          <NewCode id={coupon.id} />
        </Fragment>
      ))}
      {money !== '' && <Text fw={600}>{money}</Text>}
    </Stack>
  );
}

/** A deal does not know whether the merchant makes new codes; the coupon does. */
function NewCode({ id }: { id: number }) {
  const { data: coupon } = trpc.coupons.byId.useQuery({ id });
  return coupon?.isReissuable && <NewCodeNote merchant={coupon.merchant} />;
}

function Mention({ label, coupon }: { label: string | false; coupon: CouponSummary }) {
  return (
    <div>
      {label && (
        <Text size="sm" c="dimmed" fw={600} mb={4}>
          {label}
        </Text>
      )}
      <CouponTicket coupon={coupon} size="mini" isLinked={false} />
    </div>
  );
}
