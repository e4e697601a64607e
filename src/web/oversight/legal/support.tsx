import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { pageConfig } from '#web/lib/page-config.ts';

/** How to reach the people who run this marketplace. */
export function Support() {
  const address = pageConfig.supportEmail();
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
