import type { InstallationChannel, InstallationTopic } from '@talpa/contracts';
import { type ChannelKind, channelKinds } from '@talpa/contracts/channel-kinds';
import { useToast } from '@talpa/panel-kit/core';
import { Checkbox, Form, FormDialog, fields, Input, Select, useFieldRules } from '@talpa/panel-kit/form';
import { useShownChannels } from './channels.ts';
import { useChannelTexts } from './texts.ts';

interface Values {
  readonly kind: ChannelKind;
  readonly name: string;
  readonly topics: InstallationTopic[];
  readonly url: string;
  readonly topic: string;
  readonly token: string;
  readonly chat: string;
}
const nowhere = { url: '', topic: '', token: '', chat: '' };
const firstKind = 'discord';

/** The fields that say where a kind of channel leads; `?`: it may be left empty. */
const targets = {
  webhook: ['url'],
  discord: ['url'],
  ntfy: ['url', 'topic', 'token?'],
  telegram: ['token', 'chat'],
} as const;

/** Creates a channel, or changes one. What it leads to is secret: it is entered anew or stays as it is. */
export function ChannelDialog({
  open,
  channel,
  onDone,
  onClose,
}: {
  readonly open: boolean;
  readonly channel: InstallationChannel | null;
  /** @param secret of a new webhook */
  readonly onDone: (secret: string | null) => void;
  readonly onClose: () => void;
}) {
  const t = useChannelTexts();
  const toast = useToast();
  const channels = useShownChannels();
  const create = channels.useCreate();
  const update = channels.useUpdate();
  const submit = async ({ kind, name, topics: chosen, ...given }: Values) => {
    const target = Object.fromEntries(Object.entries(given).filter(([, value]) => value));
    if (channel) {
      await update.mutateAsync({ id: channel.id, name, topics: chosen, ...target });
      onDone(null);
      toast({ title: t('form.saved'), text: name, tone: 'success' });
      return;
    }
    const { secret } = await create.mutateAsync({ kind, name, topics: chosen, ...target });
    onDone(secret);
    toast({ title: t('form.created'), text: name, tone: 'success' });
  };
  const values: Values = channel
    ? { kind: channel.kind, name: channel.name, topics: channel.topics, ...nowhere }
    : { kind: firstKind, name: '', topics: [...channels.topics], ...nowhere };
  return (
    <FormDialog<Values>
      open={open}
      title={t(channel ? 'form.edit' : 'form.create')}
      submit={t(channel ? 'form.save' : 'form.create')}
      failed={t(channel ? 'form.editFailed' : 'form.createFailed')}
      values={values}
      onSubmit={submit}
      onClose={onClose}
    >
      <ChannelFields isNew={channel === null} />
    </FormDialog>
  );
}

function ChannelFields({ isNew }: { readonly isNew: boolean }) {
  const t = useChannelTexts();
  const rules = useFieldRules();
  const { topics } = useShownChannels();
  const kind = Form.useWatch<ChannelKind | undefined>('kind') ?? firstKind;
  const schemas = {
    url: fields.channelUrl,
    topic: fields.ntfyTopic,
    token: fields.channelToken,
    chat: fields.telegramChat,
  };
  return (
    <>
      <Form.Item name="kind" label={t('kind')} hidden={!isNew}>
        <Select options={channelKinds.map((value) => ({ value, label: t(`kind.${value}`) }))} />
      </Form.Item>
      <Form.Item name="name" label={t('name')} rules={rules(fields.channelName)}>
        <Input autoComplete="off" />
      </Form.Item>
      {targets[kind].map((target) => {
        const name = target === 'token?' ? 'token' : target;
        const mayBeEmpty = !isNew || target === 'token?';
        const [label, hint] = textsOf(kind, name);
        const hints = [hint && t(hint), ...(isNew ? [] : [t('keep')])].filter(Boolean).join(' ');
        const [rule] = rules(schemas[name]);
        return (
          <Form.Item
            key={`${kind} ${name}`}
            name={name}
            label={t(label)}
            extra={hints}
            rules={rule ? [mayBeEmpty ? unlessEmpty(rule) : rule] : []}
          >
            <Input autoComplete="off" spellCheck={false} />
          </Form.Item>
        );
      })}
      <Form.Item
        name="topics"
        label={t('topics')}
        // Not “required”: a group of checkboxes cannot be announced as that.
        rules={[
          {
            validator: async (_rule, chosen: readonly string[]) => {
              if (chosen.length === 0) throw new Error(t('topics.needed'));
            },
          },
        ]}
      >
        <Checkbox.Group options={topics.map((value) => ({ value, label: t(`topic.${value}`) }))} />
      </Form.Item>
    </>
  );
}

type Rule = ReturnType<ReturnType<typeof useFieldRules>>[number];
type PlainRule = Exclude<Rule, (...given: never) => unknown>;

/** A field that keeps what is stored when nothing is entered. */
const unlessEmpty = (rule: Rule): Rule =>
  typeof rule === 'function' ? (form) => plainUnlessEmpty(rule(form)) : plainUnlessEmpty(rule);

function plainUnlessEmpty(rule: PlainRule): PlainRule {
  const { validator } = rule;
  if (!validator) return rule;
  return {
    ...rule,
    validator: (one, value, done) => (value ? validator(one, value, done) : Promise.resolve()),
  };
}

/** The label of a field, and what helps to fill it in. */
function textsOf(kind: ChannelKind, name: 'url' | 'topic' | 'token' | 'chat') {
  if (name === 'topic') return ['topic', 'topic.hint'] as const;
  if (name === 'chat') return ['chat', 'chat.hint'] as const;
  if (name === 'token')
    return kind === 'ntfy'
      ? (['token.ntfy', 'token.ntfy.hint'] as const)
      : (['token.telegram', 'token.telegram.hint'] as const);
  if (kind === 'discord') return ['url.discord', 'url.discord.hint'] as const;
  return kind === 'ntfy'
    ? (['url.ntfy', 'url.ntfy.hint'] as const)
    : (['url.webhook', 'url.webhook.hint'] as const);
}
