import { Button } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { paths } from '#contract/pages.ts';
import { copyText } from '#web/lib/clipboard.ts';
import { toasts } from '#web/lib/toasts.ts';

/** Copies the address of a coupon's page. */
export function CopyLinkButton({ id }: { id: number }) {
  const copy = async () => {
    const link = new URL(paths.coupon(id), window.location.origin).href;
    if (await copyText(link)) toasts.success('Link copied', 'Send it to whoever might like this coupon.');
    else toasts.failure('The link was not copied', link);
  };
  return (
    <Button variant="default" leftSection={<IconLink size={18} aria-hidden="true" />} onClick={copy}>
      Copy link
    </Button>
  );
}
