import { Tabs } from '@mantine/core';
import { useAddress } from '#web/lib/address.ts';
import { ActivityLogs } from './activity-logs.tsx';
import classes from './admin.module.css';
import { ADMIN_ADDRESS, ADMIN_TABS, type AdminAddress, UNFILTERED } from './admin-address.ts';
import { FeeChart } from './fee-chart.tsx';
import { FeeTransactions } from './fee-transactions.tsx';
import { People } from './people.tsx';
import { SeoPanel } from './seo-panel.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { SystemPanel } from './system-panel.tsx';

/** The marketplace as its operator sees it. The address says which part, and what of it. */
export function Dashboard() {
  const [address, changeAddress] = useAddress(ADMIN_ADDRESS);
  const go = (change: Partial<AdminAddress>) =>
    // Arrow keys choose tab after tab: Back leads past all of them.
    changeAddress(change, { replace: true });
  return (
    <>
      <SummaryCards />
      <FeeChart />
      <Tabs
        value={address.tab}
        onChange={(value) => go({ ...UNFILTERED, tab: ADMIN_TABS.find((tab) => tab.value === value)?.value })}
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs} aria-label="Parts of the dashboard">
          {ADMIN_TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="fees" className={classes.panel}>
          <FeeTransactions period={address.period} onPeriod={(period) => go({ period })} />
        </Tabs.Panel>
        <Tabs.Panel value="activity" className={classes.panel}>
          <ActivityLogs view={address.log} onView={(log) => go({ log })} />
        </Tabs.Panel>
        <Tabs.Panel value="seo" className={classes.panel}>
          <SeoPanel />
        </Tabs.Panel>
        <Tabs.Panel value="people" className={classes.panel}>
          <People search={address.search} status={address.status} onChange={go} />
        </Tabs.Panel>
        <Tabs.Panel value="system" className={classes.panel}>
          <SystemPanel />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
