import type { Plugin } from 'vite';

const WHOLE_SHEET = /[\\/]@mantine[\\/]core[\\/]styles\.css$/;
/** The class names of a component. Its sheet has the same name. */
const CLASS_NAMES = /[\\/]@mantine[\\/]core[\\/]esm[\\/].*[\\/](\w+)\.module\.mjs$/;

/** What every page needs, and what other components build upon, in Mantine's order: these must stand before those. */
const FIRST = [
  'baseline',
  'default-css-variables',
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

/**
 * In the build, replaces the sheet of all Mantine components by the sheets of those that are used. Each comes with the
 * code of its component, so that pages load what they show. It may come after the styles of the shell, which then win by
 * specificity. Not by a cascade layer: a late sheet with a layer makes Chromium look for the fonts again, and text jumps.
 */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: WHOLE_SHEET },
      handler: () => FIRST.map((name) => `@import './styles/${name}.css';`).join('\n'),
    },
    transform: {
      filter: { id: CLASS_NAMES },
      handler(code, id) {
        const [, name = ''] = CLASS_NAMES.exec(id) ?? [];
        if (FIRST.includes(name)) return null;
        return { code: `import '@mantine/core/styles/${name}.css';\n${code}`, map: null };
      },
    },
  };
}
