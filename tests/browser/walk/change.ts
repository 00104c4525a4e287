import { type Model, valuesAt } from './model.ts';
import { changedFields, type Subject, type Values } from './records.ts';

const groupOf = (field: string) => {
  if (field.startsWith('notify.')) return 'notifications';
  return field === 'email' ? 'email' : 'appearance';
};

/** Changes a record, and remembers what the audit trail must say of it. */
export function change(model: Model, record: Subject, typed: Values): void {
  const before = valuesAt(model.records, record);
  const { password, ...rest } = typed;
  const after = { ...before, ...rest };
  model.records[record.of][record.at] = after;
  const changed = changedFields(before, after);
  if (changed.includes('reason'))
    model.deeds.push({ record, text: `${record.of}.${after.reason ? 'suspend' : 'liftSuspension'}` });
  if (changed.includes('message'))
    model.deeds.push({ record, text: `proxy.${after.message ? 'pause' : 'resume'}` });
  const others = changed.filter((field) => field !== 'reason' && field !== 'message');
  if (password) others.push('password');
  const names = record.of === 'preferences' ? [...new Set(others.map(groupOf))] : others;
  const action = record.of === 'preferences' ? 'user.changePreferences' : `${record.of}.update`;
  if (names.length > 0) model.deeds.push({ record, text: `${action} ${names.sort().join()}` });
}
