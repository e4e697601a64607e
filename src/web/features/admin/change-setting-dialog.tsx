import type { Settings, ShownSetting } from '#contract/settings.ts';
import { ChangeAnnouncement } from './change-announcement-dialog.tsx';
import { ChangeFees } from './change-fees-dialog.tsx';
import { ChangeMaintenance } from './change-maintenance-dialog.tsx';
import { ChangeGuarantee, ChangeLimits, ChangeRings } from './change-rules-dialogs.tsx';

interface ChangeSettingProps {
  readonly name: ShownSetting;
  /** As the admin has seen them. */
  readonly settings: Settings;
}

/** The form of a setting. */
export function Component({ name, settings }: ChangeSettingProps) {
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
