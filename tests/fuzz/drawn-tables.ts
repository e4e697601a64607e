import { createRandom } from '#tests/support/random.ts';
import { type WorkbookCell, type WorkbookSheet, workbookOf } from '#tests/support/workbooks.ts';
import { type Language, WORDS, type Words } from './table-words.ts';

/** What a drawn table says of a coupon. */
export interface Fact {
  readonly merchant: string;
  readonly title: string;
  readonly code: string;
  /** '' where the table has no PINs. */
  readonly pin: string;
  /** In decimals. */
  readonly value: string;
  readonly isPercentage: boolean;
  /** Null for a coupon that never expires. */
  readonly day: string | null;
  /** Whether the program that wrote it has spoilt the code, so that nobody can know it. */
  readonly isSpoilt: boolean;
}

export interface DrawnTable {
  readonly kind: 'csv' | 'workbook';
  readonly language: Language;
  readonly file: Uint8Array;
  readonly facts: readonly Fact[];
  /** For people who look for a fault. */
  readonly layout: string;
}

/** What a table is drawn with. */
function diceOf(seed: number) {
  const below = createRandom(seed);
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const chance = (share: number) => below(1_000) < share * 1_000;
  const shuffled = <Item>(items: readonly Item[]): Item[] =>
    items
      .map((item) => ({ item, rank: below(2 ** 32) }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ item }) => item);
  const letters = (count: number, from: string) =>
    Array.from({ length: count }, () => one([...from])).join('');
  return { below, one, chance, shuffled, letters };
}
type Dice = ReturnType<typeof diceOf>;

const CONSONANTS = 'BCDFGHJKLMNPQRSTVWZ';
const DIGITS = '0123456789';

function drawCode({ below, one, letters }: Dice): string {
  const shapes = [
    () => `${letters(5, CONSONANTS)}-${letters(2, DIGITS)}`,
    () => `${letters(2, CONSONANTS)}${letters(2, DIGITS)}-${letters(4, CONSONANTS)}${letters(3, DIGITS)}`,
    () => `${letters(4, CONSONANTS)}${1 + below(98)}`,
    () => `0${1 + below(9)}${letters(6, DIGITS)}`,
    () => `${1 + below(9)}${letters(6, DIGITS)}`,
    () => `6035${letters(11, DIGITS)}${1 + below(9)}`,
    () => letters(7, CONSONANTS),
    () => `MAR-${10 + below(20)}`,
    () => `${letters(5, CONSONANTS).toLowerCase()}${10 + below(89)}`,
  ];
  return one(shapes)();
}

function drawFact(draw: Dice, words: Words, hasPins: boolean): Fact {
  const { below, one, chance, letters } = draw;
  const isPercentage = chance(0.4);
  const amount = one([5, 10, 20, 50, 75, 7.5, 12.25, 99.99, 1234.5, 12_500, 1 + below(900)]);
  const value = isPercentage ? one([5, 10, 12.5, 15, 20, 33, 50, 100]) : amount;
  // The last day of a month, or another.
  const day = new Date(Date.UTC(2036, below(12), chance(0.3) ? 0 : 1 + below(28))).toISOString().slice(0, 10);
  return {
    merchant: one(words.merchants),
    title: one(words.titles),
    code: drawCode(draw),
    pin: hasPins ? `${1 + below(9)}${letters(3, DIGITS)}` : '',
    value: value.toFixed(2),
    isPercentage,
    day: chance(0.15) ? null : day,
    isSpoilt: false,
  };
}

type Column = keyof Words['heads'];

/** How one table writes amounts and days. */
interface Style {
  readonly language: Language;
  readonly amount: number;
  readonly date: number;
}

function amountText({ value, isPercentage }: Fact, { language, amount }: Style): string {
  const isWhole = value.endsWith('.00');
  const short = isWhole ? value.slice(0, -3) : value;
  const grouped = (sign: string) => value.replace(/\B(?=(?:\d{3})+\.)/g, sign);
  if (language === 'en') {
    if (isPercentage) return [`${short}%`, `${short} %`, `${short}% off`][amount % 3] ?? '';
    const ways = [`$${value}`, `$${short}`, `${value} CAD`, `${short} $`];
    return [...ways, `$${grouped(',')}`, `CA$${grouped(',')}`, `${grouped(' ')} $`][amount % 7] ?? '';
  }
  if (isPercentage)
    return [`${short} %`, `${short}%`, `${short}\u00a0%`][amount % 3]?.replace('.', ',') ?? '';
  const groups = [' ', '\u00a0', '\u202f', "'", '’'].map((sign) => `${grouped(sign)} $`);
  const ways = [`${value} $`, `${short} $`, `${value}\u00a0$`, `${short} CAD`, ...groups];
  return ways[amount % ways.length]?.replace('.', ',') ?? '';
}

function dayText(day: string, { language, date }: Style): string {
  const [year = '', month = '', date2 = ''] = day.split('-');
  const name = WORDS[language].months.split(' ')[Number(month) - 1] ?? '';
  const number = Number(date2);
  const ways =
    language === 'en'
      ? [
          day,
          `${name} ${number}, ${year}`,
          `${month}/${date2}/${year}`,
          `${number} ${name.slice(0, 3)} ${year}`,
        ]
      : [
          day,
          `${number === 1 ? '1er' : number} ${name} ${year}`,
          `${date2}/${month}/${year}`,
          `${date2}.${month}.${year}`,
        ];
  const isMonthEnd = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate() === number;
  const ofMonth = isMonthEnd ? [`${month}/${year}`, `${year}-${month}`] : [];
  return [...ways, ...ofMonth][date % (ways.length + ofMonth.length)] ?? '';
}

function textIn(column: Column, fact: Fact, style: Style, draw: Dice): string {
  if (column === 'value') return amountText(fact, style);
  if (column !== 'day') return fact[column];
  return fact.day === null ? draw.one(WORDS[style.language].never) : dayText(fact.day, style);
}

/** Draws a table with a file as people have them; the same seed draws the same one. */
export function drawTable(seed: number): DrawnTable {
  const draw = diceOf(seed);
  const language = draw.one(['en', 'fr'] as const);
  const words = WORDS[language];
  const hasPins = draw.chance(0.25);
  const facts = Array.from({ length: 3 + draw.below(8) }, () => drawFact(draw, words, hasPins));
  const columns = draw.shuffled<Column>(
    hasPins
      ? ['merchant', 'title', 'code', 'pin', 'value', 'day']
      : ['merchant', 'title', 'code', 'value', 'day'],
  );
  const style: Style = { language, amount: draw.below(12), date: draw.below(12) };
  return draw.chance(0.5)
    ? drawCsv(draw, { facts, columns, style })
    : drawWorkbook(draw, { facts, columns, style });
}

interface Draft {
  readonly facts: readonly Fact[];
  readonly columns: readonly Column[];
  readonly style: Style;
}

/** A row of a sum: its word in a column of texts, and the sum in that of values. */
function sumRow<Cell>(columns: readonly Column[], word: Cell, sum: Cell, blank: Cell, draw: Dice): Cell[] {
  const at = draw.one(columns.filter((column) => ['merchant', 'title', 'code'].includes(column)));
  return columns.map((column) => (column === at ? word : column === 'value' ? sum : blank));
}

function drawCsv(draw: Dice, { facts, columns, style }: Draft): DrawnTable {
  const words = WORDS[style.language];
  const delimiter = draw.one([',', ';', '\t']);
  const charset = draw.one(['utf8', 'utf8 with BOM', 'windows-1252'] as const);
  const width = columns.length + 1;
  const head = [...columns.map((column) => draw.one(words.heads[column])), draw.one(words.others)];
  const pad = draw.one(['', '', ' ', '\u00a0']);
  const rows = [
    head,
    ...facts.map((fact) => [
      ...columns.map((column) => `${pad}${textIn(column, fact, style, draw)}${pad}`),
      'x',
    ]),
  ];
  // As at the top of the next page of a print.
  if (draw.chance(0.1)) rows.splice(2 + draw.below(facts.length), 0, head);
  const isTitled = draw.chance(0.3);
  if (isTitled) rows.unshift([words.title], []);
  if (draw.chance(0.3))
    rows.push(
      sumRow(
        columns,
        words.total,
        amountText({ ...(facts[0] as Fact), isPercentage: false }, style),
        '',
        draw,
      ),
    );
  if (draw.chance(0.2)) rows.push([], [words.note]);
  const isQuoted = (text: string) => new RegExp(`["${delimiter}]`).test(text);
  const lines = rows.map((cells) =>
    Array.from({ length: width }, (_, place) => cells[place] ?? '')
      .map((text) => (isQuoted(text) ? `"${text.replaceAll('"', '""')}"` : text))
      .join(delimiter),
  );
  const text = lines.join(draw.one(['\n', '\r\n']));
  const bytes =
    charset === 'windows-1252'
      ? Buffer.from(text.replaceAll('’', '\x92'), 'latin1')
      : Buffer.from(charset === 'utf8' ? text : `\ufeff${text}`);
  const layout = `${style.language} ${charset} ${JSON.stringify(delimiter)}${isTitled ? ' titled' : ''}\n${text}`;
  return { kind: 'csv', language: style.language, file: bytes, facts, layout };
}

const AMOUNT_FORMATS = ['"$"#,##0.00', '#,##0.00\\ "$"', '0.00 "CAD"', '[$$-C0C]#,##0.00'];
const DAY_FORMATS = [
  'm/d/yyyy',
  'dd/mm/yyyy',
  'yyyy\\-mm\\-dd',
  '[$-40C]d\\ mmmm\\ yyyy;@',
  'mmm\\ d\\,\\ yyyy',
];

function cellIn(column: Column, fact: Fact, style: Style, draw: Dice): WorkbookCell {
  if (column === 'day' && fact.day !== null && style.date > 3)
    return { day: fact.day, format: DAY_FORMATS[style.date % DAY_FORMATS.length] ?? '' };
  if (column === 'value' && style.amount > 3) {
    const number = Number(fact.value);
    if (!fact.isPercentage)
      return { number, format: AMOUNT_FORMATS[style.amount % AMOUNT_FORMATS.length] ?? '' };
    return { number: number / 100, format: number % 1 === 0 ? '0%' : '0.0%' };
  }
  if (column === 'code' && fact.isSpoilt)
    return draw.chance(0.5) ? { day: '2036-03-10', format: 'd-mmm' } : { number: 5e10, format: '0.00E+00' };
  if (column === 'code' && /^0\d+$/.test(fact.code) && draw.chance(0.5))
    return { number: Number(fact.code), format: '0'.repeat(fact.code.length) };
  if ((column === 'code' || column === 'pin') && /^[1-9]\d+$/.test(fact[column]) && draw.chance(0.5))
    return Number(fact[column]);
  return textIn(column, fact, style, draw);
}

function drawWorkbook(draw: Dice, { facts: drawn, columns, style }: Draft): DrawnTable {
  const words = WORDS[style.language];
  const facts = drawn.map((fact) => ({ ...fact, isSpoilt: draw.chance(0.02) }));
  const rowOf = (fact: Fact): WorkbookCell[] => columns.map((column) => cellIn(column, fact, style, draw));
  const rows: WorkbookCell[][] = [];
  const hiddenRows: number[] = [];
  if (draw.chance(0.3)) rows.push([words.title], []);
  rows.push([...columns.map((column) => draw.one(words.heads[column])), 'Old code']);
  for (const fact of facts) {
    if (draw.chance(0.1)) {
      rows.push([...rowOf({ ...fact, code: 'USED-1' }), 'OLD-1']);
      hiddenRows.push(rows.length);
    }
    rows.push([...rowOf(fact), 'OLD-2']);
  }
  const sum = { formula: 'SUM(D:D)', result: 9 };
  if (draw.chance(0.4)) rows.push(sumRow<WorkbookCell>(columns, words.total, sum, '', draw));
  const mine: WorkbookSheet = {
    name: 'Mine',
    rows,
    hiddenRows,
    ...(draw.chance(0.3) && { hiddenColumns: [String.fromCharCode(65 + columns.length)] }),
  };
  const others: WorkbookSheet[] = [
    ...(draw.chance(0.3) ? [{ name: 'Info', rows: [[words.notes]] }] : []),
    ...(draw.chance(0.3)
      ? [
          {
            name: words.hidden,
            state: draw.one(['hidden', 'veryHidden'] as const),
            rows: [['Code'], ['Food']],
          },
        ]
      : []),
  ];
  const behind: WorkbookSheet[] = draw.chance(0.2) ? [{ ...mine, name: 'Old' }] : [];
  const sheets = [...others, mine, ...behind];
  return {
    kind: 'workbook',
    language: style.language,
    file: workbookOf(sheets),
    facts,
    layout: JSON.stringify(sheets),
  };
}
