import { t } from '@lingui/core/macro';
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { SHELL_TEXTS } from '#contract/base/shell-texts.ts';
import { savesData } from '#web/lib/saves-data.ts';
import { toasts } from '#web/lib/toasts.ts';

/** What loads all code that is loaded on demand. */
const codes: (() => Promise<unknown>)[] = [];

/** A component whose code is loaded when it is first wanted. */
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
  codes.push(code.load);
  return code;
}

/**
 * The component once it is wanted and its code is there, else null. React.lazy would keep a failure, and would not show
 * at once what is loaded.
 * @param wanted each new value tries to load it again
 */
export function useOnDemand<Props>(
  code: OnDemand<Props>,
  wanted: unknown,
  onFailed: () => void = () => {},
): ComponentType<Props> | null {
  const [Component, setComponent] = useState<ComponentType<Props> | null>(null);
  const loaded = code.loaded();
  if (wanted && !Component && loaded) setComponent(() => loaded);
  const fail = useEffectEvent(onFailed);
  useEffect(() => {
    if (!wanted || Component) return;
    let isOver = false;
    code.load().then(
      (Loaded) => {
        if (!isOver) setComponent(() => Loaded);
      },
      (error: unknown) => {
        console.error(error);
        if (!isOver) fail();
      },
    );
    return () => {
      isOver = true;
    };
  }, [code, wanted, Component]);
  return Component;
}

export const NOT_LOADED = {
  title: SHELL_TEXTS.requests.notLoaded(),
  message: t`Please check your connection and try again.`,
};

const RELOAD = t`Copy what you have typed here, then reload the page.`;

/** Tells that a press had no effect: the code for it could not be loaded. */
export function tellNotLoaded(): void {
  toasts.failure(NOT_LOADED.title, NOT_LOADED.message);
}

/** How many loads are under way that nobody waits for. */
let loadsAhead = 0;

/** Loads code that somebody may need soon. What cannot be loaded now is loaded when it is wanted. */
export async function loadAhead(load: () => Promise<unknown>): Promise<void> {
  if (savesData()) return;
  loadsAhead += 1;
  await load().catch(() => {});
  loadsAhead -= 1;
}

/**
 * Calls back when somebody is about to press something: a pointer comes to it, a finger touches it, or it gets the focus.
 * @param act gets the element that the event is about
 */
export function onIntent(act: (target: Element) => void): void {
  for (const type of ['pointerover', 'touchstart', 'focusin'])
    document.addEventListener(type, ({ target }) => target instanceof Element && act(target), {
      passive: true,
    });
}

/** Loads all code that is loaded on demand, and what that needs. */
export async function loadOnDemand(): Promise<void> {
  while (codes.length > 0) await Promise.allSettled(codes.splice(0).map((load) => load()));
}

const notLoaded = new WeakSet<Error>();

/** Whether a page threw because its code could not be loaded. */
export function isNotLoaded(error: unknown): boolean {
  return error instanceof Error && notLoaded.has(error);
}

/** Whether this page was loaded again, by us or by the person. */
function isReloaded(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
}

/** Notes in which fields somebody types. @returns a function that says whether one of them is still on the page */
function noteTyping(): () => boolean {
  const typedIn = new WeakSet<EventTarget>();
  window.addEventListener('input', ({ target }) => target && typedIn.add(target), { capture: true });
  return () =>
    [...document.querySelectorAll('input, textarea')].some(
      (field) => typedIn.has(field) && Reflect.get(field, 'value') !== '',
    );
}

/**
 * Loads the page again when code that somebody wants cannot be loaded, most often because a release has replaced its
 * files. Not while the server is out of reach, and not twice in a row. Where something is typed, the person does it.
 */
export function reloadOnMissingCode(): void {
  const isTyped = noteTyping();
  window.addEventListener('vite:preloadError', async ({ payload }) => {
    notLoaded.add(payload);
    if (loadsAhead > 0) return;
    // Meanwhile the router goes to the address of the page that could not be loaded.
    const { ok } = await fetch('/healthz').catch(() => ({ ok: false }));
    if (!ok) return;
    if (isTyped()) toasts.failure(NOT_LOADED.title, RELOAD);
    else if (!isReloaded()) window.location.reload();
  });
}
