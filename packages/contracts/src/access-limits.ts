/** How many rules a policy may have. Without zod, for the panel. */
export const mostAccessRules = 50;
/** How many email addresses a policy may list. */
export const mostListedEmails = 50;
/** How many service tokens a proxy may have, and in how many days one expires: at most, and as the panel suggests. */
export const mostServiceTokens = 20;
export const longestTokenDays = 730;
export const suggestedTokenDays = 365;
