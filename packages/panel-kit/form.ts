// A remote that takes it from the contract would bring zod of its own.
export { issueText } from '@talpa/contracts/issues';
// Shared once in the browser: what pages with forms and dialogs need. See ui.ts.
export {
  Checkbox,
  Form,
  type FormInstance,
  Input,
  Radio,
  Select,
  Switch,
} from 'antd';
export { ConfirmDialog } from './form/confirm-dialog.tsx';
export { Dialog } from './form/dialog.tsx';
export { differs } from './form/differs.ts';
export { type ConflictHandle, type DescribeField, EditConflict } from './form/edit-conflict.tsx';
export { FactorCodeField } from './form/factor-code-field.tsx';
export { useFieldRules, useRepetitionRule } from './form/field-rules.ts';
export { fields } from './form/fields.ts';
export { Fold } from './form/fold.tsx';
export { FormDialog } from './form/form-dialog.tsx';
export { HiddenUsername } from './form/hidden-username.tsx';
export { LeaveDialog } from './form/leave-dialog.tsx';
export { inOneLine, ParagraphInput } from './form/paragraph-input.tsx';
export { PasswordInput } from './form/password-input.tsx';
export { showServerIssues } from './form/server-issues.ts';
export { ShownOnceDialog } from './form/shown-once-dialog.tsx';
export { SuspensionForm } from './form/suspension-form.tsx';
export { Tabs } from './form/tabs.tsx';
export { useConfirm } from './form/use-confirm.tsx';
export { firstFocus } from './form/use-first-focus.ts';
export { useFormDisabled } from './form/use-form-disabled.ts';
export { useLatest } from './form/use-latest.ts';
export { useOpener } from './form/use-opener.ts';
export { useOpening } from './form/use-opening.ts';
export { clearErrors, focusFirstError, useSubmit } from './form/use-submit.ts';
export { useCloseGone, WhileThere } from './form/while-there.tsx';
