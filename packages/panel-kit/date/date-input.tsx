import { DatePicker } from 'antd';
import german from 'antd/es/date-picker/locale/de_DE';
import dayjs from 'dayjs';
import 'dayjs/locale/de';
import { useKitTexts } from '../core/texts/kit-texts.ts';

/** How a day is typed; the first one is how it is shown. */
const formats = ['DD.MM.YYYY', 'D.M.YYYY', 'DD.MM.YY', 'YYYY-MM-DD'];

/**
 * A day, picked or typed, as `2026-12-05`; German like the administrators' pages. The browser's own field follows
 * the browser's language, not the panel's.
 */
export function DateInput(props: {
  readonly id: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}) {
  const t = useKitTexts();
  return (
    <DatePicker
      id={props.id}
      value={props.value === undefined ? null : dayjs(props.value)}
      format={formats}
      placeholder={t('date.format')}
      locale={german}
      style={{ width: '100%' }}
      onChange={(day) => props.onChange(day?.format('YYYY-MM-DD'))}
    />
  );
}
