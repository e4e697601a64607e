import { randomUUID } from 'node:crypto';
import { Refusal } from '#sandbox/server.ts';

/** @param issue why, for the `details` */
export function refusal(status: number, name: string, message: string, issue?: string): Refusal {
  const details = issue === undefined ? [] : [{ issue, description: message }];
  const body = { name, message, debug_id: randomUUID().replaceAll('-', '').slice(0, 13), details, links: [] };
  return new Refusal(message, { status, body });
}

export function invalidRequest(message: string): Refusal {
  return refusal(400, 'INVALID_REQUEST', message, 'INVALID_PARAMETER_VALUE');
}

export function unprocessable(issue: string, message: string): Refusal {
  return refusal(422, 'UNPROCESSABLE_ENTITY', message, issue);
}

export function forbidden(message: string): Refusal {
  return refusal(403, 'NOT_AUTHORIZED', message, 'PERMISSION_DENIED');
}

export function missing(): Refusal {
  const message = 'The specified resource does not exist.';
  return refusal(404, 'RESOURCE_NOT_FOUND', message, 'INVALID_RESOURCE_ID');
}
