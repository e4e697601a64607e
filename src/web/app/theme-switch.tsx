import { t } from '@lingui/core/macro';
import { ActionIcon, useComputedColorScheme } from '@mantine/core';
import { IconSun } from '@tabler/icons-react';
import { useEffect } from 'react';
import { menuButton } from '#web/components/menu-button.tsx';

/** The browser's own bars have the page's colour; the page comes with those of both themes. */
let grounds: readonly string[] | undefined;

/** Gives the browser's own bars the page's colour; index.html only knows the system's preference. */
export function useThemeColor() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useEffect(() => {
    const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')];
    grounds ??= metas.map((meta) => meta.content);
    for (const meta of metas) meta.content = grounds[Number(scheme === 'dark')] ?? '';
  }, [scheme]);
}

const ThemeButton = menuButton(async () => (await import('./theme-menu.tsx')).ThemeMenu);

/** The choice of the colour theme for visitors; members have it in their menu. */
export function ThemeSwitch() {
  return (
    <ThemeButton
      target={
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={t`Colour theme`}>
          <IconSun size={20} color="var(--mantine-color-text)" />
        </ActionIcon>
      }
    />
  );
}
