import { newId } from './objects.ts';

/** An answer of PayPal's that refuses: its status, error name and the issue that tells why. */
export class PaypalError extends Error {
  override readonly name = 'PaypalError';
  readonly status: number;
  readonly body: {
    readonly name: string;
    readonly message: string;
    readonly debug_id: string;
    readonly details: readonly { readonly issue: string; readonly description: string }[];
    readonly links: readonly unknown[];
  };

  constructor(status: number, name: string, message: string, issue?: string) {
    super(message);
    this.status = status;
    const details = issue === undefined ? [] : [{ issue, description: message }];
    this.body = { name, message, debug_id: newId(13).toLowerCase(), details, links: [] };
  }
}

export function invalidRequest(message: string): PaypalError {
  return new PaypalError(400, 'INVALID_REQUEST', message, 'INVALID_PARAMETER_VALUE');
}

export function unprocessable(issue: string, message: string): PaypalError {
  return new PaypalError(422, 'UNPROCESSABLE_ENTITY', message, issue);
}

export function forbidden(message: string): PaypalError {
  return new PaypalError(403, 'NOT_AUTHORIZED', message, 'PERMISSION_DENIED');
}

export function unknownResource(): PaypalError {
  return new PaypalError(
    404,
    'RESOURCE_NOT_FOUND',
    'The specified resource does not exist.',
    'INVALID_RESOURCE_ID',
  );
}
