import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Tabs } from '@mantine/core';
import { IconMail, IconTable } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router-dom';
import { MY_COUPONS_ADDRESS } from '#contract/base/first-answers.ts';
import { OFFLINE_META } from '#contract/base/offline.ts';
import { pageSetting } from '#contract/base/page-setting.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { ActionMenu } from '#web/components/action-menu.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { KeptCodes } from '#web/coupons/codes/kept-codes.tsx';
import { AddCouponButton } from '#web/coupons/publishing/add-coupon-button.tsx';
import { draftsText } from '#web/coupons/publishing/drafts-text.ts';
import { OwnCoupons } from '#web/coupons/publishing/own-coupons.tsx';
import { DealActions } from '#web/coupons/search/coupon-actions.tsx';
import { CouponGridSkeleton } from '#web/coupons/search/coupon-results.tsx';
import { SavedCoupons } from '#web/coupons/search/saved-coupons.tsx';
import { useAddress } from '#web/lib/address.ts';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { takeShared } from '#web/lib/shared.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useIsOnline } from '#web/lib/use-is-online.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { JustBoughtNote } from '#web/money/payments/just-bought.tsx';

/** Leads to the coupons that were read in the viewer's emails. */
function MailedNote({ waiting }: { waiting: number }) {
  if (waiting === 0) return null;
  return (
    <Alert
      role="note"
      color="gray"
      mb="lg"
      icon={<IconMail aria-hidden="true" />}
      title={draftsText(waiting)}
    >
      <Button component={Link} to={paths.addMany} variant="default">
        <Trans>Look them over</Trans>
      </Button>
    </Alert>
  );
}

/** Whether the application was opened without the network, as at a till. */
const isOpenedOffline = pageSetting(OFFLINE_META) !== undefined;

/** The viewer's own coupons (add, edit, delete, show the code) and their saved ones. */
export function Component() {
  const [{ tab }] = useAddress(MY_COUPONS_ADDRESS);
  const navigate = useNavigate();
  const add = () => openDialog('coupon');
  useDialogLink('add', add);
  useDialogLink(
    'add',
    async () => {
      const shared = await takeShared();
      return openDialog('coupon', { shared: shared?.files[0] ?? null });
    },
    'shared',
  );
  const isOnline = useIsOnline();
  const drafts = trpc.drafts.count.useQuery();
  const moreWays = [
    {
      icon: IconTable,
      label: t`Add many at once`,
      name: t`Add many at once`,
      onClick: () => navigate(paths.addMany),
    },
  ];
  return (
    <PageShell
      title={PAGES.myCoupons.title()}
      text={t`The coupons you have listed and saved. Your codes stay hidden until you open them.`}
      action={
        <Group gap="xs">
          <AddCouponButton onClick={add} />
          <ActiveOnly>
            <ActionMenu name={t`More ways to add coupons`} actions={moreWays} />
          </ActiveOnly>
        </Group>
      }
    >
      <JustBoughtNote />
      {isOpenedOffline && !isOnline && <KeptCodes />}
      {drafts.isLoading && <CouponGridSkeleton />}
      {/* It asks for its coupons at once, but is not seen before the note above them is known: it would jump. */}
      <div hidden={drafts.isLoading}>
        <MailedNote waiting={drafts.data?.waiting ?? 0} />
        <Tabs
          value={tab}
          onChange={(value) => navigate(value === 'saved' ? paths.savedCoupons : paths.myCoupons)}
          keepMounted={false}
        >
          <Tabs.List aria-label={t`Which coupons`} mb="lg">
            <Tabs.Tab value="own">
              <Trans>My coupons</Trans>
            </Tabs.Tab>
            <Tabs.Tab value="saved">
              <Trans context="coupons">Saved</Trans>
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="own">
            <OwnCoupons addButton={<AddCouponButton onClick={add} />} />
          </Tabs.Panel>
          <Tabs.Panel value="saved">
            <SavedCoupons
              renderActions={(coupon, remove) => (
                <DealActions
                  coupon={coupon}
                  onExchange={({ id }) => navigate(paths.exchangeFor(id))}
                  onBid={({ id }) => navigate(paths.bidFor(id))}
                  onValidate={({ id }) => navigate(paths.validateFor(id))}
                  instead={remove}
                />
              )}
            />
          </Tabs.Panel>
        </Tabs>
      </div>
    </PageShell>
  );
}
