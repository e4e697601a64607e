import { t } from '@lingui/core/macro';
import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { SHELL_TEXTS } from '#contract/base/shell-texts.ts';
import { savesData } from '#web/lib/saves-data.ts';
import { toasts } from '#web/lib/toasts.ts';

/** What loads the code of every lazy component. */
const loads: (() => Promise<unknown>)[] = [];

/** A component whose code is loaded when it is first rendered, as by React's `lazy`. */
export interface LazyComponent<Props> {
  (props: Props): ReactNode;
  /** The component if its code is there. */
  readonly loaded: () => ComponentType<Props> | undefined;
  /** @throws where the code cannot be loaded, as offline or after a release; the next call tries again */
  readonly preload: () => Promise<ComponentType<Props>>;
}

/**
 * For what a first look at a page does not need. Nothing is shown until the code is there, nor where it cannot be
 * loaded; what is rendered anew tries again. React's own `lazy` would keep a failure, would break the page around it, and
 * would hide for up to 300 ms what is loaded already.
 */
export function lazyWithPreload<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  function Lazy(props: Props): ReactNode {
    const Component = useLoaded(component, true);
    return Component && <Component {...props} />;
  }
  const component: LazyComponent<Props> = Object.assign(Lazy, {
    loaded: () => loaded,
    preload: async () => {
      loaded ??= await load();
      return loaded;
    },
  });
  loads.push(component.preload);
  return component;
}

/**
 * The component once it is wanted and its code is there, else null: for who shows something else until then, or tells
 * of a failure.
 * @param wanted each new value tries to load it again
 */
export function useLoaded<Props>(
  { loaded, preload }: LazyComponent<Props>,
  wanted: unknown,
  onFailed: () => void = () => {},
): ComponentType<Props> | null {
  const [Component, setComponent] = useState<ComponentType<Props> | null>(null);
  const present = loaded();
  if (wanted && !Component && present) setComponent(() => present);
  const fail = useEffectEvent(onFailed);
  useEffect(() => {
    if (!wanted || Component) return;
    let isOver = false;
    preload().then(
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
  }, [preload, wanted, Component]);
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
    globalThis.document?.addEventListener(type, ({ target }) => target instanceof Element && act(target), {
      passive: true,
    });
}

/** Loads the code of every lazy component, and of those in it: for tests, where a press opens a dialog at once. */
export async function preloadAll(): Promise<void> {
  while (loads.length > 0) await Promise.allSettled(loads.splice(0).map((load) => load()));
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
