import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceLaptop, IconMoon, IconSun } from '@tabler/icons-react';
import { useEffect } from 'react';
import { PAGE_GROUND } from '#web/theme/theme.ts';

const CHOICES = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'Like the system', Icon: IconDeviceLaptop },
] as const;

/** Gives the browser's own bars the page's colour; index.html only knows the system's preference. */
function useThemeColor() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useEffect(() => {
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.setAttribute('content', PAGE_GROUND[scheme]);
    }
  }, [scheme]);
}

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  useThemeColor();
  const Current = CHOICES.find(({ value }) => value === colorScheme)?.Icon ?? IconSun;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={44} aria-label="Colour theme">
          <Current size={20} color="var(--mantine-color-text)" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.map(({ value, label, Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} />}
            rightSection={value === colorScheme && <IconCheck size={16} aria-label="chosen" />}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
