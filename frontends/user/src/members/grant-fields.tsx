import type { MemberRole } from '@talpa/contracts';
import { roleTexts } from '@talpa/contracts/role-texts';
import { memberRoles } from '@talpa/contracts/roles';
import { formatTime, useLanguage } from '@talpa/panel-kit/core';
import { Form, Radio, Select } from '@talpa/panel-kit/form';
import styles from './members.module.css';
import { useMemberTexts } from './texts.ts';

/** What somebody is given, as a form has it. */
export interface GrantValues {
  readonly role: MemberRole;
  /** `never`, a number of days from now, or a moment that is stored already. */
  readonly end: string;
}
const never = 'never';
const dayChoices = ['1', '7', '30', '90'];
export const newGrant: GrantValues = { role: 'view', end: never };

/** The values of a stored grant. */
export const grantOf = (stored: { readonly role: MemberRole; readonly memberUntil: string | null }) => ({
  role: stored.role,
  end: stored.memberUntil ?? never,
});

/** A grant as the API takes it. */
export function toGrant({ role, end }: GrantValues) {
  if (end === never) return { role, memberUntil: null };
  const memberUntil = dayChoices.includes(end)
    ? new Date(Date.now() + Number(end) * 86_400_000).toISOString()
    : end;
  return { role, memberUntil };
}

/** How the end of a membership is called. */
export function useEndText(): (end: string) => string {
  const t = useMemberTexts();
  const language = useLanguage();
  return (end) => {
    if (end === never) return t('invite.lasts.never');
    if (dayChoices.includes(end)) return t('invite.lasts.days', { count: Number(end) });
    return t('invite.lasts.at', { time: formatTime(end, language) });
  };
}

/** The fields of a grant. @param props.stored the end that is stored, which may be kept */
export function GrantFields(props: {
  readonly stored?: string;
  /** Whether the server of the proxy runs others, too. */
  readonly isShared: boolean;
}) {
  const { stored, isShared } = props;
  const t = useMemberTexts();
  const language = useLanguage();
  const endText = useEndText();
  const ends = [never, ...dayChoices, ...(stored === undefined || stored === never ? [] : [stored])];
  return (
    <>
      <Form.Item name="role" label={t('role')}>
        <Radio.Group
          vertical
          options={memberRoles.map((role) => ({
            value: role,
            label: (
              <>
                {roleTexts[role][language]}
                <span className={styles.roleText}>
                  {t(role === 'operate' && isShared ? 'role.operate.shared' : `role.${role}.text`)}
                </span>
              </>
            ),
          }))}
        />
      </Form.Item>
      <Form.Item name="end" label={t('invite.lasts')}>
        <Select options={ends.map((value) => ({ value, label: endText(value) }))} />
      </Form.Item>
    </>
  );
}
