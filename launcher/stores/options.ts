/** How a store of ours is started. */
export interface StoreOptions {
  /** Its superuser's password. */
  readonly password: string;
  /** Tests: no waiting for the disk. */
  readonly fast: boolean;
}
