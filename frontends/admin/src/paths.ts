/** The page of one user. */
export const userPath = (id: number | string) => `/admin/users/${id}`;
