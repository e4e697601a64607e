import { cloneElement, createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { type Message, texts } from '#contract/base/i18n.ts';

interface TransProps extends Message {
  /** The elements of the text by their numbers in it: `<0>terms</0>`. */
  readonly components?: Readonly<Record<string, ReactElement>>;
}

/** What Lingui's macro of this name becomes: a text with elements and values in it. */
export function Trans({ components = {}, ...message }: TransProps): ReactNode {
  const outer: ReactNode[][] = [];
  let children: ReactNode[] = [];
  const close = (number: string, inside: readonly ReactNode[]) => {
    const element = components[number];
    if (element) children.push(cloneElement(element, {}, ...inside));
  };
  texts().visit(message, (piece, isValue) => {
    if (isValue) children.push(piece as ReactNode);
    for (const part of isValue ? [] : String(piece).split(/(<\/?\d+\/?>)/)) {
      const [, end, number = '', single] = /^<(\/?)(\d+)(\/?)>$/.exec(part) ?? [];
      if (single) close(number, []);
      else if (end) {
        const inside = children;
        children = outer.pop() ?? [];
        close(number, inside);
      } else if (number) {
        outer.push(children);
        children = [];
      } else children.push(part);
    }
  });
  return createElement(Fragment, {}, ...children);
}
