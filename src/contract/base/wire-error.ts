import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode, type WireError } from './errors.ts';

const errorCodes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The error of a failed call in the API documentation. */
export const wireErrorSchema: z.ZodType<WireError> = z.object({
  error: z.string(),
  code: z.enum(errorCodes),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  requestId: z.string().optional(),
});
wireErrorSchema.register(z.globalRegistry, { id: 'WireError' });
