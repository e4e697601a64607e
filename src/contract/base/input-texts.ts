import { plural, t } from '@lingui/core/macro';
import type { z } from 'zod';
import { alternatives, formatNumber, listed } from './locale.ts';

const unnamed = new Set<string>();

/**
 * For a text that does not name its field, such as 'Must be at least 1': where it stands alone, the name comes before it.
 * The text must not contain what people entered, since all of them are remembered.
 */
export function ofField<Given extends unknown[]>(text: (...given: Given) => string) {
  return (...given: Given): string => {
    const words = text(...given);
    unnamed.add(words);
    return words;
  };
}

const tooLarge = ofField(() => t`Is too large`);
const tooSmall = ofField(() => t`Is too small`);

/** For the error of `z.int`: words for what is no whole number. A number beyond those that programs count with says that. */
export function orBeyond(words: () => string) {
  return (issue: z.core.$ZodRawIssue): string => beyondText(issue) ?? words();
}

/** Null unless a number is beyond those that programs count with: `z.int` alone has their bounds of the origin "int". */
function beyondText(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string | null {
  const received = issue.code === 'invalid_type' && 'received' in issue && issue.received;
  if (received === 'Infinity' || (issue.code === 'too_big' && issue.origin === 'int')) return tooLarge();
  if (received === '-Infinity' || (issue.code === 'too_small' && issue.origin === 'int')) return tooSmall();
  return null;
}

/** What is wrong with an input, and in which field. */
export function withField(issue: z.core.$ZodIssue): string {
  const { message } = issue;
  const field = issue.path.join('.');
  const isUnnamed = unnamed.has(message) || [true, false].some((has) => inputText(issue, has) === message);
  return field !== '' && isUnnamed ? t`${field}: ${message}` : message;
}

/** What zod says where a schema has no text of its own. */
export const zodText = (issue: z.core.$ZodRawIssue): string =>
  inputText(issue as z.core.$ZodIssue, issue.input !== undefined);

function inputText(issue: z.core.$ZodIssue, hasValue: boolean): string {
  const beyond = beyondText(issue);
  if (beyond !== null) return beyond;
  switch (issue.code) {
    case 'invalid_type':
      return hasValue ? typeText(issue.expected) : t`Is missing`;
    case 'invalid_value':
      return t`Must be ${alternatives(issue.values.map((value) => JSON.stringify(value) ?? String(value)))}`;
    case 'too_big':
      return mostText(issue);
    case 'too_small':
      return leastText(issue);
    case 'invalid_format':
      return formatText(issue.format);
    case 'not_multiple_of':
      return t`Must be a multiple of ${formatNumber(issue.divisor)}`;
    case 'unrecognized_keys': {
      const names = listed(issue.keys);
      return plural(issue.keys.length, { one: `Unknown field: ${names}`, other: `Unknown fields: ${names}` });
    }
    default:
      return t`Has the wrong form`;
  }
}

function typeText(expected: string): string {
  switch (expected) {
    case 'string':
      return t`Must be a text`;
    case 'number':
      return t`Must be a number`;
    case 'int':
      return t`Must be a whole number`;
    case 'boolean':
      return t`Must be true or false`;
    case 'array':
      return t`Must be a list`;
    case 'object':
    case 'record':
      return t`Must be an object`;
    default:
      return t`Has the wrong form`;
  }
}

function mostText({ origin, maximum, inclusive, exact }: z.core.$ZodIssueTooBig): string {
  const max = Number(maximum);
  if (origin === 'string')
    return exact
      ? plural(max, { one: 'Must have exactly # character', other: 'Must have exactly # characters' })
      : plural(max, { one: 'Must have at most # character', other: 'Must have at most # characters' });
  if (origin === 'array')
    return plural(max, { one: 'Must have at most # item', other: 'Must have at most # items' });
  return inclusive ? t`Must be at most ${formatNumber(max)}` : t`Must be less than ${formatNumber(max)}`;
}

function leastText({ origin, minimum, inclusive, exact }: z.core.$ZodIssueTooSmall): string {
  const min = Number(minimum);
  if (origin === 'string')
    return exact
      ? plural(min, { one: 'Must have exactly # character', other: 'Must have exactly # characters' })
      : plural(min, { one: 'Must have at least # character', other: 'Must have at least # characters' });
  if (origin === 'array')
    return plural(min, { one: 'Must have at least # item', other: 'Must have at least # items' });
  return inclusive ? t`Must be at least ${formatNumber(min)}` : t`Must be more than ${formatNumber(min)}`;
}

function formatText(format: string): string {
  switch (format) {
    case 'email':
      return t`Is not an email address`;
    case 'url':
      return t`Is not a web address`;
    case 'uuid':
      return t`Is not a UUID`;
    case 'date':
      return t`Is not a day such as 2026-11-21`;
    case 'datetime':
      return t`Is not a time such as 2026-11-21T14:30:00Z`;
    default:
      return t`Has the wrong form`;
  }
}
