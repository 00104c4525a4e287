/** A dialog about the user. */
export type PersonDialog = 'edit' | 'suspend' | 'lift' | 'resetLink' | 'sessions' | 'factor' | 'delete';
