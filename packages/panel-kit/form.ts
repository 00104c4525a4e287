// Shared once in the browser: what pages with forms and dialogs need. See ui.ts.
export {
  Checkbox,
  Form,
  type FormInstance,
  Input,
  InputNumber,
  Modal,
  Radio,
  Select,
  Switch,
  Tabs,
} from 'antd';
export { ConfirmDialog } from './form/confirm-dialog.tsx';
export { useFieldRules } from './form/field-rules.ts';
export { fields } from './form/fields.ts';
export { FormDialog } from './form/form-dialog.tsx';
export { showServerIssues } from './form/server-issues.ts';
export { SuspensionForm } from './form/suspension-form.tsx';
