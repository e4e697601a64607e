import { Stack, Text } from '@mantine/core';
import type { CouponSummary } from '#contract/coupons.ts';
import type { Exchange } from '#contract/exchanges.ts';
import { TEXTS } from '#contract/texts.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { ActDialog } from '#web/components/deal-dialogs.tsx';
import { NoCodeNote, NotTransferableNote } from '#web/components/deal-notes.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { updateErrorText, useExchange, useSetExchangeStatus } from './queries.ts';
import { ACT_STATUS, couponsOf, isAgreement, type StatusAct, sideOf } from './sides.ts';
import { actWords, nothingFor, nothingFromOwner } from './wording.ts';

/** An action to be confirmed. */
export interface ActRequest {
  exchange: Exchange;
  act: StatusAct;
}

interface ExchangeActDialogProps {
  readonly opened: boolean;
  readonly request: ActRequest | undefined;
  readonly viewerId: number;
  readonly onClose: () => void;
  /** Called when the exchange has changed its status. */
  readonly onDone: (exchange: Exchange) => void;
}

/** Asks for confirmation, then accepts, rejects, completes or cancels an exchange. */
export function ExchangeActDialog(props: ExchangeActDialogProps) {
  const { opened, request, viewerId, onClose, onDone } = props;
  const move = useSetExchangeStatus();
  // The offer may have changed since the list was loaded.
  const { data: exchange = request?.exchange } = useExchange(
    opened && request ? request.exchange.id : null,
    request?.exchange,
  );
  const confirm = () => {
    if (!request) return;
    move.mutate(
      {
        id: request.exchange.id,
        status: ACT_STATUS[request.act],
        couponIds: exchange?.legs.map(({ coupon }) => coupon.id),
      },
      dialogAnswers({
        onClose,
        done: () => [TEXTS.exchanges.updated],
        failedTitle: 'Error',
        failedText: updateErrorText,
        onDone,
      }),
    );
  };
  return (
    <ActDialog
      opened={opened}
      words={request && exchange && actWords(request.act, exchange, sideOf(exchange, viewerId))}
      isDangerous={request !== undefined && !isAgreement(request.act)}
      isPending={move.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {request && exchange && isAgreement(request.act) && <Terms exchange={exchange} viewerId={viewerId} />}
    </ActDialog>
  );
}

/** What the viewer gives and gets. */
function Terms({ exchange, viewerId }: { exchange: Exchange; viewerId: number }) {
  const { gives, gets } = couponsOf(exchange, sideOf(exchange, viewerId));
  const { requesterId, requesterUsername, requestedCouponOwnerUsername } = exchange;
  const other = viewerId === requesterId ? requestedCouponOwnerUsername : requesterUsername;
  return (
    <Stack gap="xs">
      <Mention label="You give" coupon={gives} />
      {!gives.hasCode && <NoCodeNote>{nothingFor(other)}</NoCodeNote>}
      <Mention label="You get" coupon={gets} />
      {gets.transferable === 'no' && <NotTransferableNote />}
      {!gets.hasCode && <NoCodeNote>{nothingFromOwner(other)}</NoCodeNote>}
    </Stack>
  );
}

function Mention({ label, coupon }: { label: string; coupon: CouponSummary }) {
  return (
    <div>
      <Text size="sm" c="dimmed" fw={600} mb={4}>
        {label}
      </Text>
      <CouponTicket coupon={coupon} size="mini" isLinked={false} />
    </div>
  );
}
