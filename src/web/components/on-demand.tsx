import { Loader } from '@mantine/core';
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { SHELL_TEXTS } from '#contract/shell-texts.ts';
import { isOutdated, onNextChance } from '#web/lib/code-files.ts';
import { toasts } from '#web/lib/toasts.ts';

/** Code to load once the page is idle. */
const later: (() => Promise<unknown>)[] = [];
let isIdle = false;

/** A component whose code is loaded when it is first wanted, or once the page is idle. */
export interface OnDemand<Props> {
  /** The component if its code is there. */
  readonly loaded: () => ComponentType<Props> | undefined;
  /** @throws where the code cannot be loaded, as offline or after a release; the next call tries again */
  readonly load: () => Promise<ComponentType<Props>>;
}

/** For what a first look at a page does not need. */
export function onDemand<Props>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  let loaded: ComponentType<Props> | undefined;
  const code: OnDemand<Props> = {
    loaded: () => loaded,
    load: async () => {
      loaded ??= await load();
      return loaded;
    },
  };
  later.push(code.load);
  if (isIdle) void loadOnDemand();
  return code;
}

/**
 * The component once it is wanted and its code is there, else null. As long as it is wanted it is tried again.
 * @param wanted each new value tries to load it again at once
 */
export function useOnDemand<Props>(
  code: OnDemand<Props>,
  wanted: unknown,
  onFailed: (error: unknown) => void,
): ComponentType<Props> | null {
  const [Component, setComponent] = useState<ComponentType<Props> | null>(null);
  const [attempts, setAttempts] = useState(0);
  const loaded = code.loaded();
  if (wanted && !Component && loaded) setComponent(() => loaded);
  const fail = useEffectEvent(onFailed);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again
  useEffect(() => {
    if (!wanted || Component) return;
    let isOver = false;
    let callOff = () => {};
    code.load().then(
      (Loaded) => {
        if (!isOver) setComponent(() => Loaded);
      },
      (error: unknown) => {
        console.error(error);
        if (isOver) return;
        if (!isOutdated(error)) callOff = onNextChance(() => setAttempts((count) => count + 1));
        fail(error);
      },
    );
    return () => {
      isOver = true;
      callOff();
    };
  }, [code, wanted, Component, attempts]);
  return Component;
}

/** Tells that a press had no effect: the code for it could not be loaded. */
export function tellNotLoaded(error: unknown): void {
  if (isOutdated(error))
    toasts.failure(SHELL_TEXTS.requests.outdated, 'Please load the page again to open this.');
  else toasts.failure(SHELL_TEXTS.requests.notLoaded, 'Please check your connection and try again.');
}

/** A dialog whose code is loaded when it is first opened, or once the page is idle. */
export function dialogOnDemand<Props extends { readonly opened: boolean; readonly onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
) {
  const code = onDemand(load);
  return function DialogOnDemand(props: Props) {
    const { opened, onClose } = props;
    const Dialog = useOnDemand(code, opened, (error) => {
      tellNotLoaded(error);
      onClose();
    });
    if (Dialog) return <Dialog {...props} />;
    return opened && <Loader role="status" aria-label="Loading" pos="fixed" top="45%" left="48%" />;
  };
}

/** Loads the code of all components that are loaded on demand, and of those that they need. */
export async function loadOnDemand(): Promise<void> {
  while (later.length > 0) {
    // What cannot be loaded now is loaded when it is wanted.
    await Promise.allSettled(later.splice(0).map((load) => load()));
  }
}

/** Calls back once the page is loaded and idle, so that nothing that it needs has to wait. */
function whenIdle(act: () => void): void {
  const idle = () => (window.requestIdleCallback ?? window.setTimeout)(act);
  if (document.readyState === 'complete') idle();
  else window.addEventListener('load', idle, { once: true });
}

/** Whether the person has asked the browser to load little. Firefox and Safari do not tell. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}

/** Loads what is left once the page is idle: a press then opens at once, even after a release has changed the files. */
export function loadTheRestWhenIdle(): void {
  if (savesData()) return;
  whenIdle(() => {
    isIdle = true;
    void loadOnDemand();
  });
}
