import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Box, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link, useLocation } from 'react-router-dom';
import { defineAddress, oneOf } from '#contract/base/address.ts';
import { listed } from '#contract/base/locale.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import {
  SETTINGS_PAGE_NAMES,
  SETTINGS_PAGES,
  type SettingsPage,
  type SettingsSection,
  settingsPageOf,
} from '#contract/base/settings-sections.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { SessionUser } from '#contract/people/accounts.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { useAddress } from '#web/lib/address.ts';
import { useIsBelow } from '#web/lib/screen.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { useIdentityProvider } from '#web/people/accounts/queries.ts';
import classes from './profile-settings.module.css';
import { type Section, type Sections, sectionsFor } from './settings-sections.tsx';

/** The page on screen, where no section is named; null: the list of pages on phones, elsewhere the first page. */
const ADDRESS = defineAddress({ tab: oneOf([null, ...SETTINGS_PAGE_NAMES]) });

const PAGE_TITLES: Readonly<Record<SettingsPage, string>> = {
  me: t({ context: 'settings', message: 'Me' }),
  safety: t`Safety`,
  messages: t`Messages from us`,
  programs: t`Programs`,
};

/** The sections from which on a page's second column begins. It stays the same while they load. */
const SECOND_COLUMN: Readonly<Record<SettingsPage, SettingsSection>> = {
  me: 'danger-zone',
  safety: 'devices',
  messages: 'push',
  programs: 'webhooks',
};

/** The viewer's settings, on four pages. */
export function Component() {
  const { user, isLoading } = useViewer();
  if (isLoading) return <Waiting />;
  return user ? <Settings user={user} /> : <AccessDenied />;
}

/** The page with the section that the address names, else the page that it names; null: none. */
function useChosenPage(): SettingsPage | null {
  const [{ tab }] = useAddress(ADDRESS);
  const { hash } = useLocation();
  return settingsPageOf(hash.slice(1)) ?? tab;
}

function Settings({ user }: { user: SessionUser }) {
  const sections = sectionsFor(user, useIdentityProvider());
  const chosen = useChosenPage();
  const isNarrow = useIsBelow('md');
  const page = chosen ?? (isNarrow ? null : 'me');
  const wayBack = isNarrow && page && (
    <>
      <Anchor component={Link} to={paths.profileSettings} className="target">
        <Trans>All settings</Trans>
      </Anchor>{' '}
      › {PAGE_TITLES[page]}
    </>
  );
  return (
    <PageShell title={PAGES.profileSettings.title()} text={wayBack}>
      {!wayBack && <PageLinks current={page} sections={sections} />}
      {page && <PageSections page={page} sections={sections} />}
    </PageShell>
  );
}

/** Links to the pages: on phones a list that says what is on each, elsewhere tabs. */
function PageLinks({ current, sections }: { current: SettingsPage | null; sections: Sections }) {
  return (
    <nav className={classes.pages} aria-label={t`Settings`}>
      {SETTINGS_PAGE_NAMES.map((page) => (
        <Link
          key={page}
          to={paths.settingsPage(page)}
          className={classes.page}
          aria-current={page === current ? 'page' : undefined}
        >
          {PAGE_TITLES[page]}
          {current === null && (
            <Text component="span" size="sm" c="dimmed">
              {listed(SETTINGS_PAGES[page].flatMap((name) => sections[name]?.title ?? []))}
            </Text>
          )}
        </Link>
      ))}
    </nav>
  );
}

function PageSections({ page, sections }: { page: SettingsPage; sections: Sections }) {
  const names: readonly SettingsSection[] = SETTINGS_PAGES[page];
  const second = names.indexOf(SECOND_COLUMN[page]);
  return (
    <div className={classes.columns}>
      {[names.slice(0, second), names.slice(second)].map((column) => (
        <div key={column[0]} className={classes.column}>
          {column.map((name) => {
            const section = sections[name];
            return section && <SectionOf key={name} id={name} {...section} />;
          })}
        </div>
      ))}
    </div>
  );
}

function SectionOf({ id, title, text, content }: Section & { readonly id: SettingsSection }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <Title order={2} size="h3" id={`${id}-title`}>
        {title}
      </Title>
      {text && (
        <Text c="dimmed" mt={4}>
          {text}
        </Text>
      )}
      <Box mt={16}>{content}</Box>
    </section>
  );
}

/** Shown to visitors, with the text of spec/3 section 3. After the sign-in they come to what a mail linked to. */
function AccessDenied() {
  const { search, hash } = useLocation();
  return (
    <PageShell title={PAGES.profileSettings.title()} size="md">
      <EmptyState
        title={TEXTS.settings.accessDenied()}
        action={
          <Button component={Link} to={paths.authFrom(paths.profileSettings + search + hash)}>
            <Trans>Sign in</Trans>
          </Button>
        }
      />
    </PageShell>
  );
}

function Waiting() {
  return (
    <PageShell title={PAGES.profileSettings.title()}>
      <Stack aria-busy="true">
        <Skeleton height={44} />
        <Skeleton height={420} radius="md" />
      </Stack>
    </PageShell>
  );
}
