/** How people call the operator's commands, and start Talpa: from a clone, or as a container's image says. */
export const talpaCall = process.env.TALPA_CALL || 'npm run talpa --';
export const startCall = process.env.TALPA_START_CALL || 'npm start';
