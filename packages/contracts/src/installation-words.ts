import type { InstallationEvent } from './installation-events.ts';
import { installationTexts, unnamedUser } from './installation-texts.ts';
import { fill, type Language } from './language.ts';
import { type FillText, type FormatTime, fillWords, type NotificationWords } from './notification-words.ts';

/** What an event of the installation says in a language. */
export function installationWords(
  { kind, params, userId, user }: InstallationEvent,
  language: Language,
  formatTime: FormatTime,
  fillText: FillText = fill,
): NotificationWords {
  const name = user ?? fill(unnamedUser[language], { userId: userId ?? '' });
  // Numbers that are names have no separator.
  const values = { ...params, user: name, userId: String(userId ?? '') };
  return fillWords(installationTexts[kind], values, language, formatTime, fillText);
}
