import type { Announcement } from '@talpa/contracts';
import { type Input as Body, formatTime } from '@talpa/panel-kit/core';
import { type DescribeField, Form, fields, Input, Select, useFieldRules } from '@talpa/panel-kit/form';
import { useAnnouncementTexts } from './texts.ts';

type Given = Body<'POST /api/admin/announcements'>;
/** What the form holds: times as the browser's field has them, by the clock of this device. */
export type AnnouncementValues = Given;

const levels = ['info', 'warning', 'error'] as const;
const dayMs = 86_400_000;

/** A moment as the browser's field writes it. */
function fieldTime(time: string | number): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
const momentOf = (typed: string) => (typed ? new Date(typed).toISOString() : typed);

/** A new announcement: from now on for a day. */
export const firstValues = (): AnnouncementValues => ({
  level: 'info',
  titleDe: '',
  textDe: '',
  titleEn: '',
  textEn: '',
  startsAt: fieldTime(Date.now()),
  endsAt: fieldTime(Date.now() + dayMs),
});

export const valuesOf = (announcement: Announcement): AnnouncementValues => {
  const { level, titleDe, textDe, titleEn, textEn, startsAt, endsAt } = announcement;
  return {
    level,
    titleDe,
    textDe,
    titleEn,
    textEn,
    startsAt: fieldTime(startsAt),
    endsAt: fieldTime(endsAt),
  };
};

/** What the form sends; a time that was not touched stays as exact as it is stored. */
export function toRequest(values: AnnouncementValues, stored?: Announcement): Given {
  const exact = (name: 'startsAt' | 'endsAt') =>
    stored && values[name] === fieldTime(stored[name]) ? stored[name] : momentOf(values[name]);
  return { ...values, startsAt: exact('startsAt'), endsAt: exact('endsAt') };
}

/** How a field is shown that somebody else has changed. */
export function useDescribeAnnouncement(): DescribeField {
  const t = useAnnouncementTexts();
  return (name, value) => {
    const field = name as keyof AnnouncementValues;
    const text = String(value);
    return {
      label: t(`field.${field}`),
      text:
        field === 'level'
          ? t(`level.${value as AnnouncementValues['level']}`)
          : field.endsWith('At')
            ? formatTime(momentOf(text), 'de')
            : text,
    };
  };
}

export function AnnouncementFields() {
  const t = useAnnouncementTexts();
  const rules = useFieldRules();
  return (
    <>
      <Form.Item name="level" label={t('field.level')}>
        <Select options={levels.map((value) => ({ value, label: t(`level.${value}`) }))} />
      </Form.Item>
      {(['De', 'En'] as const).map((language) => (
        <div key={language} lang={language === 'En' ? 'en' : undefined}>
          <Form.Item
            name={`title${language}`}
            label={<span lang="de">{t(`field.title${language}`)}</span>}
            rules={rules(fields.announcementTitle)}
          >
            <Input autoComplete="off" />
          </Form.Item>
          <Form.Item
            name={`text${language}`}
            label={<span lang="de">{t(`field.text${language}`)}</span>}
            rules={rules(fields.announcementText)}
          >
            <Input.TextArea
              // Not autoSize: it measures with an inline style, which the page’s policy forbids.
              rows={3}
              // It is one paragraph.
              onPressEnter={(event) => event.preventDefault()}
            />
          </Form.Item>
        </div>
      ))}
      {(['startsAt', 'endsAt'] as const).map((name) => (
        <Form.Item
          key={name}
          name={name}
          label={t(`field.${name}`)}
          {...(name === 'endsAt' ? { extra: t('times.hint') } : {})}
          rules={rules(fields.enteredTime)}
        >
          <Input type="datetime-local" style={{ maxWidth: 260 }} />
        </Form.Item>
      ))}
    </>
  );
}
