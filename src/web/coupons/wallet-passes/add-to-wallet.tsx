import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconWallet } from '@tabler/icons-react';
import { walletsHere } from '#web/coupons/wallet-passes/wallets.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';

const NAMES = { apple: t`Add to Apple Wallet`, google: t`Add to Google Wallet` } as const;

/** Adds the code of an own coupon to this phone's wallet; nothing where there is none. */
export function AddToWallet({ couponId }: { couponId: number }) {
  const adding = trpc.walletPasses.add.useMutation({
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => toasts.failed(error, t`Not added to the wallet`),
  });
  return walletsHere().map((wallet) => (
    <Button
      key={wallet}
      variant="default"
      style={{ alignSelf: 'center' }}
      leftSection={<IconWallet size={18} aria-hidden="true" />}
      loading={adding.isPending && adding.variables.wallet === wallet}
      onClick={() => adding.mutate({ id: couponId, wallet })}
    >
      {NAMES[wallet]}
    </Button>
  ));
}
