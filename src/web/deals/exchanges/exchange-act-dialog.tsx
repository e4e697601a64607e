import { t } from '@lingui/core/macro';
import { TEXTS } from '#contract/base/texts.ts';
import { type Exchange, setExchangeStatusInputSchema } from '#contract/deals/exchanges.ts';
import { useUncheckedCodes } from '#web/coupons/codes/unchecked-codes.ts';
import { ActDialog } from '#web/deals/core/deal-dialogs.tsx';
import { hasCode, isConflict } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { ExchangeTerms } from './exchange-terms.tsx';
import { seenPrices } from './money.ts';
import { updateErrorText, useExchange } from './queries.ts';
import { ACT_STATUS, isAgreement, type StatusAct } from './sides.ts';
import { actWords } from './wording.ts';

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
      {isAgreement(act) && <ExchangeTerms exchange={exchange} />}
    </ActDialog>
  );
}
