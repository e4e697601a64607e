import { type NodePath, type PluginObj, transformAsync, types } from '@babel/core';
import macros from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';
import lingui from '../../lingui.config.ts';
import type { Language, Tokens } from '../../src/contract/base/i18n.ts';
import { readCatalogue } from '../../src/locales/catalogue.ts';
import { PSEUDO, PSEUDO_LOCALE, pseudoMessage } from './pseudo.ts';

const CONFIG = makeConfig(lingui, { skipValidation: true });
/** What only modules with macros contain. */
const MACRO = /@lingui\/(core|react)\/macro/;

/** The catalogues that were read. */
const catalogues = new Map<Language, ReturnType<typeof readCatalogue>>();

function catalogueOf(language: Language): ReturnType<typeof readCatalogue> {
  const catalogue = catalogues.get(language) ?? readCatalogue(language);
  catalogues.set(language, catalogue);
  return catalogue;
}

type Descriptor = NodePath<types.ObjectExpression>;

function propertyOf(descriptor: Descriptor, name: string): types.ObjectProperty | undefined {
  return descriptor.node.properties.find(
    (one) => types.isObjectProperty(one) && types.isIdentifier(one.key, { name }),
  ) as types.ObjectProperty | undefined;
}

function textOf(descriptor: Descriptor, name: string): string {
  const value = propertyOf(descriptor, name)?.value;
  if (!types.isStringLiteral(value)) throw descriptor.buildCodeFrameError(`The ${name} is no text`);
  return value.value;
}

/** The call or the element that shows a message. */
function shownBy(descriptor: Descriptor): NodePath {
  const { parentPath } = descriptor;
  return parentPath.isJSXSpreadAttribute() ? (parentPath.parentPath.parentPath ?? parentPath) : parentPath;
}

type Compile = (id: string, message: string) => CompiledMessage;

/** How messages are compiled into a language. */
function compilerFor(language: Language | typeof PSEUDO): Compile {
  if (language === PSEUDO) return (_id, message) => pseudoMessage(message);
  const translations = catalogueOf(language);
  return (id, message) => compileMessage(translations.get(id) ?? message);
}

/** Compiles each message, so that nobody has to parse it. In one language a plain text takes its place. */
function compiled(compileIn: Compile | undefined): PluginObj {
  function compile(descriptor: Descriptor): void {
    if (descriptor.node.leadingComments?.[0]?.value !== 'i18n') return;
    const text = textOf(descriptor, 'message');
    const compiled = compileIn ? compileIn(textOf(descriptor, 'id'), text) : compileMessage(text);
    // As JSON: plurals have an offset that is undefined.
    const tokens: Tokens = JSON.parse(JSON.stringify(compiled));
    const isPlain = tokens.every((token) => typeof token === 'string');
    if (compileIn && isPlain && !propertyOf(descriptor, 'components')) {
      const plain = types.stringLiteral(tokens.join(''));
      const shown = shownBy(descriptor);
      const isChild = shown.parentPath?.isJSXElement() || shown.parentPath?.isJSXFragment();
      shown.replaceWith(isChild ? types.jsxExpressionContainer(plain) : plain);
      return;
    }
    const kept = [...(compileIn ? [] : ['id']), 'values', 'components'];
    const message = types.objectProperty(types.identifier('message'), types.valueToNode(tokens));
    const rest = kept.flatMap((name) => propertyOf(descriptor, name) ?? []);
    // It is done, but not what is in its elements.
    types.removeComments(descriptor.node);
    descriptor.replaceWith(types.objectExpression([message, ...rest]));
  }
  return { visitor: { Program: { exit: (program) => program.traverse({ ObjectExpression: compile }) } } };
}

/**
 * Replaces Lingui's macros in a module by what they stand for.
 * @param text in TypeScript or JavaScript
 * @param file its name says whether it has JSX
 * @param language puts the texts of this language in; else those of the source, with ids to find translations by
 * @returns the module with its source map, or undefined if it has no macros
 */
export async function withoutMacros(text: string, file: string, language?: Language | typeof PSEUDO) {
  if (!MACRO.test(text)) return undefined;
  const result = await transformAsync(text, {
    filename: file,
    babelrc: false,
    configFile: false,
    sourceMaps: true,
    generatorOpts: { jsescOption: { minimal: true } },
    parserOpts: { plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
    plugins: [
      [macros, { linguiConfig: CONFIG, stripMessageField: false }],
      compiled(language && compilerFor(language)),
    ],
  });
  return result?.code == null ? undefined : { code: result.code, map: result.map };
}

/** Gives English the locale of the pseudo-language. */
export const pseudoLocale: Plugin = {
  name: 'pseudo-locale',
  enforce: 'pre',
  transform: {
    filter: { id: /src\/contract\/base\/i18n\.ts$/ },
    handler: (text) => text.replace("en: 'en'", `en: '${PSEUDO_LOCALE}'`),
  },
};

/** Vite's plugin for it. */
export const macrosIn = (language?: Language | typeof PSEUDO): Plugin => ({
  name: 'macros',
  enforce: 'pre',
  transform: {
    filter: { code: MACRO },
    handler: (text, file) => withoutMacros(text, file.replace(/\?.*/, ''), language),
  },
});
