import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { supportEmail } from '#web/lib/support-email.ts';

/** How to reach the people who run this marketplace. */
export function Support() {
  const address = supportEmail();
  return (
    <p>
      {address === null ? (
        t`Reply to any email from us: it reaches the people who run this marketplace.`
      ) : (
        <Trans>
          Write to <a href={`mailto:${address}`}>{address}</a>: it reaches the people who run this
          marketplace.
        </Trans>
      )}
    </p>
  );
}
