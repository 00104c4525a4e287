import type { Language } from './language.ts';

/** What a notification says in one language. `{name}` is replaced by a value. */
interface Words {
  readonly title: string;
  readonly text: string;
}

export type NotificationText = Readonly<Record<Language, Words>> & {
  /** The page of the panel that it leads to. */
  readonly path: string;
};
