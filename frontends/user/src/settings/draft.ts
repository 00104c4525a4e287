import type { Preferences, QuietHours } from '@talpa/contracts';

/** The preferences by field. The names are those of the fields' texts. */
const fieldsOf = ({ email, notifications, appearance }: Preferences) => ({
  email,
  'notify.email': notifications.email,
  'notify.system': notifications.system,
  'notify.maintenance': notifications.maintenance,
  // As one value: it has changed, or it has not.
  'notify.quiet': JSON.stringify(notifications.quietHours ?? null),
  theme: appearance.theme,
  accent: appearance.accentColor,
});
type Fields = ReturnType<typeof fieldsOf>;
export type Field = keyof Fields;

function preferencesOf(fields: Fields): Preferences {
  const quietHours = JSON.parse(fields['notify.quiet']) as QuietHours | null;
  return {
    email: fields.email,
    notifications: {
      email: fields['notify.email'],
      system: fields['notify.system'],
      maintenance: fields['notify.maintenance'],
      ...(quietHours ? { quietHours } : {}),
    },
    appearance: { theme: fields.theme, accentColor: fields.accent },
  };
}

/** Preferences as they are edited, and the saved values each field was edited from. */
export interface Draft {
  readonly base: Preferences;
  readonly edited: Preferences;
}

/** A field that was edited here and saved with another value elsewhere. */
export interface FieldConflict {
  readonly name: Field;
  readonly from: unknown;
  readonly to: unknown;
}

const namesOf = (fields: Fields) => Object.keys(fields) as Field[];

/** What was edited here and saved with another value elsewhere since. */
export function conflictsOf({ base, edited }: Draft, saved: Preferences): FieldConflict[] {
  const [before, mine, theirs] = [fieldsOf(base), fieldsOf(edited), fieldsOf(saved)];
  return namesOf(mine)
    .filter((name) => ![before[name], theirs[name]].includes(mine[name]) && before[name] !== theirs[name])
    .map((name) => ({ name, from: before[name], to: theirs[name] }));
}

/** The draft after other values were saved: what was not edited follows them, and a conflict waits for a choice. */
export function rebase(draft: Draft, saved: Preferences): Draft {
  const [before, mine, theirs] = [fieldsOf(draft.base), fieldsOf(draft.edited), fieldsOf(saved)];
  const conflicts = new Set(conflictsOf(draft, saved).map(({ name }) => name));
  const pick = (which: (name: Field) => Fields) =>
    preferencesOf(Object.fromEntries(namesOf(mine).map((name) => [name, which(name)[name]])) as Fields);
  return {
    base: pick((name) => (conflicts.has(name) ? before : theirs)),
    edited: pick((name) => (mine[name] === before[name] ? theirs : mine)),
  };
}

/** The draft with the saved values in place of what is in conflict with them. */
export function takeTheirs(draft: Draft, saved: Preferences): Draft {
  const conflicts = conflictsOf(draft, saved);
  const theirs = Object.fromEntries(conflicts.map(({ name, to }) => [name, to]));
  return { base: saved, edited: preferencesOf({ ...fieldsOf(draft.edited), ...theirs }) };
}

/** Whether two versions of the preferences hold the same values. */
export function isSame(one: Preferences, other: Preferences): boolean {
  const [left, right] = [fieldsOf(one), fieldsOf(other)];
  return namesOf(left).every((name) => left[name] === right[name]);
}
