/** A dialog about the user. */
export type UserDialog = 'edit' | 'suspend' | 'resetLink';
