/** Preloaded into vitest: when `npm test` is killed, its tests end too. */
process.once('disconnect', () => process.exit(1));
// Listening alone would keep it from ending by itself.
process.channel?.unref();
