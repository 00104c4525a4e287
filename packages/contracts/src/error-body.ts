import { z } from 'zod';
import { type ErrorCode, errors } from './errors.ts';
import { scopes } from './scopes.ts';

/** The body of every response that is an error. */
export const errorBody = z
  .object({
    /** Stable; the messages may change. */
    code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]),
    /** For people, in the language of `Accept-Language`. */
    message: z.string(),
    /** The faulty fields of an `invalid_input`; an empty path means the body as a whole. */
    issues: z
      .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
      .optional(),
    /**
     * Of `second_factor_required`: what `POST /api/login/second-factor` takes together with a code. Of `account_missing`: what
     * `POST /api/register/provider` takes together with a name. Of `registration_proof_required`: `<bits>.<random>`; repeat the call with
     * `proof.solution`, a number for which the SHA-256 of `<challenge>:<solution>` begins with so many zero bits.
     */
    challenge: z.string().optional(),
    /** Of `scope_missing`: what the API key lacks. */
    scope: z.enum(scopes).optional(),
    /** Of `account_missing`: what the provider says, to fill the form with. Empty: nothing usable. */
    suggestion: z.object({ username: z.string(), email: z.string() }).optional(),
    /** Of `already_joined`: the proxy that the caller may see. */
    proxyId: z.int().positive().optional(),
    /** Names this request in the logs. */
    requestId: z.string(),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof errorBody>;
