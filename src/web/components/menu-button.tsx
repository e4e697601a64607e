import { type ComponentType, cloneElement, type ReactElement, useState } from 'react';
import { onDemand, tellNotLoaded, useOnDemand } from './on-demand.tsx';

/** The button of a menu. */
export interface MenuTarget {
  readonly target: ReactElement<{ onClick?: () => void }>;
}

/** A button whose menu is loaded when it is first pressed, or once the page is idle. */
export function menuButton<Props extends MenuTarget>(load: () => Promise<ComponentType<Props>>) {
  const code = onDemand(load);
  return function MenuButton(props: Props) {
    const [isPressed, setIsPressed] = useState(false);
    const OpenedMenu = useOnDemand(code, isPressed, () => {
      tellNotLoaded();
      setIsPressed(false);
    });
    if (OpenedMenu) return <OpenedMenu {...props} />;
    const closed = { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => setIsPressed(true) };
    return cloneElement(props.target, closed);
  };
}
