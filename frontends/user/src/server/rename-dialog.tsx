import type { Server } from '@talpa/contracts';
import { serverQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Form, FormDialog, fields, Input, useFieldRules, useLatest, useOpening } from '@talpa/panel-kit/form';
import { useServerPageTexts } from './texts.ts';

interface Values {
  readonly name: string;
}
interface Props {
  readonly server: Server;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Gives a server another name. */
export function RenameDialog(props: Props) {
  const opening = useOpening(props.open);
  return <RenameForm key={opening} {...props} />;
}

function RenameForm({ server, open, onClose }: Props) {
  const t = useServerPageTexts();
  const toast = useToast();
  const { record, isGone, refetch, replace } = useLatest(server, serverQuery(server.id), open);
  const { mutateAsync } = useApiMutation('PUT /api/servers/:id');
  const save = async ({ name }: Values, base: Partial<Values>) => {
    replace(await mutateAsync({ id: server.id, name, expected: { name: base.name ?? record.name } }));
    toast({ title: t('rename.done'), tone: 'success' });
    onClose();
  };
  return (
    <FormDialog<Values>
      open={open}
      title={t('rename.title')}
      submit={t('rename.submit')}
      failed={t('rename.failed')}
      values={{ name: record.name }}
      describe={(_name, value) => ({ label: t('rename.name'), text: String(value) })}
      isGone={isGone}
      onOutdated={refetch}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField />
    </FormDialog>
  );
}

function NameField() {
  const t = useServerPageTexts();
  const rules = useFieldRules();
  return (
    <Form.Item name="name" label={t('rename.name')} rules={rules(fields.serverName)}>
      <Input autoComplete="off" />
    </Form.Item>
  );
}
