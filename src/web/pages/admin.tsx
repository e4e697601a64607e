import { t } from '@lingui/core/macro';
import { Tabs } from '@mantine/core';
import { defineAddress, oneOf, openedId } from '#contract/base/address.ts';
import { PAGES } from '#contract/base/pages.ts';
import { listPlatformFeesInputSchema } from '#contract/money/payments.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { useAddress } from '#web/lib/address.ts';
import { ActivityLogs, type LogView } from '#web/oversight/admin/activity-logs.tsx';
import classes from '#web/oversight/admin/admin.module.css';
import { FeeTransactions } from '#web/oversight/admin/fee-transactions.tsx';
import { NO_FILTERS, TABLE_PARAMS } from '#web/oversight/admin/filters.ts';
import { Money, type MoneyView } from '#web/oversight/admin/money.tsx';
import { People } from '#web/oversight/admin/people.tsx';
import { SeoPanel } from '#web/oversight/admin/seo-panel.tsx';
import { SettingsPanel } from '#web/oversight/admin/settings-panel.tsx';
import { FeeChart, SummaryCards } from '#web/oversight/admin/summary.tsx';
import { SystemPanel } from '#web/oversight/admin/system-panel.tsx';

/** The tabs of the dashboard; the first one is the default (spec/3 section 2). */
const ADMIN_TABS = [
  { value: 'fees', label: t`Fee Transactions` },
  { value: 'money', label: t`Money` },
  { value: 'activity', label: t`Activity Logs` },
  { value: 'seo', label: t`SEO Management` },
  { value: 'people', label: t`People` },
  { value: 'settings', label: t`Settings` },
  { value: 'system', label: t`System` },
] as const;

/** The tab and the filters in the address; the page number is separate. */
const ADMIN_ADDRESS = defineAddress({
  tab: oneOf(ADMIN_TABS.map(({ value }) => value)),
  period: oneOf(listPlatformFeesInputSchema.shape.period.unwrap().options, 'all'),
  log: oneOf<LogView>(['money', 'moderation', 'denied-requests']),
  money: oneOf<MoneyView>(['waiting', 'handled', 'debts']),
  payment: openedId,
  ...TABLE_PARAMS,
});

type AdminAddress = ReturnType<typeof ADMIN_ADDRESS.read>;

/** The filters of a newly opened tab. */
const UNFILTERED = {
  period: 'all',
  log: 'money',
  money: 'waiting',
  payment: null,
  ...NO_FILTERS,
} as const;

/** The admin dashboard. */
export function Component() {
  return (
    <PageShell
      title={PAGES.admin.title()}
      text={t`Fees, payment issues, activity, search engines, people, settings, and system health.`}
    >
      <Dashboard />
    </PageShell>
  );
}

function Dashboard() {
  const [address, changeAddress] = useAddress(ADMIN_ADDRESS);
  const go = (change: Partial<AdminAddress>) =>
    // Arrow keys step through the tabs: replacing keeps these steps out of the history.
    changeAddress(change, { replace: true });
  const filtering = { filters: address, onFilter: go };
  return (
    <Tabs
      value={address.tab}
      onChange={(value) => go({ ...UNFILTERED, tab: ADMIN_TABS.find((tab) => tab.value === value)?.value })}
      keepMounted={false}
    >
      <Tabs.List className={classes.tabs} aria-label={t`Parts of the dashboard`}>
        {ADMIN_TABS.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="fees" className={classes.panel}>
        <SummaryCards />
        <FeeChart />
        <FeeTransactions period={address.period} onPeriod={(period) => go({ period })} {...filtering} />
      </Tabs.Panel>
      <Tabs.Panel value="money" className={classes.panel}>
        <Money
          view={address.money}
          onView={(money) => go({ ...NO_FILTERS, money })}
          paymentId={address.payment}
          onPayment={(payment) => go({ payment })}
          {...filtering}
        />
      </Tabs.Panel>
      <Tabs.Panel value="activity" className={classes.panel}>
        <ActivityLogs view={address.log} onView={(log) => go({ ...NO_FILTERS, log })} {...filtering} />
      </Tabs.Panel>
      <Tabs.Panel value="seo" className={classes.panel}>
        <SeoPanel />
      </Tabs.Panel>
      <Tabs.Panel value="people" className={classes.panel}>
        <People {...filtering} />
      </Tabs.Panel>
      <Tabs.Panel value="settings" className={classes.panel}>
        <SettingsPanel />
      </Tabs.Panel>
      <Tabs.Panel value="system" className={classes.panel}>
        <SystemPanel />
      </Tabs.Panel>
    </Tabs>
  );
}
