import { channelsQuery, type ResponseBody, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Form, FormDialog, fields, Input, Radio, useFieldRules } from '@talpa/panel-kit/form';
import { useQuery } from '@tanstack/react-query';
import { GrantFields, type GrantValues, newGrant, toGrant } from './grant-fields.tsx';
import { useMemberTexts } from './texts.ts';

interface Values extends GrantValues {
  readonly way: 'username' | 'email' | 'link';
  readonly username: string;
  readonly email: string;
}
const first: Values = { ...newGrant, way: 'username', username: '', email: '' };
type Invited = ResponseBody<'POST /api/tunnel-configs/:id/members'>;

/** Invites a user by their name, or makes a link. */
export function InviteDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  readonly isShared: boolean;
  readonly onInvited: (invited: Invited) => void;
  readonly onClose: () => void;
}) {
  const t = useMemberTexts();
  const toast = useToast();
  const { mutateAsync } = useApiMutation('POST /api/tunnel-configs/:id/members');
  const submit = async ({ way, username, email, ...grant }: Values) => {
    const whom = { username: { username }, email: { email }, link: {} }[way];
    const invited = await mutateAsync({ id: props.proxyId, ...whom, ...toGrant(grant) });
    props.onClose();
    props.onInvited(invited);
    if (way !== 'link')
      toast({ title: t('invite.done'), text: way === 'email' ? email : username, tone: 'success' });
  };
  return (
    <FormDialog<Values>
      open={props.open}
      title={t('invite.title')}
      submit={t('invite')}
      failed={t('invite.failed')}
      values={first}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <WhomFields />
      <GrantFields isShared={props.isShared} />
    </FormDialog>
  );
}

function WhomFields() {
  const t = useMemberTexts();
  const rules = useFieldRules();
  const way = Form.useWatch<Values['way'] | undefined>('way') ?? first.way;
  const { data: channels } = useQuery(channelsQuery);
  const ways = ['username', ...(channels?.email ? (['email'] as const) : []), 'link'] as const;
  return (
    <>
      <Form.Item name="way" label={t('invite.way')} extra={way === 'link' && t('invite.link.hint')}>
        <Radio.Group options={ways.map((value) => ({ value, label: t(`invite.way.${value}`) }))} />
      </Form.Item>
      {way === 'username' && (
        <Form.Item
          name="username"
          label={t('invite.username')}
          extra={t('invite.username.hint')}
          rules={rules(fields.givenUsername)}
        >
          <Input autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
      )}
      {way === 'email' && (
        <Form.Item
          name="email"
          label={t('invite.email')}
          extra={t('invite.email.hint')}
          rules={rules(fields.givenEmail)}
        >
          <Input autoComplete="off" inputMode="email" />
        </Form.Item>
      )}
    </>
  );
}
