/** A dialog about the user. */
export type PersonDialog = 'edit' | 'suspend' | 'resetLink';
