/** It is not known where a name leads now, or who may visit it: the database does not respond, which is the cause. */
export class RouteUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database does not respond', { cause });
  }
}
