export const authPath = '/auth';
/** The project's mascot shows itself there, to everybody. */
export const mascotPath = '/maulwurf';
