import { load } from 'cheerio';
import { withoutEnd } from '#server/core/text.ts';

/** What is behind that much of a page is not read, in characters. */
const MAX_LENGTH = 500_000;
/** Rows of tables within tables within tables: deeper ones are lines. */
const MAX_DEPTH = 40;

/** What nobody sees, or is no text. */
const NO_TEXT = new Set(
  'head style script title template noscript svg object img map select textarea'.split(' '),
);
/** What begins and ends a line. */
const BLOCKS = new Set(
  [
    'address article aside blockquote body br caption center dd div dl dt fieldset figcaption figure footer form',
    'h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody tfoot thead ul',
  ].flatMap((names) => names.split(' ')),
);
/** What has a blank line around it. */
const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 table ul ol blockquote hr'.split(' '));

const HIDING =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|max-height\s*:\s*0(?![.\d]))/i;

/** The cells of a row that is being read, and the lines of each. */
type Cells = string[][];

/**
 * The text of a page as a person sees it, line by line: a row of a table whose cells have one line each is a line with tabs
 * between them, other cells are lines of their own. What is hidden is left out.
 */
export function textOfHtml(html: string): string {
  const page = load(html.slice(0, MAX_LENGTH), { xml: { xmlMode: false } }, false);
  const hidden = hiddenClasses(page('style').text());
  const out = createLines();
  // A list of what is left, as markup can be nested deeper than calls.
  const nodes = page.root().contents().toArray();
  const left: ((typeof nodes)[number] | (() => void))[] = nodes.toReversed();
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (typeof node === 'function') node();
    else if (node.type === 'text') out.add(node.data);
    else if (node.type === 'tag' && !isHidden(node, hidden)) {
      const { name } = node;
      left.push(out.open(name), ...node.children.toReversed());
    }
  }
  return out.text();
}

interface Shown {
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
}

function isHidden({ name, attribs }: Shown, hidden: ReadonlySet<string>): boolean {
  return (
    NO_TEXT.has(name) ||
    attribs.hidden !== undefined ||
    HIDING.test(attribs.style ?? '') ||
    (attribs.class ?? '').split(/\s+/).some((each) => hidden.has(each))
  );
}

/** The classes that a style sheet hides on every screen. */
function hiddenClasses(sheet: string): ReadonlySet<string> {
  const hidden = new Set<string>();
  let depth = 0;
  let selector = '';
  // What stands between braces, and the braces.
  const parts = sheet.slice(0, MAX_LENGTH).split(/([{}])/);
  for (let at = 1; at < parts.length; at += 2) {
    const text = parts[at - 1] ?? '';
    if (parts[at] === '{') {
      depth += 1;
      selector = depth === 1 ? text : '';
    } else {
      if (depth === 1 && HIDING.test(text))
        for (const each of selector.split(',')) {
          const [, name] = /^\s*\.([\w-]+)\s*$/.exec(each) ?? [];
          if (name !== undefined) hidden.add(name);
        }
      depth = Math.max(0, depth - 1);
    }
  }
  return hidden;
}

/** Collects lines, and the cells of the rows that are open. */
function createLines() {
  const whole: string[] = [];
  const rows: Cells[] = [];
  /** Where the next line goes: into the last cell of the innermost row. */
  let lines = whole;
  let line = '';

  function end(): void {
    const seen = withoutEnd(line, ' ');
    if (seen !== '') lines.push(seen);
    line = '';
  }

  function gap(): void {
    end();
    if (lines.length > 0 && lines.at(-1) !== '') lines.push('');
  }

  function enter(): void {
    lines = rows.at(-1)?.at(-1) ?? whole;
  }

  return {
    add(text: string): void {
      const folded = text.replace(/\s+/g, ' ');
      line += line === '' || line.endsWith(' ') ? folded.replace(/^ /, '') : folded;
    },
    /** Begins an element. @returns what ends it */
    open(name: string): () => void {
      if (name === 'tr' && rows.length < MAX_DEPTH) {
        end();
        rows.push([]);
        enter();
        return () => {
          end();
          const cells = (rows.pop() ?? []).filter((cell) => cell.some((each) => each !== ''));
          enter();
          const isLine = cells.every((cell) => cell.filter((each) => each !== '').length === 1);
          if (isLine && cells.length > 0)
            lines.push(cells.map((cell) => cell.find((each) => each !== '') ?? '').join('\t'));
          else for (const each of cells.flat()) if (each !== '' || lines.at(-1) !== '') lines.push(each);
        };
      }
      if (name === 'td' || name === 'th') {
        end();
        rows.at(-1)?.push([]);
        enter();
        return end;
      }
      if (!BLOCKS.has(name) && name !== 'tr') return () => {};
      const stop = PARAGRAPHS.has(name) ? gap : end;
      stop();
      return stop;
    },
    text(): string {
      end();
      return whole.join('\n').trim();
    },
  };
}
