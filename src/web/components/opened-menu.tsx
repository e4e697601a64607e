import { Menu, type MenuProps } from '@mantine/core';
import { cloneElement, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { MenuTarget } from './menu-button.tsx';

type OpenedMenuProps = MenuTarget & Omit<MenuProps, 'opened' | 'onChange' | 'position'>;

/** The menu of a `menuButton` that was pressed before the menu was loaded: it opens at once. */
export function OpenedMenu({ target, children, onOpen, ...menu }: OpenedMenuProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // This is another button than the pressed one. It gets the focus back when the menu closes.
    button.current?.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  const onOpened = useEffectEvent(() => onOpen?.());
  useEffect(() => {
    if (opened) onOpened();
  }, [opened]);
  return (
    <Menu {...menu} position="bottom-end" opened={opened} onChange={setOpened}>
      <Menu.Target>{cloneElement(target, { ref: button } as object)}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
