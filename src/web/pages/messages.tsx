import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { MessagesBrowser } from '#web/deals/messages/messages-browser.tsx';
import { BlockButton } from '#web/oversight/moderation/block-button.tsx';

/** The viewer's conversations about deals. */
export function Component() {
  return (
    <PageShell title={PAGES.messages.title()}>
      <MessagesBrowser
        acts={({ otherId, otherUsername, isBlocked }) => (
          <BlockButton userId={otherId} username={otherUsername} isBlocked={isBlocked} isIcon />
        )}
      />
    </PageShell>
  );
}
