import type { Feeds, ValidatorList } from '#contract/oversight/sources.ts';
import type { Settings, ShownSetting } from '#contract/people/settings.ts';
import { ChangeAnnouncement } from './change-announcement-dialog.tsx';
import { ChangeFees } from './change-fees-dialog.tsx';
import { ChangeMaintenance } from './change-maintenance-dialog.tsx';
import { ChangeGuarantee, ChangeLimits, ChangeRings } from './change-rules-dialogs.tsx';
import { FeedForm } from './feed-dialog.tsx';
import { ValidatorForm } from './validator-dialog.tsx';

interface ChangeSettingProps {
  /** As the admin has seen them. */
  readonly shown?: { readonly name: ShownSetting; readonly settings: Settings };
  /** A feed or a validator; without `row`, a new one. */
  readonly source?:
    | { readonly kind: 'feed'; readonly row?: Feeds['feeds'][number]; readonly follows: number | null }
    | {
        readonly kind: 'validator';
        readonly row?: ValidatorList['validators'][number];
        readonly follows: number | null;
        /** Where it may send codes. */
        readonly allowed: readonly string[];
      };
}

/** The form of a setting. All are loaded together: each dialog of its own would cost every page some bytes. */
export function Component({ shown, source }: ChangeSettingProps) {
  if (source?.kind === 'feed') return <FeedForm row={source.row} follows={source.follows} />;
  if (source) return <ValidatorForm row={source.row} follows={source.follows} allowed={source.allowed} />;
  return shown ? <Shown {...shown} /> : null;
}

function Shown({ name, settings }: NonNullable<ChangeSettingProps['shown']>) {
  switch (name) {
    case 'announcement':
      return <ChangeAnnouncement setting={settings.announcement} />;
    case 'maintenance':
      return <ChangeMaintenance setting={settings.maintenance} />;
    case 'feeRates':
      return <ChangeFees setting={settings.feeRates} />;
    case 'guarantee':
      return <ChangeGuarantee setting={settings.guarantee} />;
    case 'ringPeopleMax':
      return <ChangeRings setting={settings.ringPeopleMax} />;
    case 'limits':
      return <ChangeLimits setting={settings.limits} />;
  }
}
