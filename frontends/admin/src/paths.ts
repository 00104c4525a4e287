/** The page of one user. */
export const userPath = (id: number | string) => `/admin/users/${id}`;
/** The log of emails to one user. */
export const mailsOfPath = (userId: number) => `/admin/mail?userId=${userId}`;
