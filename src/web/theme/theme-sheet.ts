import { DEFAULT_THEME, MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { cssVariables } from './css-variables.ts';
import { themeWith } from './theme.ts';

const theme = themeWith({ close: '', dismiss: '' });

/** Mantine's colours that our theme does not have. */
const UNUSED = Object.keys(DEFAULT_THEME.colors).filter((color) => !(color in (theme.colors ?? {})));
const UNUSED_VARIABLE = new RegExp(`--mantine-color-(?:${UNUSED.join('|')})-[\\w-]+:[^;]*;`, 'g');

/** The theme's variables and classes as a style sheet. Else each browser would compute them at every start. */
export function themeSheet(): string {
  const provider = createElement(MantineProvider, {
    theme,
    cssVariablesResolver: cssVariables,
    deduplicateCssVariables: false,
  });
  const styles = renderToStaticMarkup(provider).matchAll(/<style[^>]*>([^<]*)<\/style>/g);
  return [...styles].map(([, css = '']) => css.replace(UNUSED_VARIABLE, '')).join('\n');
}
