import { render } from '@testing-library/react';
import { Fragment } from 'react';
import { expect, it, vi } from 'vitest';
import { keepTexts } from './translated-texts.ts';

/** A text of React, with its key. */
type Word = readonly [key: string, text: string];
const TEN: Word = ['a', 'ten '];
const TWELVE: Word = ['a', 'twelve '];
const PLEASE: Word = ['b', 'please '];

/** Texts side by side, behind an element that comes and goes. */
function Line({ words, isLate = false }: { words: readonly Word[]; isLate?: boolean }) {
  return (
    <p>
      {isLate && <b>late </b>}
      {words.map(([key, text]) => (
        <Fragment key={key}>{text}</Fragment>
      ))}
    </p>
  );
}

function font(...content: (Node | string)[]): HTMLElement {
  const element = document.createElement('font');
  element.append(...content);
  return element;
}

/** Ways to put a translation in the place of a text. */
const WAYS = {
  replaces: (text: Text) => text.replaceWith(font(font(text.data.toUpperCase()))),
  'is put before, and removes,': (text: Text) => {
    text.before(font(text.data.toUpperCase()));
    text.remove();
  },
  'takes in': (text: Text) => {
    const element = font(text.data.toUpperCase());
    text.replaceWith(element);
    text.data = '';
    element.append(font(text));
  },
};

const textsIn = (element: Element) =>
  [...element.childNodes].filter((node): node is Text => node instanceof Text);

/** A line that is translated. */
async function translated(translate: (text: Text) => void) {
  const { container, rerender } = render(<Line words={[TEN, PLEASE]} />);
  keepTexts(container);
  const line = container.firstElementChild ?? container;
  for (const text of textsIn(line)) translate(text);
  await vi.waitFor(() => expect(textsIn(line)).toHaveLength(2));
  expect(line.textContent).toBe('TEN PLEASE ');
  const shows = (text: string) => vi.waitFor(() => expect(line.textContent).toBe(text));
  return { line, shows, rerender };
}

it.each(Object.entries(WAYS))('React goes on where a translation %s a text', async (_, translate) => {
  const { shows, rerender } = await translated(translate);
  rerender(<Line words={[TEN, PLEASE]} isLate />);
  await shows('late TEN PLEASE ');
  rerender(<Line words={[PLEASE, TEN]} isLate />);
  await shows('late PLEASE TEN ');
  rerender(<Line words={[PLEASE, TWELVE]} isLate />);
  await shows('late PLEASE twelve ');
  rerender(<Line words={[TWELVE]} />);
  await shows('twelve ');
});

it('a text is there again when its translation ends', async () => {
  const { line, shows, rerender } = await translated(WAYS.replaces);
  for (const element of [...line.children]) {
    const text = element.previousSibling;
    if (text) element.replaceWith(text);
  }
  await shows('ten please ');
  rerender(<Line words={[['b', 'thanks ']]} />);
  await shows('thanks ');
});
