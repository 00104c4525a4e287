/** A dialog about one channel. */
export type About = 'edit' | 'history' | 'renew' | 'remove';
