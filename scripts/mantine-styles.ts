import type { Plugin } from 'vite';

const WHOLE_SHEET = /[\\/]@mantine[\\/]core[\\/]styles\.layer\.css$/;
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
 * code of its component, so that pages load what they show. All sheets are in one cascade layer: however late one
 * loads, our own styles win.
 */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: WHOLE_SHEET },
      handler: () => FIRST.map((name) => `@import './styles/${name}.layer.css';`).join('\n'),
    },
    transform: {
      filter: { id: CLASS_NAMES },
      handler(code, id) {
        const [, name = ''] = CLASS_NAMES.exec(id) ?? [];
        if (FIRST.includes(name)) return null;
        return { code: `import '@mantine/core/styles/${name}.layer.css';\n${code}`, map: null };
      },
    },
  };
}
