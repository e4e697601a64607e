/** Words that an assistant reads, marked by who has written them, so that it takes none for an instruction. */
export interface Words {
  readonly writtenBy: 'you' | 'another person' | 'the market, which may quote people';
  readonly text: string;
}

/** @param writerId null: a feed or somebody who is not known */
export function wordsOf(text: string, writerId: number | null, readerId: number | null): Words {
  const isOwn = writerId !== null && writerId === readerId;
  return { writtenBy: isOwn ? 'you' : 'another person', text };
}

export const ofMarket = (text: string): Words => ({ writtenBy: 'the market, which may quote people', text });
