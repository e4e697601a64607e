import type { Feeds, ValidatorList } from '#contract/sources.ts';
import { FeedForm } from './feed-dialog.tsx';
import { ValidatorForm } from './validator-dialog.tsx';

interface SourceDialogProps {
  readonly kind: 'feed' | 'validator';
  /** The feed to change; none: a new one. */
  readonly feed?: Feeds['feeds'][number];
  /** The validator to change; none: a new one. */
  readonly validator?: ValidatorList['validators'][number];
  /** The latest change that the list has shown. */
  readonly follows: number | null;
  /** Where validators may send codes. */
  readonly allowed?: readonly string[];
}

/** The dialogs about feeds and validators, which are loaded together: each one of its own would cost every page some bytes. */
export function Component({ kind, feed, validator, follows, allowed = [] }: SourceDialogProps) {
  if (kind === 'feed') return <FeedForm row={feed} follows={follows} />;
  return <ValidatorForm row={validator} follows={follows} allowed={allowed} />;
}
