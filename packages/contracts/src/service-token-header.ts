/** The header in which a program sends its token. It never reaches the origin. Without zod, for what handles each request. */
export const serviceTokenHeader = 'talpa-service-token';
/** What a token looks like: a prefix that programs which look for leaked secrets know, and 32 random bytes. */
export const serviceTokenPattern = /^talpa_st_[\w-]{43}$/;
