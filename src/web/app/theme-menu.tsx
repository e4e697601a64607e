import type { MenuTarget } from '#web/components/menu-button.tsx';
import { OpenedMenu } from '#web/components/opened-menu.tsx';
import { ThemeItems } from '#web/components/theme-items.tsx';

export function ThemeMenu({ target }: MenuTarget) {
  return (
    <OpenedMenu target={target}>
      <ThemeItems />
    </OpenedMenu>
  );
}
