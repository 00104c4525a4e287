/** What user names are compared by: those with the same key are the same name. */
export const usernameKey = (username: string) => username.normalize('NFC').toLowerCase();
