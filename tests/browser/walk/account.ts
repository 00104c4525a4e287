/** What the walker's own account has beside proxies, by name; no two of a kind have one. */
export interface Account {
  readonly apiKeys: string[];
  readonly passkeys: string[];
  readonly channels: string[];
  hasApp: boolean;
}
export const newAccount = (): Account => ({ apiKeys: [], passkeys: [], channels: [], hasApp: false });
