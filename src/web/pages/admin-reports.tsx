import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import { PAGES } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Report } from '#contract/oversight/moderation.ts';
import { QuietDeskDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { countText, PagedList } from '#web/components/paged-list.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { Surface } from '#web/components/surface.tsx';
import { useAddress } from '#web/lib/address.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { KEEP_PAGE, usePagedList } from '#web/lib/paged-list.ts';
import { trpc } from '#web/lib/trpc.ts';
import { ModerationNav } from '#web/oversight/moderation/moderation-nav.tsx';
import { ReportCard } from '#web/oversight/moderation/report-card.tsx';
import {
  isAnyReport,
  REPORTS_ADDRESS,
  type ReportChoice,
  type ReportFilter,
  ReportFilters,
  reportsInput,
} from '#web/oversight/moderation/report-filters.tsx';
import { SelectedReports } from '#web/oversight/moderation/selected-reports.tsx';
import { WaitingCoupons } from '#web/oversight/moderation/waiting-coupons.tsx';

const LIST_ID = 'reports';

const NO_MATCH = { title: t`No report matches`, text: t`Choose another reason, or another person.` };

const NONE: Record<ReportFilter, { title: string; text: string }> = {
  pending: {
    title: TEXTS.reports.nonePending(),
    text: t`You have handled every report. New ones appear here.`,
  },
  resolved: { title: t`No Resolved Reports`, text: t`Reports that led to a warning, a suspension or a ban.` },
  dismissed: { title: t`No Dismissed Reports`, text: t`Reports that were closed without consequences.` },
  all: { title: t`No Reports`, text: t`No one has reported anyone yet.` },
};

/** The reports, for moderators and admins. */
export function Component() {
  const waiting = trpc.moderation.waitingCoupons.useQuery();
  return (
    <PageShell
      title={PAGES.adminReports.title()}
      text={t`Reports from members about other members. Each report gets one decision and is kept.`}
      size="md"
    >
      <ModerationNav />
      {waiting.isPending ? (
        // What waits stands above the reports, and would move them.
        <div aria-busy="true">
          <ReportsSkeleton />
        </div>
      ) : (
        <>
          <WaitingCoupons query={waiting} />
          <ReportList />
        </>
      )}
    </PageShell>
  );
}

/** The reports and the moderators' decisions. The filter is in the address. */
function ReportList() {
  const [choice, change] = useAddress(REPORTS_ADDRESS);
  const show = (next: Partial<ReportChoice>) => change(next, { replace: true });
  return (
    <>
      <ReportFilters choice={choice} onChange={show} />
      <div id={LIST_ID} tabIndex={-1}>
        <Reports
          key={choice.status}
          choice={choice}
          onShowAll={() => show({ status: 'all', reason: null, person: '' })}
        />
      </div>
    </>
  );
}

function Reports({ choice, onShowAll }: { choice: ReportChoice; onShowAll: () => void }) {
  const { input, paging } = usePagedList(PAGE_SIZES.reports);
  const query = trpc.moderation.reports.useQuery({ ...reportsInput(choice), ...input }, KEEP_PAGE);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const isChosen = ({ id }: Report) => chosen.includes(id);
  const pending = (query.data?.items ?? []).filter(({ status }) => status === 'pending');
  // Only what is on screen is decided.
  const selected = pending.filter(isChosen);
  const none = isAnyReport(choice) ? NONE[choice.status] : NO_MATCH;
  return (
    <PagedList
      query={query}
      {...paging}
      label={t`Reports`}
      announce={(page) =>
        plural(page.total, { one: `${countText(page)} report`, other: `${countText(page)} reports` })
      }
      gap={0}
      errorTitle={TEXTS.reports.loadFailed()}
      skeleton={<ReportsSkeleton />}
      empty={
        <EmptyState
          {...none}
          drawing={<QuietDeskDrawing />}
          action={
            !(choice.status === 'all' && isAnyReport(choice)) && (
              <Button variant="default" onClick={onShowAll}>
                <Trans>Show all reports</Trans>
              </Button>
            )
          }
        />
      }
    >
      {(reports) => (
        <>
          {pending.length > 1 && (
            <SelectedReports
              pending={pending}
              selected={selected}
              onSelect={(all) => setChosen(all.map(({ id }) => id))}
            />
          )}
          <PlainList gap={16} mb={24}>
            {reports.map((report) => (
              <ReportCard
                key={report.id}
                report={report}
                onReview={() => openDialog('reviewReport', { report })}
                {...(pending.length > 1 && {
                  isSelected: isChosen(report),
                  onSelect: (isSelected: boolean) =>
                    setChosen(isSelected ? [...chosen, report.id] : chosen.filter((id) => id !== report.id)),
                })}
              />
            ))}
          </PlainList>
        </>
      )}
    </PagedList>
  );
}

function ReportsSkeleton() {
  return (
    <Stack gap={16} mb={24}>
      <Repeat count={3}>
        <Surface gap={16} p={{ base: 16, xs: 20 }}>
          <Skeleton height={22} width="40%" />
          <Skeleton height={62} width="80%" />
          <Skeleton height={48} />
          <Skeleton height={36} width={96} radius="xl" />
        </Surface>
      </Repeat>
    </Stack>
  );
}
