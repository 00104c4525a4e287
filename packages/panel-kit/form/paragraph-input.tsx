import { Form, Input } from 'antd';
import type { ComponentProps } from 'react';

/** What has no lines is one, however it was pasted. */
export const inOneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ');

/** A text area for a text without lines, with its length: Enter sends the form. `Form.Item` gives it value and events. */
export function ParagraphInput(
  props: ComponentProps<typeof Input.TextArea> & { readonly maxLength: number },
) {
  const form = Form.useFormInstance();
  return (
    <Input.TextArea
      {...props}
      // Not autoSize: it measures with an inline style, which the page’s policy forbids.
      rows={3}
      showCount
      onPressEnter={(event) => {
        event.preventDefault();
        form.submit();
      }}
    />
  );
}
