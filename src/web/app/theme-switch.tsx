import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconDeviceLaptop, IconMoon, IconSun } from '@tabler/icons-react';
import { useEffect } from 'react';
import { menuButton } from '#web/components/menu-button.tsx';
import { PAGE_GROUND } from '#web/theme/theme.ts';
import type { ThemeChoice } from './theme-menu.tsx';

const CHOICES: readonly ThemeChoice[] = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'System', Icon: IconDeviceLaptop },
];

/** Gives the browser's own bars the page's colour; index.html only knows the system's preference. */
function useThemeColor() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useEffect(() => {
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.setAttribute('content', PAGE_GROUND[scheme]);
    }
  }, [scheme]);
}

const ThemeButton = menuButton(async () => (await import('./theme-menu.tsx')).ThemeMenu);

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  useThemeColor();
  const Current = CHOICES.find(({ value }) => value === colorScheme)?.Icon ?? IconSun;
  return (
    <ThemeButton
      target={
        <ActionIcon variant="subtle" color="gray" size={44} aria-label="Colour theme">
          <Current size={20} color="var(--mantine-color-text)" />
        </ActionIcon>
      }
      choices={CHOICES}
      chosen={colorScheme}
      onChoose={setColorScheme}
    />
  );
}
