import { appealText } from '#contract/moderation.ts';
import { formatDate } from '#web/lib/format.ts';
import { supportEmail } from '#web/lib/support-email.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './accounts.module.css';

/** Tells a suspended person on every page until when, why, and where to appeal. */
export function SuspensionBanner() {
  const { user } = useViewer();
  if (user?.status !== 'suspended') return null;
  const { statusReason, statusUntil } = user;
  return (
    <aside className={classes.suspended} aria-label="Suspension">
      <strong>Your account is suspended{statusUntil && ` until ${formatDate(statusUntil)}`}.</strong> You can
      read, but not act. {statusReason && `Reason: ${statusReason} `}
      {appealText(supportEmail())}
    </aside>
  );
}
