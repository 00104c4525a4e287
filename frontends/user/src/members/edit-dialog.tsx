import type { Member } from '@talpa/contracts';
import { roleTexts } from '@talpa/contracts/role-texts';
import type { ProxyRole } from '@talpa/contracts/roles';
import { useApiMutation, useLanguage, useToast } from '@talpa/panel-kit/core';
import { type DescribeField, FormDialog } from '@talpa/panel-kit/form';
import { GrantFields, type GrantValues, grantOf, toGrant, useEndText } from './grant-fields.tsx';
import { useMemberTexts } from './texts.ts';

/** Changes what a member may do, and until when. */
export function EditDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  readonly isShared: boolean;
  readonly member: Member;
  readonly name: string;
  readonly isGone: boolean;
  readonly refetch: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const t = useMemberTexts();
  const toast = useToast();
  const describe = useDescribe();
  const { mutateAsync } = useApiMutation('PUT /api/tunnel-configs/:id/members/:memberId');
  const values = grantOf(props.member);
  const submit = async (chosen: GrantValues, base: Partial<GrantValues>) => {
    const expected = toGrant({ ...values, ...base });
    await mutateAsync({ id: props.proxyId, memberId: props.member.id, ...toGrant(chosen), expected });
    props.onClose();
    void props.refetch();
    toast({ title: t('edit.done'), text: props.name, tone: 'success' });
  };
  return (
    <FormDialog<GrantValues>
      open={props.open}
      title={t('edit.title')}
      submit={t('edit.submit')}
      failed={t('edit.failed')}
      values={values}
      describe={describe}
      isGone={props.isGone}
      onOutdated={props.refetch}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <GrantFields stored={values.end} isShared={props.isShared} />
    </FormDialog>
  );
}

function useDescribe(): DescribeField {
  const t = useMemberTexts();
  const language = useLanguage();
  const endText = useEndText();
  return (name, value) =>
    name === 'role'
      ? { label: t('role'), text: roleTexts[value as ProxyRole][language] }
      : { label: t('invite.lasts'), text: endText(String(value)) };
}
