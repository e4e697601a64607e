/** Macros that are compiled away: a mutant in between would be a mistake of the compiler. */
const MACROS = ['t', 'plural', 'select', 'msg'];

/**
 * Stryker's plugin: what it leaves as it is, with the reason. Words and what is logged decide nothing.
 * @type {{ kind: 'Ignore', name: string, value: { shouldIgnore(path: import('@babel/core').NodePath): string | undefined } }[]}
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'words',
    value: {
      shouldIgnore(path) {
        if (!path.isCallExpression() && !path.isTaggedTemplateExpression()) return undefined;
        const called = path.get(path.isCallExpression() ? 'callee' : 'tag');
        if (called.isIdentifier() && MACROS.includes(called.node.name)) return 'It is a text.';
        return /^(ctx\.)?log\.(debug|info|warn|error)$/.test(called.toString()) ? 'It is logged.' : undefined;
      },
    },
  },
];
