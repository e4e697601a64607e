import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { THEME_SHEET } from '../../src/contract/base/grounds.ts';
import { themeSheet } from '../../src/web/theme/theme-sheet.ts';

const WHOLE_SHEET = /[\\/]@mantine[\\/]core[\\/]styles\.css$/;
/** The class names of a component. Its sheet has the same name. */
const CLASS_NAMES = /[\\/]@mantine[\\/]core[\\/]esm[\\/].*[\\/](\w+)\.module\.mjs$/;

/** These write at run time what stands in the theme's sheet. */
const STYLE_ELEMENTS = /[\\/]@mantine[\\/]core[\\/].*[\\/](MantineCssVariables|MantineClasses)\.mjs$/;

/** What every page needs, and what other components build upon, in Mantine's order: these must stand before those. */
const FIRST = [
  'baseline',
  'global',
  'ScrollArea',
  'UnstyledButton',
  'VisuallyHidden',
  'Paper',
  'Overlay',
  'Popover',
  'Loader',
  'ActionIcon',
  'CloseButton',
  'Group',
  'ModalBase',
  'Input',
  'FloatingIndicator',
];

/** Adds the variables and classes of our theme to Mantine's style sheet. */
export function themeStyles(): Plugin {
  return {
    name: 'theme-styles',
    apply: 'serve',
    enforce: 'pre',
    load: {
      filter: { id: WHOLE_SHEET },
      handler: async (id) => `${await readFile(id, 'utf8')}\n${themeSheet()}`,
    },
  };
}

/**
 * In the build, replaces the sheet of all Mantine components by the theme's and the sheets of those that are used. Each
 * comes with the code of its component, so that pages load what they show. It may come after the styles of the shell, which then win by
 * specificity. Not by a cascade layer: a late sheet with a layer makes Chromium look for the fonts again, and text jumps.
 */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: WHOLE_SHEET },
      handler: () => [...FIRST.map((name) => `@import './styles/${name}.css';`), themeSheet()].join('\n'),
    },
    generateBundle() {
      // For markets with colours of their own: the server takes from it what they change.
      this.emitFile({ type: 'asset', fileName: THEME_SHEET, source: themeSheet() });
    },
    transform: {
      filter: { id: [CLASS_NAMES, STYLE_ELEMENTS] },
      handler(code, id) {
        const [, element] = STYLE_ELEMENTS.exec(id) ?? [];
        if (element) return { code: `export const ${element} = () => null;`, map: null };
        const [, name = ''] = CLASS_NAMES.exec(id) ?? [];
        if (FIRST.includes(name)) return null;
        return { code: `import '@mantine/core/styles/${name}.css';\n${code}`, map: null };
      },
    },
  };
}
