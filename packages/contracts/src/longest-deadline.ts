/**
 * How long the slowest route may take, in ms: so long a process that stops still responds. It stands alone, because the edge
 * stops too, and has no use for the routes.
 */
export const longestDeadlineMs = 20_000;
