import type { FormInstance } from 'antd';
import { useLayoutEffect, useState } from 'react';
import { differs, isOther } from './differs.ts';

/** One field whose record has changed while its form is open. */
export interface FieldChange {
  readonly name: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The version of a record that an open form started from, and what has changed since. */
export interface Base<V> {
  readonly values: Partial<V>;
  /** Changes the user has to decide about: something is typed already. */
  readonly conflict: readonly FieldChange[];
  /** Changes the form has taken over by itself: nothing was typed. */
  readonly followed: readonly FieldChange[];
  /** Shows the record's new values and drops what was typed. */
  readonly takeTheirs: () => void;
  /** Keeps the fields the user has changed; the others get the record's new values. */
  readonly keepMine: () => void;
}

/**
 * Keeps an open form on one version of its record.
 * @param current the record's values as they are now
 * @param paused while the form itself is being saved
 */
export function useBase<V extends object>(form: FormInstance, current: Partial<V>, paused: boolean): Base<V> {
  const [values, setValues] = useState(current);
  const [followed, setFollowed] = useState<readonly FieldChange[]>([]);
  const changes = paused ? [] : changesOf(values, current);
  const isUntouched = () => !differs(form.getFieldsValue() as object, values);
  const moveTo = (fields: Partial<V>) => {
    form.setFieldsValue(fields);
    form.setFields(changes.map(({ name }) => ({ name, errors: [] })));
    setValues(current);
  };
  // After each render and before the paint: an untouched form takes the new values over without a question.
  useLayoutEffect(() => {
    if (changes.length === 0 || !isUntouched()) return;
    moveTo(current);
    setFollowed(changes);
  });
  return {
    values,
    conflict: changes,
    followed: changes.length > 0 ? [] : followed,
    takeTheirs: () => {
      moveTo(current);
      setFollowed([]);
    },
    keepMine: () => {
      const typed = form.getFieldsValue() as Readonly<Record<string, unknown>>;
      const untouched = changes.filter(({ name, from }) => !isOther(typed[name], from));
      moveTo(Object.fromEntries(untouched.map(({ name, to }) => [name, to])) as Partial<V>);
      setFollowed([]);
    },
  };
}

/** What differs between two versions of a record, by its form's fields. */
function changesOf(before: object, now: object): FieldChange[] {
  const was = before as Readonly<Record<string, unknown>>;
  return Object.entries(now)
    .filter(([name, to]) => isOther(to, was[name]))
    .map(([name, to]) => ({ name, from: was[name], to }));
}
