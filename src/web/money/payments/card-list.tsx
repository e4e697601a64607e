import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { PaymentMethod } from '#contract/money/payments.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import rows from '#web/components/rows.module.css';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { cardName, expiryText, spokenCardName } from './card-wording.ts';

const LIST_ID = 'saved-cards';

/** The viewer's saved cards, with buttons to set the default and to remove one. */
export function SavedCards() {
  const query = trpc.payments.paymentMethods.useQuery();
  return (
    <>
      {/* Takes the focus when a card has been removed. */}
      <div id={LIST_ID} tabIndex={-1}>
        <QueryContent
          query={query}
          errorTitle={t`Error loading your saved cards`}
          skeleton={<SavedCardsSkeleton />}
        >
          {(cards) =>
            cards.length === 0 ? (
              <NoCards />
            ) : (
              <PlainList className={rows.list}>
                {cards.map((card) => (
                  <Card key={card.id} card={card} />
                ))}
              </PlainList>
            )
          }
        </QueryContent>
      </div>
    </>
  );
}

function Card({ card }: { card: PaymentMethod }) {
  const remove = trpc.payments.removePaymentMethod.useMutation();
  const setDefault = trpc.payments.setDefaultPaymentMethod.useMutation();
  const { text, isExpired } = expiryText(card, new Date());
  const makeDefault = () =>
    setDefault.mutate(
      { id: card.id },
      {
        onSuccess: () => toasts.success(t`Default card changed`, t`${cardName(card)} now comes first.`),
        onError: (error) => toasts.failed(error, t`Default card not changed`),
      },
    );
  const name = cardName(card);
  const askToRemove = () =>
    openDialog('confirm', {
      title: t`Remove this card?`,
      text: t`${name} is removed. Payments that you made with it stay as they are. To use it again, enter it at your next checkout.`,
      confirmLabel: t`Remove card`,
      pendingLabel: t`Removing…`,
      cancelLabel: t`Keep card`,
      isDangerous: true,
      act: () => remove.mutateAsync({ id: card.id }),
      done: [t`Card removed`, t`${name} is removed here and at the payment provider.`],
      failed: [t`Card not removed`],
    });
  const about = <VisuallyHidden> {spokenCardName(card)}</VisuallyHidden>;
  return (
    <Group component="li" gap={12} justify="space-between" p={16}>
      <div>
        <Group gap="xs">
          <Text fw={600} className="tabular">
            <span aria-hidden="true">{cardName(card)}</span>
            <VisuallyHidden>{spokenCardName(card)}</VisuallyHidden>
          </Text>
          {card.isDefault && (
            <ToneBadge tone="info">
              <Trans>Default</Trans>
            </ToneBadge>
          )}
        </Group>
        <Text size="sm" c={isExpired ? 'red' : 'dimmed'} className="tabular">
          {text}
        </Text>
      </div>
      <Group gap="xs">
        {!card.isDefault && (
          <Button size="compact-md" variant="default" loading={setDefault.isPending} onClick={makeDefault}>
            <Trans>Make default{about}</Trans>
          </Button>
        )}
        <Button size="compact-md" variant="default" aria-haspopup="dialog" onClick={askToRemove}>
          <Trans>Remove{about}</Trans>
        </Button>
      </Group>
    </Group>
  );
}

function NoCards() {
  return (
    <Text c="dimmed">
      <Trans>
        You have no saved cards. To save one, tick “Keep this card for next time” when you pay for a bid by
        card. The payment provider keeps its number; we never see it.
      </Trans>
    </Text>
  );
}

function SavedCardsSkeleton() {
  return (
    <Stack gap={0} className={rows.list}>
      <Repeat count={2}>
        <Group gap={12} justify="space-between" p={16}>
          <div>
            <Skeleton height={16} width={150} mb={10} />
            <Skeleton height={12} width={100} />
          </div>
          <Skeleton height={30} width={90} radius="xl" />
        </Group>
      </Repeat>
    </Stack>
  );
}
