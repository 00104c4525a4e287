import { Input } from '@talpa/panel-kit/form';
import type { ComponentProps } from 'react';
import { afterEdit, type DigitFormat } from './digits.ts';

/** A field of digits that formats itself while one types and leaves the caret where one types. */
export function DigitsInput({
  format,
  ...props
}: ComponentProps<typeof Input> & { readonly format: DigitFormat }) {
  return (
    <Input
      {...props}
      inputMode="numeric"
      onChange={(event) => {
        const { target, nativeEvent } = event;
        // antd hands over a copy of the field.
        const field = nativeEvent.target;
        if (!(field instanceof HTMLInputElement)) return;
        const forward = nativeEvent instanceof InputEvent && nativeEvent.inputType.endsWith('Forward');
        const typed = { text: field.value, caret: field.selectionStart ?? field.value.length };
        const edit = afterEdit(format, String(props.value ?? ''), typed, forward);
        // Written here already: React finds nothing to change afterwards, and so the caret stays.
        field.value = edit.text;
        field.setSelectionRange(edit.caret, edit.caret);
        target.value = edit.text;
        props.onChange?.(event);
      }}
    />
  );
}
