/** In a browser, the page says it in the head. */
let name =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name=application-name]')?.content ?? 'ClipSwap';

/** What this market is called: on screens, in mails, and wherever else people read its name. */
export function marketName(): string {
  return name;
}

/** Gives the market of this process its name. A server does it once, at start. */
export function nameMarket(given: string): void {
  name = given;
}
