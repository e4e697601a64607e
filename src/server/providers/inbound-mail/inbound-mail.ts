import type { InboundMailSettings } from '#server/core/provider-settings.ts';

/** The fields of a delivery's form, or of its JSON. */
export type DeliveryFields = Readonly<Record<string, unknown>>;

/** What a genuine delivery holds. */
export interface DeliveredMail {
  /** The addresses it was sent to, as the mail server was told. */
  readonly recipients: readonly string[];
  /** The bytes of the whole mail (RFC 5322). */
  readonly raw: Uint8Array;
}

/** Thrown where a delivery is not the provider's, or not as it describes its own. */
export class DeliveryRefusal extends Error {
  override readonly name = 'DeliveryRefusal';
}

/** The service that takes mail for us. */
export interface InboundMail extends Pick<InboundMailSettings, 'provider' | 'domain'> {
  readonly body: 'json' | 'form';
  /** The field of a form that is the mail: its parts have charsets of their own, so that it is bytes and no text. */
  readonly mailField: string | null;
  /** The fields that hold the proof, of which it needs nothing else; empty: a header does. */
  readonly proofFields: readonly string[];
  /**
   * Checks the proof in constant time.
   * @returns what is random and signed for this delivery alone; null where the proof says nothing of the delivery
   * @throws DeliveryRefusal
   */
  prove(proof: { authorization: string | undefined; fields: DeliveryFields }, now: Date): string | null;
  /** Reads a delivery that is proved. @throws DeliveryRefusal */
  read(fields: DeliveryFields): DeliveredMail;
}
