/** Somebody signed in. */
export interface BenchUser {
  readonly userId: number;
  readonly cookie: string;
}

/** Something that answers Talpa's calls and can be measured. */
export interface System {
  readonly name: string;
  readonly url: string;
  /** Every process that works for it, stores included, by name; their children are counted, too. */
  readonly parts: Readonly<Record<string, number>>;
  /** Users with 25 proxies, and users with none. */
  readonly readers: readonly BenchUser[];
  readonly writers: readonly BenchUser[];
}
