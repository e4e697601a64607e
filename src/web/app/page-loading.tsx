import { Trans } from '@lingui/react/macro';
import { Container, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useLocation } from 'react-router-dom';
import { findWebPage, PAGES, type WebPage } from '#contract/base/pages.ts';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import classes from './shell.module.css';

/** The pages that show tickets; the others show lines. */
const TICKET_PAGES: readonly (WebPage | undefined)[] = [
  PAGES.home,
  PAGES.discover,
  PAGES.myCoupons,
  PAGES.exchanges,
  PAGES.myBids,
];

/** Shown until the page's code and the viewer are loaded: the page's title, and its content in outline. */
export function PageLoading() {
  const { pathname } = useLocation();
  const page = findWebPage(pathname)?.page;
  const outline = (
    <>
      <div role="status">
        <VisuallyHidden className={classes.loading}>
          <Trans>Loading</Trans>
        </VisuallyHidden>
      </div>
      {TICKET_PAGES.includes(page) ? (
        <div className={classes.outline}>
          <Repeat count={4}>
            <CouponTicketSkeleton />
          </Repeat>
        </div>
      ) : (
        <Stack gap="md" aria-hidden="true">
          <Repeat count={5}>
            <Skeleton height={84} radius="lg" />
          </Repeat>
        </Stack>
      )}
    </>
  );
  // Other pages have a title of their own, or are not for everybody to know.
  if (page?.access !== 'user') {
    return (
      <Container size="lg" py={{ base: 24, sm: 40 }}>
        <Skeleton height={40} width={240} mb="xl" />
        {outline}
      </Container>
    );
  }
  return (
    <PageShell
      title={page.title()}
      text={<Skeleton component="span" display="block" width={280} height={18} mt={6} />}
    >
      {outline}
    </PageShell>
  );
}
