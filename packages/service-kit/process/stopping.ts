import { longestDeadlineMs } from '@talpa/contracts/longest-deadline';

/**
 * How long a process may take to stop, in ms: as long as a person may wait for a response, and some to spare. What it
 * waits for beside that it says itself (`onStop`). The supervisor waits longer than that for a process to stop.
 */
export const stopMs = 5_000 + longestDeadlineMs;
