import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconShare2 } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { TRPCClientError } from '@trpc/client';
import { ringCardPath } from '#contract/coupons/cards.ts';
import { toasts } from '#web/lib/toasts.ts';

/** Shares a picture of a closed ring, which names nobody and no coupon; saves it where the browser cannot share. */
export function ShareRing({ people }: { people: number }) {
  const share = useMutation({
    mutationFn: () => sharePicture(people),
    onError: (error) => toasts.failed(error, t`Nothing was shared`),
  });
  return (
    <Button
      variant="default"
      size="compact-md"
      leftSection={<IconShare2 size={18} aria-hidden="true" />}
      loading={share.isPending}
      onClick={() => share.mutate()}
    >
      <Trans>Share this ring as a picture</Trans>
    </Button>
  );
}

async function sharePicture(people: number): Promise<void> {
  const answer = await fetch(ringCardPath(people)).catch((error) => {
    throw TRPCClientError.from(error);
  });
  if (!answer.ok) throw new Error(`The picture of a ring is not available: ${answer.status}`);
  const file = new File([await answer.blob()], 'clipswap-ring.png', { type: 'image/png' });
  const shared = { files: [file] };
  if (navigator.canShare?.(shared)) {
    // It also fails when the person closes it.
    await navigator.share(shared).catch(() => {});
    return;
  }
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: url, download: file.name }).click();
  URL.revokeObjectURL(url);
}
