import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react';

type Load = () => Promise<unknown>;

/** What is loaded once the page is idle. */
const later: Load[] = [];
let isIdle = false;

/**
 * A component whose code is loaded when it is first rendered, or once the page is idle. For what a first look at a page
 * does not need.
 * @param meanwhile what it renders until the code is there
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: (props: Props) => ReactNode = () => null,
) {
  let loaded: ComponentType<Props> | undefined;
  const fetch = async () => {
    loaded ??= await load();
    return loaded;
  };
  const Lazy = lazy(async () => ({ default: await fetch() }));
  later.push(fetch);
  if (isIdle) void loadOnDemand();
  return function OnDemand(props: Props) {
    // The choice holds for the life of the component: another type would lose its state.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? (Lazy as ComponentType<Props>));
    return <Suspense fallback={meanwhile(props)}>{createElement(Shown, props)}</Suspense>;
  };
}

/** A dialog whose code is loaded when it is first opened, or once the page is idle. */
export function dialogOnDemand<Props extends { readonly opened: boolean }>(
  load: () => Promise<ComponentType<Props>>,
) {
  const Dialog = onDemand(load);
  return function DialogOnDemand(props: Props) {
    const [isUsed, setIsUsed] = useState(props.opened);
    if (props.opened && !isUsed) setIsUsed(true);
    return isUsed && <Dialog {...props} />;
  };
}

/** Loads the code of all components that are loaded on demand, and of those that they need. */
export async function loadOnDemand(): Promise<void> {
  while (later.length > 0) {
    // What cannot be loaded now is loaded when it is rendered.
    await Promise.allSettled(later.splice(0).map((load) => load()));
  }
}

/** Calls back once the page is loaded and idle, so that nothing that it needs has to wait. */
function whenIdle(act: () => void): void {
  const idle = () => (window.requestIdleCallback ?? window.setTimeout)(act);
  if (document.readyState === 'complete') idle();
  else window.addEventListener('load', idle, { once: true });
}

/** Loads what is left once the page is idle: a press then opens at once, even after a release has changed the files. */
export function loadTheRestWhenIdle(): void {
  whenIdle(() => {
    isIdle = true;
    void loadOnDemand();
  });
}
