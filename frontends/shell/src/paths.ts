export const authPath = '/auth';
/** Where one asks for a reset link. */
export const forgottenPath = '/forgotten';
/** Where a reset link leads to; its token follows `#`. */
export const resetPath = '/reset';
/** Where the link in an email leads to that verifies its address; the token follows `#`. */
export const verifyPath = '/verify';
/** Where the link in an email about an account's security leads to; the token follows `#`. */
export const notMePath = '/not-me';
/** Where an email with notifications says how to end such emails. */
export const unsubscribePath = '/unsubscribe';
/** The project's mascot shows itself there, to everybody. */
export const mascotPath = '/maulwurf';
