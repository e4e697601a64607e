import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, CDPSession, Locator, Page, Request } from 'playwright-core';
import { WAIT_MS } from '#tests/support/patience.ts';
import { translatePage } from './translator.ts';

export { closePages, launchBrowser, sharedBrowser } from './chromium.ts';

export interface PageOptions {
  readonly baseUrl: string;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** Whether it keeps answers and gets its worker once it is idle, and loads ahead what somebody is about to press. */
  readonly loadsWhenIdle?: boolean;
  /** Whether the browser translates it, as Chrome does. */
  readonly isTranslated?: boolean;
  /** The time on its clock, which stands still; without it, the machine's. */
  readonly time?: Date;
}

export interface OpenedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What went wrong so far: errors in the console, uncaught ones, requests to our own server that failed. */
  readonly problems: string[];
  /** Fails on any problem but those that match: a refusal on purpose shows up in the console, too. */
  assertNoConsoleErrors(expected?: readonly RegExp[]): void;
  /** Waits until nothing has been asked of any server for a moment. */
  quiet(): Promise<void>;
}

/** Longer than a page takes to ask for its data once its code has come. */
const QUIET_MS = 150;

/** Opens a page like a visitor's: a context of its own, whose relative addresses are those of `baseUrl`. */
export async function openPage(browser: Browser, options: PageOptions): Promise<OpenedPage> {
  const { baseUrl, width = 1280, height = 800, colorScheme = 'light', reducedMotion = 'reduce' } = options;
  const { loadsWhenIdle = false, isTranslated = false, time } = options;
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: { width, height },
    colorScheme,
    reducedMotion,
    locale: 'en-CA',
    timezoneId: process.env.TZ ?? 'UTC',
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  if (time) await page.addInitScript(stopClock, time.getTime());
  await page.addInitScript(watchLayoutShifts);
  if (!loadsWhenIdle) await page.addInitScript(saveData);
  if (isTranslated) await page.addInitScript(translatePage);
  const problems: string[] = [];
  const underWay = new Set<Request>();
  let lastChange = Date.now();
  page.on('request', (request) => {
    // The live line stays open for as long as the page does.
    if (request.resourceType() === 'eventsource') return;
    underWay.add(request);
    lastChange = Date.now();
  });
  const settle = (request: Request) => {
    underWay.delete(request);
    lastChange = Date.now();
  };
  page.on('requestfinished', settle);
  page.on('requestfailed', settle);
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left cancels what it was loading.
    const isCancelled = reason === 'net::ERR_ABORTED';
    if (!isCancelled && new URL(request.url()).origin === new URL(baseUrl).origin) {
      problems.push(`request: ${request.method()} ${request.url()} ${reason}`);
    }
  });
  return {
    context,
    page,
    problems,
    async quiet() {
      const begun = Date.now();
      while (underWay.size > 0 || Date.now() - lastChange < QUIET_MS) {
        if (Date.now() - begun > WAIT_MS) {
          throw new Error(`Still asked for: ${[...underWay].map((request) => request.url()).join(' ')}`);
        }
        await setTimeout(QUIET_MS / 5);
      }
    },
    assertNoConsoleErrors(expected = []) {
      failOn(problems.filter((problem) => !expected.some((pattern) => pattern.test(problem))));
    },
  };
}

/** Holds back what a page asks for. @returns a function that lets it through */
export async function holdBack(page: Page, url: string | RegExp): Promise<() => void> {
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(url, (route) => held.then(() => route.continue()));
  return letThrough;
}

/** Runs in the page, before anything else: asks for little to be loaded, as a person can. */
export function saveData(): void {
  Object.defineProperty(Reflect.get(navigator, 'connection'), 'saveData', { value: true });
}

/** Runs in the page, before anything else: it is always this time. Timers go on, which Playwright's clock replaces. */
function stopClock(now: number): void {
  const real = Date;
  globalThis.Date = class extends real {
    constructor(...given: number[]) {
      super(...((given.length === 0 ? [now] : given) as [number]));
    }
    static override now(): number {
      return now;
    }
  } as DateConstructor;
}

/** Runs in the page, before anything else: adds up how far things have jumped without anybody's doing. */
function watchLayoutShifts(): void {
  const shifts = { sum: 0, worst: '' };
  Object.assign(globalThis, { layoutShifts: shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null }[];
    })[]) {
      if (entry.hadRecentInput) continue;
      shifts.sum += entry.value;
      shifts.worst += `${entry.value.toFixed(3)} ${entry.sources.map(({ node }) => (node as Element)?.className ?? node?.nodeName).join(', ')}\n`;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Fails when the page has jumped while its data came (Cumulative Layout Shift; below 0.1 counts as good). */
export async function expectNoLayoutJump(page: Page, atMost = 0.02): Promise<void> {
  const { sum, worst } = await page.evaluate(() => Reflect.get(globalThis, 'layoutShifts'));
  failOn(sum > atMost ? [`the page jumped by ${sum.toFixed(3)}`, worst] : []);
}

/** Fails with the findings themselves as the message. */
function failOn(findings: readonly string[]): void {
  if (findings.length > 0) throw new Error(findings.join('\n'));
}

const devTools = new WeakMap<Page, Promise<CDPSession>>();

/**
 * The DevTools of a page: one session for as long as it is open, because the end of any would take away the
 * authenticator that was added to the browser.
 */
function devToolsOf(page: Page): Promise<CDPSession> {
  const session = devTools.get(page) ?? page.context().newCDPSession(page);
  devTools.set(page, session);
  return session;
}

/**
 * Gives a page's browser a device that makes passkeys and uses them as if a finger were on it. The browser does not
 * offer them by itself: it would sign in before the button is pressed.
 */
export async function addAuthenticator(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  const devTools = await devToolsOf(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Runs an expression in the isolated world of a page's document that axe is loaded into. */
type RunInWorld = (expression: string) => Promise<unknown>;
const worlds = new WeakMap<Page, { readonly loaderId: string; readonly run: RunInWorld }>();

/**
 * Loads axe into an isolated world over the DevTools protocol, once a document: the page's content security policy stays
 * as strict as it is, and the page sees nothing of it.
 */
async function worldOf(page: Page): Promise<RunInWorld> {
  const session = await devToolsOf(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { id: frameId, loaderId } = frameTree.frame;
  const known = worlds.get(page);
  if (known?.loaderId === loaderId) return known.run;
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', { frameId });
  const run = async (expression: string) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  await run(`${await readFile(AXE, 'utf8')}; undefined`);
  worlds.set(page, { loaderId, run });
  return run;
}

/**
 * Fails on any violation that axe finds, naming the elements.
 * @param only these rules, instead of all
 */
export async function expectNoAxeViolations(page: Page, only?: readonly string[]): Promise<void> {
  const run = await worldOf(page);
  await untilStill(page);
  const violations = (await run(
    `axe.run(document, { runOnly: ${JSON.stringify(only ?? AXE_TAGS)}, resultTypes: ['violations'] }).then((r) => r.violations)`,
  )) as AxeResults['violations'];
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary ?? ''}`),
  );
  failOn(found);
}

/** Waits until nothing on a page moves or fades any more: only then has anything a place, a size and a colour. */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A window that is not drawn has no frames.
    const frame = () =>
      Promise.race([
        new Promise(requestAnimationFrame),
        new Promise((resolve) => window.setTimeout(resolve, 100)),
      ]);
    const ending = () =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    // They begin with the next frame at the earliest.
    await frame();
    await frame();
    // A few frames more than the longest of them takes; one that is held up in the background never ends.
    for (let turn = 0; turn < 60 && ending().length > 0; turn += 1) await frame();
  });
}

/** Where something on screen comes to rest. */
export async function placeOf(locator: Locator) {
  await locator.waitFor();
  await untilStill(locator.page());
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not on screen`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** Fails when the page scrolls on below its footer. */
export async function expectEndAtFooter(page: Page): Promise<void> {
  await untilStill(page);
  const below = await page.evaluate(() => {
    const end = document.querySelector('footer')?.getBoundingClientRect().bottom ?? 0;
    return Math.round(document.documentElement.scrollHeight - window.scrollY - end);
  });
  failOn(below > 1 ? [`${below} px are below the footer`] : []);
}

/**
 * Fails on controls that are too low for a finger: 44 px. Links in a sentence may be, and those that cover what they are
 * in.
 */
export async function expectTouchTargets(page: Page): Promise<void> {
  await untilStill(page);
  const small = await page.evaluate(() => {
    const isInText = (element: Element) =>
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && /\p{L}|\d/u.test(node.textContent ?? ''),
      );
    const isSpread = (element: Element) =>
      ['::before', '::after'].some((part) => getComputedStyle(element, part).position === 'absolute');
    // A press on the label is one on its box.
    const area = (element: Element) =>
      element instanceof HTMLInputElement && element.labels?.[0] ? element.labels[0] : element;
    const height = (element: Element) =>
      Math.max(...[element, area(element)].map((each) => each.getBoundingClientRect().height));
    return [...document.querySelectorAll('a, button, input, select, textarea, summary, [role="tab"]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => element.getBoundingClientRect().width > 1)
      .filter((element) => height(element) < 43.5 && !isInText(element) && !isSpread(element))
      .map(
        (element) =>
          `${height(element)} px: ${(element.cloneNode(false) as Element).outerHTML} ${element.textContent}`,
      );
  });
  failOn(small);
}

/** Fails when the page is wider than its window, naming the outermost elements that stick out. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await untilStill(page);
  const sticksOut = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const isOut = (element: Element) => element.getBoundingClientRect().right > clientWidth + 0.5;
    const outermost = [...document.body.querySelectorAll('*')].filter(
      (element) => isOut(element) && !(element.parentElement && isOut(element.parentElement)),
    );
    const names = outermost
      .map((element) => element.cloneNode(false) as Element)
      .map(({ outerHTML }) => outerHTML);
    return [`the page is ${scrollWidth} wide in a window of ${clientWidth}`, ...names];
  });
  failOn(sticksOut);
}

/** Fails where the label of a button or of a link in a bar does not fit, so that a reader misses its end. */
export async function expectNoCutLabels(page: Page): Promise<void> {
  await untilStill(page);
  const cut = await page.evaluate(() => {
    const isCut = (element: Element) => {
      const room = element.getBoundingClientRect();
      return [...element.childNodes].some((node) => {
        if (node.nodeType !== Node.TEXT_NODE) return false;
        const range = document.createRange();
        range.selectNodeContents(node);
        const { width, left, right } = range.getBoundingClientRect();
        return width > 0 && (left < room.left - 1 || right > room.right + 1);
      });
    };
    return [...document.querySelectorAll('.mantine-Button-label, nav a, nav button')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && isCut(element))
      .map(({ textContent }) => `no room for the label “${textContent}”`);
  });
  failOn(cut);
}
