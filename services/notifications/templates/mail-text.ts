/** What an email says in one language. `{name}` is replaced by a value. */
export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Follows them where the user has API keys. */
  readonly apiKeys?: string;
  /** A page of the panel, where its address is known. */
  readonly link?: {
    readonly label: string /** Left out where it is one that works once. */;
    readonly path?: string;
  };
}
