/** Preloaded into vitest: when `npm test` is killed, its tests end too. */
process.once('disconnect', () => process.exit(1));
