export const authPath = '/auth';
/** Where identities are linked; a page of the user's remote. */
export const securityPath = '/settings?tab=security';
/** Where one asks for a reset link. */
export const forgottenPath = '/forgotten';
/** The page of the project's mascot, also for users who are not signed in. */
export const mascotPath = '/maulwurf';
