export const authPath = '/auth';
/** Where one asks for a reset link. */
export const forgottenPath = '/forgotten';
/** The page of the project's mascot, also for users who are not signed in. */
export const mascotPath = '/maulwurf';
