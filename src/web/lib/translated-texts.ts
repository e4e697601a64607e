/** What a translation shows in the place of a text. */
interface Translation {
  readonly element: HTMLElement;
  /** The text of the page. */
  readonly original: string;
}

const isTranslation = (node: Node | null | undefined): node is HTMLElement => node?.nodeName === 'FONT';

/**
 * Lets React work on a page that the browser translates. Chrome puts a `font` element in the place of each text. React
 * then fails when it removes such a text or inserts before it, and changes texts that nobody sees. So each text goes
 * back, empty, before its translation, and its translation goes when React changes or removes the text.
 * @see https://github.com/facebook/react/issues/11538
 */
export function keepTexts(root: Node): void {
  const translations = new WeakMap<Node, Translation>();
  const texts = new WeakMap<Node, Text>();
  const isNew = (node: Node | null | undefined): node is HTMLElement =>
    isTranslation(node) && node.isConnected && !texts.has(node);

  function putBack(text: Text, element: HTMLElement): void {
    translations.set(text, { element, original: text.data });
    texts.set(element, text);
    text.data = '';
    element.before(text);
  }

  function drop(text: Node): void {
    translations.get(text)?.element.remove();
    translations.delete(text);
  }

  function textRemoved(text: Text, { addedNodes, previousSibling, nextSibling }: MutationRecord): void {
    if (translations.has(text)) {
      // Else it was only moved.
      if (!text.isConnected) drop(text);
      return;
    }
    // Extensions leave the text in their element.
    let around = text.parentElement;
    if (isTranslation(around)) text.replaceWith(text.cloneNode());
    while (isTranslation(around?.parentElement)) around = around.parentElement;
    const element = [around, ...addedNodes, previousSibling, nextSibling].find(isNew);
    if (element && !text.isConnected) putBack(text, element);
  }

  /** The translation ends, or is replaced. */
  function translationRemoved(element: Node): void {
    const text = texts.get(element);
    const known = text && translations.get(text);
    if (!known || known.element !== element || element.isConnected) return;
    translations.delete(text);
    text.data = known.original;
  }

  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (isTranslation(record.target)) continue;
      if (record.type === 'characterData') drop(record.target);
      for (const node of record.removedNodes) {
        if (node instanceof Text) textRemoved(node, record);
        else translationRemoved(node);
      }
      for (const node of record.addedNodes) {
        // React has moved the text.
        const element = translations.get(node)?.element;
        if (node.isConnected && element?.isConnected)
          node.parentNode?.insertBefore(element, node.nextSibling);
      }
    }
    // Its own changes need no second round.
    observer.takeRecords();
  });
  observer.observe(root, { childList: true, subtree: true, characterData: true });
}
