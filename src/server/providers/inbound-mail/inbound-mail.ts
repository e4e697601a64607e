import type { InboundMailSettings } from '#server/core/provider-settings.ts';

/** A call of the webhook. */
export interface Delivery {
  /** The header of that name. */
  readonly authorization?: string | undefined;
  /** The fields of its form, or of its JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What a genuine delivery holds. */
export interface DeliveredMail {
  /** The addresses it was sent to, as the mail server was told. */
  readonly recipients: readonly string[];
  /** The whole mail (RFC 5322). */
  readonly raw: string;
  /** Random, and signed for this delivery alone; null where the proof says nothing of the delivery. */
  readonly token: string | null;
}

/** Thrown where a delivery is not the provider's, or not as it describes its own. */
export class DeliveryRefusal extends Error {
  override readonly name = 'DeliveryRefusal';
}

/** The service that takes mail for us. */
export interface InboundMail extends Pick<InboundMailSettings, 'provider' | 'domain'> {
  /** Checks the proof in constant time, and reads the delivery. @throws DeliveryRefusal */
  open(delivery: Delivery, now: Date): DeliveredMail;
}
