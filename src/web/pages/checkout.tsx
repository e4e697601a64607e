import { useEffect } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { PAGES, paths } from '#contract/base/pages.ts';
import { idSchema } from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { CheckoutScreen } from '#web/money/payments/checkout/checkout-screen.tsx';
import { CheckoutSkeleton } from '#web/money/payments/checkout/checkout-states.tsx';

/** Pays for an accepted bid. */
export function Component() {
  const { bidId } = useParams();
  const id = idSchema.safeParse(Number(bidId)).data ?? null;
  return (
    <PageShell title={PAGES.checkout.title()}>
      {id === null ? <InvalidBid /> : <CheckoutScreen key={id} bidId={id} />}
    </PageShell>
  );
}

/** Sends an address without a valid bid id back to the bids. */
function InvalidBid() {
  const navigate = useNavigate();
  useEffect(() => {
    toasts.failure(TEXTS.checkout.error(), TEXTS.checkout.invalidBid());
    void navigate(paths.myBids, { replace: true });
  }, [navigate]);
  return <CheckoutSkeleton />;
}
