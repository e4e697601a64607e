import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  Divider,
  Group,
  Input,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router-dom';
import { marketName } from '#contract/base/market.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { THEME_CHOICES } from '#web/components/theme-choices.ts';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { useViewer } from '#web/lib/viewer.tsx';
import { useLogoutWithToast } from '#web/people/accounts/use-logout.ts';
import { drawerLinksFor, type NavigationLink } from './navigation.ts';
import classes from './shell.module.css';
import { LinkLabel } from './top-links.tsx';

interface NavigationDrawerProps {
  readonly links: readonly NavigationLink[];
  readonly onClose: () => void;
}

/** The links of the top bar and of the account, in a drawer on small screens. */
export function Component({ links, onClose }: NavigationDrawerProps) {
  const { user } = useViewer();
  const { pathname } = useLocation();
  const { logout, isPending } = useLogoutWithToast();
  return (
    <Dialog title={t`Menu`} size={300} isDrawer closeLabel={t`Close the menu`}>
      <Stack gap="md">
        {user && (
          <Group wrap="nowrap">
            <UserAvatar {...user} size={44} />
            <div>
              <Text fw={700}>{user.username}</Text>
              <Text size="sm" c="dimmed" truncate>
                {user.email}
              </Text>
            </div>
          </Group>
        )}
        <Stack component="nav" gap={4} aria-label={t`Main`}>
          {drawerLinksFor(user, links).map((link) => (
            <Link
              key={link.to}
              to={link.to}
              className={classes.link}
              aria-current={link.to === pathname ? 'page' : undefined}
              onClick={onClose}
            >
              <LinkLabel label={link.label} waiting={link.waiting} />
            </Link>
          ))}
        </Stack>
        <ThemeField />
        {user && (
          <Button
            variant="default"
            leftSection={<IconLogout size={18} />}
            loading={isPending}
            onClick={() => {
              onClose();
              logout();
            }}
          >
            <Trans>Sign out</Trans>
          </Button>
        )}
        <Divider />
        <Text size="sm" c="dimmed">
          © {new Date().getFullYear()} {marketName()}
        </Text>
      </Stack>
    </Dialog>
  );
}

/** The choice of the colour theme. */
function ThemeField() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Input.Wrapper label={t`Theme`} labelElement="div">
      <SegmentedControl
        fullWidth
        aria-label={t`Theme`}
        value={colorScheme}
        onChange={setColorScheme}
        data={THEME_CHOICES.map(({ value, label }) => ({ value, label }))}
      />
    </Input.Wrapper>
  );
}
