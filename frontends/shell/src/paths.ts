export const authPath = '/auth';
/** Where one asks for a reset link. */
export const forgottenPath = '/forgotten';
/** The project's mascot shows itself there, to everybody. */
export const mascotPath = '/maulwurf';
