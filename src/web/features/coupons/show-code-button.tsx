import { Alert, Button, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCopy, IconEye, IconRefresh } from '@tabler/icons-react';
import type { z } from 'zod';
import type { Coupon, revealedCodeSchema } from '#contract/coupons.ts';
import { TEXTS } from '#contract/texts.ts';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { copyText } from '#web/lib/clipboard.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useRevealCode } from './queries.ts';
import classes from './show-code-button.module.css';

interface ShowCodeButtonProps {
  readonly coupon: Pick<Coupon, 'id' | 'title' | 'merchant'>;
  /** Whether this is what the screen is for. */
  readonly isPrimary?: boolean;
  /** Whether it shares a row with others on a small ticket. */
  readonly isCompact?: boolean;
}

/**
 * Shows an own coupon's code in a dialog. Each press is a look that is recorded, so nothing but a press asks for the
 * code; and once the dialog is closed, nothing in the browser keeps it.
 */
export function ShowCodeButton({ coupon, isPrimary, isCompact }: ShowCodeButtonProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const reveal = useRevealCode();
  const look = () => reveal.mutate({ id: coupon.id });
  return (
    <>
      <Button
        variant={isPrimary ? 'filled' : 'default'}
        leftSection={!isCompact && <IconEye size={18} aria-hidden="true" />}
        px={isCompact ? 12 : undefined}
        onClick={() => {
          dialog.open();
          look();
        }}
      >
        Show code
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => {
          dialog.close();
          reveal.reset();
        }}
        title="Your coupon code"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Text c="dimmed" mb="md">
          {coupon.title}, {coupon.merchant}
        </Text>
        {reveal.error ? (
          <Alert color="red" title="The code could not be shown" role="alert">
            <Text mb="sm">{writeErrorText(reveal.error, 'Please try again.')}</Text>
            <Button variant="default" leftSection={<IconRefresh size={18} />} onClick={look}>
              Retry
            </Button>
          </Alert>
        ) : (
          <Revealed revealed={reveal.data} />
        )}
      </Modal>
    </>
  );
}

function Revealed({ revealed }: { revealed: z.infer<typeof revealedCodeSchema> | undefined }) {
  if (!revealed) {
    return (
      <Stack aria-busy="true">
        <Skeleton height={72} radius="md" />
        <Skeleton height={42} radius="xl" />
        <Skeleton height={96} />
      </Stack>
    );
  }
  const copy = async () => {
    if (await copyText(revealed.codeValue))
      toasts.success(TEXTS.coupons.codeCopied, TEXTS.coupons.codeCopiedText);
    else toasts.failure('The code was not copied', 'Select it and copy it by hand.');
  };
  return (
    <Stack>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the code can be selected and read out by keyboard */}
      <output className={classes.code} aria-label="Coupon code" tabIndex={0}>
        {revealed.codeValue}
      </output>
      <Button leftSection={<IconCopy size={18} aria-hidden="true" />} onClick={copy} data-autofocus>
        Copy Code
      </Button>
      <div>
        <Title order={3} size="h5" mb={8}>
          Who has seen this code
        </Title>
        <ul className={classes.looks}>
          {revealed.reveals.map(({ username, revealedAt }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two looks may be equal
            <li key={index} className={classes.look}>
              <UserAvatar username={username} size={28} />
              <span className={classes.who}>{username}</span>
              <time dateTime={revealedAt} className={classes.when}>
                {formatDateTime(revealedAt)}
              </time>
            </li>
          ))}
        </ul>
      </div>
    </Stack>
  );
}
