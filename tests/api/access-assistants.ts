import { type AccessRow, activeMembers } from './access-people.ts';

/** The rows of what assistants bring. */
export const OF_ASSISTANTS: Record<string, AccessRow> = {
  'drafts.add': [activeMembers, () => ({ text: 'Corner Coffee: 10% off until 2035-12-31, code LATTE-7' })],
};
