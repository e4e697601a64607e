import { type ComponentType, cloneElement, type ReactElement, useState } from 'react';
import { lazyWithPreload, loadAhead, tellNotLoaded, useLoaded } from './on-demand.tsx';

/** The button of a menu. */
export interface MenuTarget {
  readonly target: ReactElement<{ onClick?: () => void }>;
}

/** A button whose menu is loaded when it is pressed, or somebody is about to press it. */
export function menuButton<Props extends MenuTarget>(load: () => Promise<ComponentType<Props>>) {
  const menu = lazyWithPreload(load);
  return function MenuButton(props: Props) {
    const [isPressed, setIsPressed] = useState(false);
    const OpenedMenu = useLoaded(menu, isPressed, () => {
      tellNotLoaded();
      setIsPressed(false);
    });
    if (OpenedMenu) return <OpenedMenu {...props} />;
    const ahead = () => void loadAhead(menu.preload);
    const closed = {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onClick: () => setIsPressed(true),
      onPointerEnter: ahead,
      onFocus: ahead,
    };
    return cloneElement(props.target, closed);
  };
}
