export const authPath = '/auth';
/** Where a reset link leads to; its token follows `#`. */
export const resetPath = '/reset';
/** The project's mascot shows itself there, to everybody. */
export const mascotPath = '/maulwurf';
