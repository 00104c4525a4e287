import type { de } from './de.ts';

export const en: Readonly<Record<keyof typeof de, string>> = {
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  copy: 'Copy',
  copyFailed: 'Please select and copy the text yourself.',
  'error.title': 'An error occurred',
  'error.requestId': 'Request id: {id}',
  'error.retry': 'Try again',
  'error.stale.title': 'There is a new version',
  'error.stale.text': 'The panel has been updated since you opened this page. Please reload the page.',
  'error.stale.reload': 'Reload page',
  language: 'Language',
  'language.switch': 'Change the language: {name}',
  loading: 'Loading …',
  'suspension.effect': 'What happens then',
  'suspension.reason': 'Reason',
  'suspension.reason.hint': 'The owner reads it as it stands here.',
};
