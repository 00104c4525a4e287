import type { LoggedMail } from '@talpa/contracts';
import { formatShortTime } from '@talpa/panel-kit/core';
import { LongText, type RowShape } from '@talpa/panel-kit/table';
import { Mail, Send } from 'lucide-react';
import { canBeSentAgain } from './can-be-sent-again.ts';
import { MailStateTag, Recipient, useMailName } from './mail-facts.tsx';
import { useMailTexts } from './texts.ts';

/** The log of emails as rows. */
export function useMailRows(options: {
  /** They are all of one user. */
  readonly withoutUser?: boolean;
  readonly onShow: (mail: LoggedMail) => void;
  readonly onSendAgain: (mail: LoggedMail) => void;
}): RowShape<LoggedMail> {
  const t = useMailTexts();
  const nameOf = useMailName();
  return {
    label: t('list'),
    actions: (mail) => [
      {
        key: 'show',
        text: t('show'),
        name: t('action', { action: t('show'), name: nameOf(mail) }),
        Icon: Mail,
        onClick: () => options.onShow(mail),
      },
      ...(canBeSentAgain(mail)
        ? [
            {
              key: 'again',
              text: t('again'),
              name: t('action', { action: t('again'), name: nameOf(mail) }),
              Icon: Send,
              onClick: () => options.onSendAgain(mail),
            },
          ]
        : []),
    ],
    columns: [
      {
        key: 'at',
        title: t('column.at'),
        render: (mail) => formatShortTime(mail.createdAt, 'de'),
        min: 176,
      },
      ...(options.withoutUser
        ? []
        : [
            {
              key: 'user',
              title: t('column.user'),
              render: (mail: LoggedMail) => <Recipient mail={mail} />,
              min: 150,
              grow: 1,
              onCard: 'title' as const,
            },
          ]),
      {
        key: 'kind',
        title: t('column.kind'),
        render: (mail) => t(`kind.${mail.kind}`),
        min: 200,
        grow: 2,
        ...(options.withoutUser ? { onCard: 'title' as const } : {}),
      },
      {
        key: 'state',
        title: t('column.state'),
        render: (mail) => <MailStateTag state={mail.state} />,
        min: 140,
        onCard: 'extra',
      },
      {
        key: 'answer',
        title: t('column.answer'),
        render: ({ lastAnswer }) => <LongText text={lastAnswer ?? '–'} lines={1} />,
        min: 160,
        grow: 3,
      },
    ],
  };
}
