import { skeleton } from '#server/core/fold.ts';

/** Nobody has one of these words in a name, apart from the rest of it. */
const OFFICIAL = `admin admins administrator administrators moderator moderators support staff official security
  billing payment payments stripe root system`;
/** Nobody has a name of these words alone. */
const WEAK = 'help helpdesk desk team info mod mods contact customer service noreply postmaster webmaster';
/** Nobody has these anywhere in a name. */
const PROPER = ['clipswap', 'paypal'].map(skeleton);

const official = OFFICIAL.split(/\s+/).map(skeleton);
const officialWords = new Set(official);
const onlySuchWords = new RegExp(`^(?:${[...official, ...WEAK.split(' ').map(skeleton)].join('|')})+$`);

/** Where the words of a name end: at separators, and before a capital. */
const WORD_ENDS = [/[._-]+/, /[._-]+|(?<=[a-z\d])(?=[A-Z])/];

/** Numbers around a word do not change it; those within may be letters. */
function wordOf(text: string): string {
  return skeleton(text.replace(/^\d+|\d+$/g, ''));
}

/** Whether a username could be taken for ours, in any spelling that looks like it. */
export function looksOfficial(username: string): boolean {
  return (
    PROPER.some((name) => skeleton(username).includes(name)) ||
    onlySuchWords.test(wordOf(username)) ||
    WORD_ENDS.some((end) => username.split(end).some((part) => officialWords.has(wordOf(part))))
  );
}

/** Whether a username is reserved for deleted accounts, or looks as if it were. */
export function isReservedName(username: string): boolean {
  return skeleton(username).startsWith('deleted');
}
