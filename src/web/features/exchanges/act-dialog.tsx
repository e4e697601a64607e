import { Stack, Text } from '@mantine/core';
import type { CouponSummary } from '#contract/coupons.ts';
import type { Exchange } from '#contract/exchanges.ts';
import { TEXTS } from '#contract/texts.ts';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { isConflict } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { updateErrorText, useExchange, useSetExchangeStatus } from './queries.ts';
import { ACT_STATUS, couponsOf, isAgreement, type StatusAct, sideOf } from './sides.ts';
import { actWords } from './wording.ts';

/** An act that waits for its confirmation. */
export interface ActRequest {
  exchange: Exchange;
  act: StatusAct;
}

interface ActDialogProps {
  readonly opened: boolean;
  /** What is to be confirmed; stays while the dialog closes. */
  readonly request: ActRequest | undefined;
  readonly viewerId: number;
  readonly onClose: () => void;
  /** The exchange has moved. */
  readonly onDone: (exchange: Exchange) => void;
}

/** Confirms that the viewer means to accept, reject, complete or cancel, and does it. */
export function ActDialog({ opened, request, viewerId, onClose, onDone }: ActDialogProps) {
  const move = useSetExchangeStatus();
  // What one agrees to is what is offered now, not what the list showed a while ago.
  const { data } = useExchange(opened && request ? request.exchange.id : null, request?.exchange);
  const exchange = data?.id === request?.exchange.id ? data : request?.exchange;
  const words = request && exchange && actWords(request.act, exchange, sideOf(exchange, viewerId));

  const confirm = () => {
    if (!request) return;
    move.mutate(
      {
        id: request.exchange.id,
        status: ACT_STATUS[request.act],
        offeredCouponId: exchange?.offeredCoupon.id,
      },
      {
        onSuccess: (moved) => {
          toasts.success(TEXTS.exchanges.updated);
          onClose();
          onDone(moved);
        },
        onError: (error) => {
          toasts.failure('Error', updateErrorText(error));
          // The screen now shows the true state, to which this question does not belong any more.
          if (isConflict(error)) onClose();
        },
      },
    );
  };

  // Always there, if only closed: a dialog that appears opened does not know where to give the keyboard back.
  return (
    <ConfirmDialog
      opened={opened}
      title={words?.title ?? ''}
      confirmLabel={words?.confirm ?? ''}
      pendingLabel="Processing..."
      cancelLabel={words?.keep}
      isPending={move.isPending}
      isDangerous={request && !isAgreement(request.act)}
      onConfirm={confirm}
      onClose={onClose}
    >
      {words && exchange && (
        <Stack gap="md">
          {isAgreement(request.act) && <Terms exchange={exchange} viewerId={viewerId} />}
          {words.paragraphs.map((paragraph) => (
            <Text key={paragraph}>{paragraph}</Text>
          ))}
        </Stack>
      )}
    </ConfirmDialog>
  );
}

/** What one agrees to. */
function Terms({ exchange, viewerId }: { exchange: Exchange; viewerId: number }) {
  const { gives, gets } = couponsOf(exchange, sideOf(exchange, viewerId));
  return (
    <Stack gap="xs">
      <Mention label="You give" coupon={gives} />
      <Mention label="You get" coupon={gets} />
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
