import { plans, type Tier } from '@talpa/contracts/plans';
import { type ResponseBody, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Dialog, Form, FormDialog, fields, Input, Select, useFieldRules } from '@talpa/panel-kit/form';
import { useState } from 'react';
import { LinkShownOnce, ShownOnce } from '../secret/shown-once.tsx';
import { useAdminTexts } from '../texts/admin-texts.ts';

interface Values {
  readonly note: string;
  readonly subscriptionTier: Tier | 'none';
  /** 0: without end. */
  readonly months: number;
  readonly uses: number | string;
  /** How long it may be used; 0: without end. */
  readonly days: number;
}
const first: Values = { note: '', subscriptionTier: 'none', months: 0, uses: 1, days: 30 };
const endless = 0;
const monthChoices = [endless, 1, 3, 6, 12];
const dayChoices = [7, 30, 90, endless];
const isPaid = (tier: Values['subscriptionTier']) => tier !== 'none' && tier !== 'free';

type Made = ResponseBody<'POST /api/admin/invitations'>;

/** Makes an invitation, and shows its code once. */
export function CreateInvitationDialog({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const t = useAdminTexts();
  const toast = useToast();
  const [made, setMade] = useState<Made | null>(null);
  const [isShown, setIsShown] = useState(false);
  const { mutateAsync } = useApiMutation('POST /api/admin/invitations');
  const submit = async ({ days, months, subscriptionTier, uses, note }: Values) => {
    const created = await mutateAsync({
      note,
      subscriptionTier,
      uses: Number(uses),
      months: isPaid(subscriptionTier) && months !== endless ? months : null,
      expiresAt: days === endless ? null : new Date(Date.now() + days * 86_400_000).toISOString(),
    });
    onClose();
    setMade(created);
    setIsShown(true);
  };
  return (
    <>
      <FormDialog<Values>
        open={open}
        title={t('invitations.create')}
        submit={t('form.create')}
        failed={t('invitation.failed')}
        onFailure={(message) => toast({ title: t('invitation.failed'), text: message, tone: 'error' })}
        values={first}
        onSubmit={submit}
        onClose={onClose}
      >
        <InvitationFields />
      </FormDialog>
      <Dialog
        open={isShown}
        title={t('invitation.made')}
        okText={t('close')}
        cancelButtonProps={{ style: { display: 'none' } }}
        closable={{ 'aria-label': t('close') }}
        // The code is shown only once: a press beside the dialog must not lose it.
        mask={{ closable: false }}
        onOk={() => setIsShown(false)}
        onCancel={() => setIsShown(false)}
        width={520}
      >
        {made && (
          <>
            <p>{t('invitation.once')}</p>
            <ShownOnce text={made.code} label={t('invitation.code')} />
            <LinkShownOnce {...made} />
          </>
        )}
      </Dialog>
    </>
  );
}

function InvitationFields() {
  const t = useAdminTexts();
  const rules = useFieldRules();
  const tier = Form.useWatch<Values['subscriptionTier'] | undefined>('subscriptionTier') ?? 'none';
  const countText = (name: 'invitation.months' | 'invitation.days', count: number) =>
    count === endless ? t('invitations.unlimited') : t(name, { count });
  return (
    <>
      <Form.Item
        name="note"
        label={t('invitation.note')}
        extra={t('invitation.note.hint')}
        rules={rules(fields.invitationNote)}
      >
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item name="subscriptionTier" label={t('form.tier')}>
        <Select
          options={[
            { value: 'none', label: t('form.tier.none') },
            ...plans.map((plan) => ({ value: plan.id, label: plan.name })),
          ]}
        />
      </Form.Item>
      {isPaid(tier) && (
        <Form.Item name="months" label={t('invitation.duration')}>
          <Select
            options={monthChoices.map((value) => ({
              value,
              label: countText('invitation.months', value),
            }))}
          />
        </Form.Item>
      )}
      <Form.Item
        name="uses"
        label={t('invitation.uses')}
        extra={t('invitation.uses.hint')}
        rules={rules(fields.invitationUses)}
      >
        <Input inputMode="numeric" style={{ maxWidth: 160 }} />
      </Form.Item>
      <Form.Item name="days" label={t('invitation.lasts')}>
        <Select
          options={dayChoices.map((value) => ({
            value,
            label: countText('invitation.days', value),
          }))}
        />
      </Form.Item>
    </>
  );
}
