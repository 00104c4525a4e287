import type { AuditAction, AuditChanges } from '@talpa/contracts';
import type { Language } from '@talpa/contracts/language';
import { knownPanels, panelPresets } from '@talpa/contracts/panels';
import { planOf, tiers } from '@talpa/contracts/plans';
import { roleTexts } from '@talpa/contracts/role-texts';
import type { ProxyRole } from '@talpa/contracts/roles';
import { formatDate, formatTime, useLanguage } from '@talpa/panel-kit/core';
import { useMemo } from 'react';
import { type AuditTranslate, useAuditTexts } from './texts.ts';
import { de } from './texts-de.ts';

/** One field that was changed, in words; null where it is unknown. */
export interface DescribedChange {
  readonly field: string;
  readonly label: string;
  readonly from: string | null;
  readonly to: string | null;
}
type Value = AuditChanges[string]['from'];
type KeysBelow<P extends string> = Extract<keyof typeof de, `${P}${string}`>;

const isKey = <P extends string>(key: `${P}${string}`): key is KeysBelow<P> => Object.hasOwn(de, key);

/** What the sentence of an action says already. */
const saidBy: Partial<Record<AuditAction, string>> = {
  'subscription.change': 'tier',
  'proxy.inviteMember': 'member',
  'proxy.updateMember': 'member',
  'proxy.removeMember': 'member',
};

/**
 * Says what a row of the audit trail changed, field by field. Values that read the same are no change: two
 * expiries on one day. With `action` what its sentence says is left out.
 */
export function useAuditChanges(): (changes: AuditChanges, action?: AuditAction) => DescribedChange[] {
  const t = useAuditTexts();
  const language = useLanguage();
  return useMemo(() => {
    const date = (time: string, field: string) =>
      (moments.has(field) ? formatTime(time, language) : formatDate(time, language)) ?? time;
    const describe = (field: string, { from, to }: AuditChanges[string]): DescribedChange => {
      const key = `field.${field}` as const;
      const secret = from === undefined && to === undefined;
      return {
        field,
        label: isKey<'field.'>(key) ? t(key) : field,
        // A reason that was not there before is no change of it.
        from:
          from === undefined || (from === null && /reason/i.test(field))
            ? null
            : valueText(t, field, from, date, language),
        to: secret ? t('value.changed') : to === undefined ? null : valueText(t, field, to, date, language),
      };
    };
    return (changes, action) =>
      Object.entries(changes)
        .filter(([field]) => !action || saidBy[action] !== field)
        .map(([field, change]) => describe(field, change))
        .filter(({ from, to }) => from === null || from !== to);
  }, [t, language]);
}

/** Fields shown with the time of the day, and fields shown as a day. */
const moments: ReadonlySet<string> = new Set(['startsAt', 'endsAt', 'memberUntil']);
const days: ReadonlySet<string> = new Set(['expiry', 'expiresAt']);

function valueText(
  t: AuditTranslate,
  field: string,
  value: Value,
  date: (time: string, field: string) => string,
  language: Language,
): string {
  if (field === 'tier' || field === 'subscriptionTier') return planName(t, value);
  if (value === null || value === undefined || value === '') {
    return field === 'expiry' ? t('value.never') : t('value.none');
  }
  if (field === 'panel') {
    const panel = knownPanels.find((one) => one === value);
    return panel ? panelPresets[panel].name : t('panel.own');
  }
  if (typeof value === 'boolean') return value ? t('value.yes') : t('value.no');
  if (days.has(field) || moments.has(field)) return date(String(value), field);
  if (isWordField(field))
    return String(value)
      .split(', ')
      .map((word) => wordText(t, field, word))
      .join(', ');
  if (field === 'role') return roleTexts[value as ProxyRole]?.[language] ?? String(value);
  const reason = `reason.${value}` as const;
  return field === 'statusReason' && isKey<'reason.'>(reason) ? t(reason) : String(value);
}

/** Fields whose values are words of the contract, one or several. */
const wordFields = [
  'level',
  'state',
  'topics',
  'access',
  'otherwise',
  'methods',
  'requestLog',
  'preset',
] as const;
type WordField = (typeof wordFields)[number];
const isWordField = (field: string): field is WordField => wordFields.some((one) => one === field);

function wordText(t: AuditTranslate, field: WordField, word: string): string {
  const keys = {
    level: `level.${word}`,
    state: `state.${word}`,
    topics: `topics.${word}`,
    access: `access.${word}`,
    otherwise: `otherwise.${word}`,
    methods: `methods.${word}`,
    requestLog: `requestLog.${word}`,
    preset: `preset.${word}`,
  } as const;
  const key = keys[field];
  return isKey<`${WordField}.`>(key) ? t(key) : word;
}

/** What a tier is called; also one that is not sold any more. */
export function planName(t: AuditTranslate, value: Value): string {
  if (value === null || value === undefined || value === '') return t('value.noPlan');
  const tier = tiers.find((one) => one === value);
  return tier ? planOf(tier).name : String(value);
}
