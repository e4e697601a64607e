import { type ComponentType, cloneElement, type ReactElement, useState } from 'react';
import { onDemand } from './on-demand.tsx';

/** The button of a menu. */
export interface MenuTarget {
  readonly target: ReactElement<{ onClick?: () => void }>;
}

/** The button as it is while its menu is closed. */
const closed = (target: MenuTarget['target'], onClick?: () => void) =>
  cloneElement(target, { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick } as {
    onClick?: () => void;
  });

/** A button whose menu is loaded when it is first pressed, or once the page is idle. */
export function menuButton<Props extends MenuTarget>(load: () => Promise<ComponentType<Props>>) {
  const OpenedMenu = onDemand(load, ({ target }) => closed(target));
  return function MenuButton(props: Props) {
    const [isPressed, setIsPressed] = useState(false);
    return isPressed ? <OpenedMenu {...props} /> : closed(props.target, () => setIsPressed(true));
  };
}
