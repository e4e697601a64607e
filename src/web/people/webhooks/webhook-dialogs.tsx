import type { Webhook } from '#contract/people/webhooks.ts';
import { WebhookForm } from './webhook-dialog.tsx';
import { WebhookLog } from './webhook-log-dialog.tsx';
import { WebhookSecret } from './webhook-secret-dialog.tsx';

interface WebhookDialogProps {
  /** Shown once. */
  readonly secret?: string;
  /** The webhook to change, or whose log is shown; none: a new one. */
  readonly webhook?: Webhook;
  readonly isLog?: boolean;
  readonly onClose: () => void;
}

/** The dialogs about webhooks, which are loaded together: each one of its own would cost every page some bytes. */
export function Component({ secret, webhook, isLog, onClose }: WebhookDialogProps) {
  if (secret !== undefined) return <WebhookSecret secret={secret} onClose={onClose} />;
  if (webhook && isLog) return <WebhookLog webhook={webhook} />;
  return webhook ? <WebhookForm webhook={webhook} /> : <WebhookForm />;
}
