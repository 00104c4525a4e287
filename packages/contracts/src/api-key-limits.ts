/** The maximum number of API keys per user. */
export const apiKeysPerUser = 25;
/** In how many days a key expires: at most, and as the panel suggests. */
export const longestKeyDays = 730;
export const suggestedKeyDays = 90;
