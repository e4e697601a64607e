/**
 * Runs in the page, before anything else: as Chrome translates it, from the moment it is loaded. Each text is replaced by
 * `font` elements, and so is what comes or changes later. The words stay the same here, but for one.
 */
export function translatePage(): void {
  const SKIPPED = 'script, style, noscript, textarea, svg, font, [translate=no]';
  const font = (content: Node | string) => {
    const element = document.createElement('font');
    element.style.verticalAlign = 'inherit';
    element.append(content);
    return element;
  };
  const translate = (node: Node) => {
    if (!node.isConnected) return;
    const texts: Text[] = node instanceof Text ? [node] : [];
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
    for (const text of texts) {
      if (/\p{L}/u.test(text.data) && !text.parentElement?.closest(SKIPPED))
        text.replaceWith(font(font(text.data.replace('SCARF', 'FOULARD'))));
    }
  };
  const begin = async () => {
    // The page loads its guard (translated-texts.ts, with the late parts of Home) right after its first scripts. Chrome
    // takes longer, on a busy machine, too.
    const isGuarded = () =>
      performance.getEntriesByType('resource').some(({ name }) => /\/late-parts-[\w-]{7}\.js$/.test(name));
    while (!isGuarded()) await new Promise((later) => setTimeout(later, 20));
    await new Promise((idle) => requestIdleCallback(idle));
    document.documentElement.classList.add('translated-ltr');
    translate(document.body);
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        for (const node of type === 'characterData' ? [target] : addedNodes) translate(node);
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  };
  window.addEventListener('load', () => void begin());
}
