/** It is not known where a name leads now, or who may visit it. */
export class RouteUnavailable extends Error {
  /** @param cause what the database failed with; left out: it responded, and the message says what is wrong */
  constructor(
    cause?: unknown,
    message = 'the database does not respond: only visitors of open proxies that are known are let in',
  ) {
    super(message, { cause });
  }
}
